nnue::nnue! {
    pub struct First = HalfKP[..] -> 256x2 -> (16, psqt 8 -> 1)x8;

    pub struct Second {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        output affine(crelu(acc), 1) >> 6;
    }
}

fn main() {}
