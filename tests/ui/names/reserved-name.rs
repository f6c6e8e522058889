nnue::nnue! {
    pub struct Wrong {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let fc1 = affine(crelu(acc), 16);
        output affine(crelu(fc1), 1);
    }
}

fn main() {}
