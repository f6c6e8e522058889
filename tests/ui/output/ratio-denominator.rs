nnue::nnue! {
    pub struct Wrong {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h = affine(crelu(acc), 16);
        output affine(crelu(h), 1) + h[15] * 9600 / 0;
    }
}

fn main() {}
