nnue::nnue! {
    pub struct First {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let x = affine(crelu(acc) 16);
        output affine(crelu(x), 1);
    }

    pub struct Second {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        output = affine(crelu(acc), 1);
    }

    pub struct Third = HalfKP[..] -> 256x2 -> 1 >;
}

fn main() {}
