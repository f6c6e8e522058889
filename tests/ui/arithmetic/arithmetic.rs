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
        output affine(clamp(acc, 0, 127), 1: i32);
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

fn main() {}
