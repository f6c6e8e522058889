nnue::nnue! {
    pub struct = HalfKP[..] -> 256x2 -> 1;

    pub struct Second {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let 5 = crelu(acc);
        output affine(crelu(acc), 1);
    }
}

fn main() {}
