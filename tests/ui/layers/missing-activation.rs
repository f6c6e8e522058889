nnue::nnue! {
    pub struct Wrong {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h = affine(crelu(acc), 16);
        output affine(h, 1);
    }
    pub struct Gate {
        acc = accumulate(HalfKAv2_hm[..], 256 @ 255) x 2;
        let h1 = affine(pairwise(acc), 32);
        let h2 = affine(hard_swish(h1), 64: f32);
        output affine(mul(hard_swish(h2)[..32], h2[32..]), 1: f32);
    }
    pub struct Residual {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h1 = affine(crelu(acc), 16);
        let h2 = affine(crelu(h1), 16);
        output affine(add(crelu(h1), h2), 1);
    }
    pub struct Halves {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h = affine(crelu(acc), 16);
        output affine(concat(pairwise(h), max_halves(h) >> 5), 1);
    }
    pub struct Runs {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h = affine(crelu(acc), 16);
        output affine(concat(mean(h[3..]), max_neighbours(h, 4)), 1);
    }
    pub struct Accumulator {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        output affine(max_halves(acc), 1);
    }
}

fn main() {}
