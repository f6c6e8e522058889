nnue::nnue! {
    pub struct First {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h = affine(crelu(acc), 16);
        output affine(crelu(h), 1) + h;
    }

    pub struct Second = HalfKP[..] -> 256x2 -> 16 -> 2;
}

fn main() {}
