nnue::nnue! {
    pub struct Wrong {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h = affine(crelu(acc), wide);
        output affine(crelu(16), 1);
    }
}

fn main() {}
