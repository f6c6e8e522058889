nnue::nnue! {
    pub struct First {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h = affine(crelu(acc), 16);
        output 3 * affine(crelu(h), 1);
    }

    pub struct Second {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h = affine(crelu(acc), 16);
        output (affine(crelu(h), 1)) * 3 / 4 + h[1];
    }

    pub struct Third {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h = affine(crelu(acc), 16);
        output affine(crelu(h), 1) as f32 * 3 / 4;
    }
}

fn main() {}
