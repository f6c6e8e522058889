nnue::nnue! {
    pub struct First {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h = afine(crelu(acc), 16);
        output affine(crelu(h), 1);
    }

    pub struct Second {
        acc = acumulate(HalfKP[..], 256) x 2;
        output affine(crelu(acc), 1);
    }

    pub struct Third = HalfKP[..] -> 256x2 pairwize -> 1;

    pub struct OfTwo = HalfKP[..] -> 256x2 -> 16 avg -> 1;
}

fn main() {}
