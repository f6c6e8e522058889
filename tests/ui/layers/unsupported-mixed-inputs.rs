nnue::nnue! {
    pub struct Wrong {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h = affine(crelu(acc), 16);
        let g = affine(concat(crelu(h), crelu(acc)), 32: f32);
        output affine(crelu(g), 1: f32);
    }
}

fn main() {}
