nnue::nnue! {
    pub struct Wrong {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        output affine(acc, 1);
    }
}

fn main() {}
