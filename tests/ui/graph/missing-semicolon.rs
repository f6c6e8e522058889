nnue::nnue! {
    pub struct First {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let x = crelu(acc)
        output affine(x, 1);
    }

    pub struct Second = HalfKP[..] -> 256x2 -> 1
}

fn main() {}
