nnue::nnue! {
    pub struct First {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h1 = affine(crelu(acc), 16);
        output affine(crelu(hl), 1) + h1[0];
    }

    pub struct Second {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let a = crelu(b);
        let b = affine(crelu(acc), 16);
        output affine(a, 1);
    }
}

fn main() {}
