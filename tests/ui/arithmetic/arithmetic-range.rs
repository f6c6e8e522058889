nnue::nnue! {
    pub struct Square {
        acc = accumulate(Chess768[..], 64) x 2;
        let y = affine(crelu(acc), 16) >> 8;
        output affine(clamp(y * y, 0, 4096), 1: i32);
        format raw
    }
}

nnue::nnue! {
    pub struct Sum {
        acc = accumulate(Chess768[..], 64) x 2;
        let h1 = affine(crelu(acc), 16);
        output affine(h1 + 64, 1: i32);
        format raw
    }
}

nnue::nnue! {
    pub struct Left {
        acc = accumulate(Chess768[..], 64) x 2;
        let h1 = affine(crelu(acc), 16);
        output affine(clamp(h1, 0, 1 << 20) << 12, 1: i32);
        format raw
    }
}

fn main() {}
