nnue::nnue! {
    pub struct First {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        ouput affine(crelu(acc), 1);
    }

    pub struct Second {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        stack 8 { output affine(crelu(acc), 1); }
    }
}

fn main() {}
