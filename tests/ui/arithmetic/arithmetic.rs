nnue::nnue! {
    pub struct Lengths {
        acc = accumulate(Chess768[..], 64) x 2;
        let h1 = affine(crelu(acc), 16);
        let h2 = affine(crelu(acc), 8);
        output affine(clamp(h1 >> 6, 0, 64) + (h2 >> 6), 1: i32);
        format raw
    }
}

nnue::nnue! {
    pub struct Accumulators {
        acc = accumulate(Chess768[..], 64) x 2;
        output affine(crelu(acc) + 1, 1: i32);
        format raw
    }
}

nnue::nnue! {
    pub struct Shift {
        acc = accumulate(Chess768[..], 64) x 2;
        let h1 = affine(crelu(acc), 16);
        output affine(h1 >> 40, 1: i32);
        format raw
    }
}

nnue::nnue! {
    pub struct Divisor {
        acc = accumulate(Chess768[..], 64) x 2;
        let h1 = affine(crelu(acc), 16);
        output affine(clamp(h1, 0, 64) / h1, 1: i32);
        format raw
    }
}

nnue::nnue! {
    pub struct Reader {
        acc = accumulate(Chess768[..], 64) x 2;
        let h1 = affine(crelu(acc), 16);
        output affine(max_halves(clamp(h1, 0, 64)), 1);
        format raw
    }
}

nnue::nnue! {
    pub struct Container {
        acc = accumulate(Chess768[..], 64) x 2;
        output affine(affine(crelu(acc), 16) >> 6, 1: i32);
    }
}

nnue::nnue! {
    pub struct IntegersBesideFloats {
        acc = accumulate(Chess768[..], 64) x 2;
        let h1 = affine(crelu(acc), 16 bias i32);
        let h2 = affine(h1 as f32 * 0.5, 16: f32);
        output affine(h2 + h1, 1: f32);
        format raw
    }
}

nnue::nnue! {
    pub struct Quotient {
        acc = accumulate(Chess768[..], 64) x 2;
        let h1 = affine(crelu(acc), 16);
        output affine(h1 * (1 / 6), 1: f32);
        format raw
    }
}

nnue::nnue! {
    pub struct ShiftOfFloats {
        acc = accumulate(Chess768[..], 64) x 2;
        let h1 = affine(crelu(acc), 16);
        output affine(h1 >> 6, 1: f32);
        format raw
    }
}

nnue::nnue! {
    pub struct FloatsAlready {
        acc = accumulate(Chess768[..], 64) x 2;
        output affine(affine(crelu(acc), 16) as f32 * 0.5, 1: f32);
        format raw
    }
}

nnue::nnue! {
    pub struct ActivationOfIntegers {
        acc = accumulate(Chess768[..], 64) x 2;
        let h1 = affine(crelu(acc), 16 bias i32);
        output affine(crelu(h1), 1: f32);
        format raw
    }
}

nnue::nnue! {
    pub struct ActivationOfAnExpression {
        acc = accumulate(Chess768[..], 64) x 2;
        let h1 = affine(crelu(acc), 16);
        output affine(crelu(h1 + 0.5), 1: f32);
        format raw
    }
}

nnue::nnue! {
    pub struct Infinite {
        acc = accumulate(Chess768[..], 64) x 2;
        let h1 = affine(crelu(acc), 16);
        output affine(h1 * (1.0 / 0.0), 1: f32);
        format raw
    }
}

nnue::nnue! {
    pub struct ExpOfIntegers {
        acc = accumulate(Chess768[..], 64) x 2;
        let h1 = affine(crelu(acc), 16);
        output affine(exp(h1), 1: i32);
        format raw
    }
}

nnue::nnue! {
    pub struct OtherType {
        acc = accumulate(Chess768[..], 64) x 2;
        let h1 = affine(crelu(acc), 16 bias i32);
        output affine(h1 as f64 * 0.5, 1: f32);
        format raw
    }
}

nnue::nnue! {
    pub struct FloatsReadAsIntegers {
        acc = accumulate(Chess768[..], 64) x 2;
        let h1 = affine(crelu(acc), 16);
        output affine(h1 as f32 * 0.5, 1: i32);
        format raw
    }
}

nnue::nnue! {
    pub struct FloatsReadAsBytes {
        acc = accumulate(Chess768[..], 64) x 2;
        let h1 = affine(crelu(acc), 16);
        output affine(h1 as f32 * 0.5, 1);
        format raw
    }
}

nnue::nnue! {
    pub struct BiasOfFloats {
        acc = accumulate(Chess768[..], 64) x 2;
        output affine(crelu(acc), 1: f32 bias i32);
        format raw
    }
}

nnue::nnue! {
    pub struct UnitOfIntegers {
        acc = accumulate(Chess768[..], 64) x 2;
        output affine(crelu(acc), 1: i8 unit 1/64);
        format raw
    }
}

nnue::nnue! {
    pub struct UnitOfZero = Chess768[..] -> 64x2 -> 16: i8 unit 1/0 -> 1: f32 { format raw };
}

nnue::nnue! {
    pub struct WithoutElse {
        acc = accumulate(Chess768[..], 64) x 2;
        let h1 = affine(crelu(acc), 16);
        let h2 = if h1 > 0 { h1 };
        output affine(h2, 1: i32);
        format raw
    }
}

nnue::nnue! {
    pub struct ThreeCompared {
        acc = accumulate(Chess768[..], 64) x 2;
        let h1 = affine(crelu(acc), 16);
        output affine(0 < h1 < 64, 1: i32);
        format raw
    }
}

nnue::nnue! {
    pub struct OtherLengths {
        acc = accumulate(Chess768[..], 64) x 2;
        let h1 = affine(crelu(acc), 16);
        output affine(if h1 > 0 { h1[..8] } else { 0 }, 1: i32);
        format raw
    }
}

nnue::nnue! {
    pub struct RoundedIntegers {
        acc = accumulate(Chess768[..], 64) x 2;
        let h1 = affine(crelu(acc), 16);
        output affine(round(h1), 1: i32);
        format raw
    }
}

nnue::nnue! {
    pub struct LowBitsOfFloats {
        acc = accumulate(Chess768[..], 64) x 2;
        let h1 = affine(crelu(acc), 16);
        output affine((h1 * 0.5) as i16, 1: f32);
        format raw
    }
}

fn main() {}
