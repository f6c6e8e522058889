nnue::nnue! {
    pub struct Wrong {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h = affine(crelu(acc));
        output affine(crelu(h, 2), 1);
    }
}

fn main() {}
