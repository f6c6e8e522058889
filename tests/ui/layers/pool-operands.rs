nnue::nnue! {
    pub struct Squares {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        output affine(avg_halves(sqr_crelu(acc)), 1);
    }
    pub struct Accumulators {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h = affine(crelu(acc), 16);
        output affine(max(crelu(acc)[..16], crelu(h)), 1);
    }
    pub struct MeanOfAccumulators {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        output affine(mean(crelu(acc)), 1);
    }
    pub struct RunsOfAccumulators {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        output affine(max_neighbours(acc, 4), 1);
    }
    pub struct Scales {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h = affine(crelu(acc), 16);
        output affine(add(crelu(h), quantmoid4(h)), 1);
    }
    pub struct Large = HalfKAv2_hm[..] -> 256x2 @ 255 max_halves -> 16 -> 1;
    pub struct Shifted {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h = affine(crelu(acc), 16);
        output affine(pairwise(crelu(h)) >> 7, 1);
    }
    pub struct Direct = HalfKAv2_hm[..] -> 256x2 avg_neighbours -> 1: i16;
}

fn main() {}
