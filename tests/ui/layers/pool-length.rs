nnue::nnue! {
    pub struct Odd = HalfKAv2_hm[..] -> 256x2 -> 15 avg_halves -> 1;
    pub struct Part {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h = affine(crelu(acc), 16);
        output affine(max_neighbours(crelu(h)[..5]), 1);
    }
    pub struct MeanOfOne {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h = affine(crelu(acc), 16);
        output affine(concat(crelu(h), mean(crelu(h)[3])), 1);
    }
    pub struct MeanOfSeveral {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h = affine(crelu(acc), 16);
        output affine(concat(crelu(h), mean(concat(crelu(h), sqr_crelu(h)))), 1);
    }
    pub struct Runs {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h = affine(crelu(acc), 16);
        output affine(max_neighbours(crelu(h), 3), 1);
    }
    pub struct RunsOfOne {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h = affine(crelu(acc), 16);
        output affine(concat(crelu(h), avg_neighbours(crelu(h), 1)), 1);
    }
    pub struct LongRuns {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h = affine(crelu(acc), 16);
        output affine(concat(crelu(h), avg_neighbours(crelu(h)[..7], 8)), 1);
    }
    pub struct RunsOfSeveral {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h = affine(crelu(acc), 16);
        output affine(max_neighbours(concat(crelu(h)[..9], sqr_crelu(h)[..3]), 4), 1);
    }
    pub struct Two {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h1 = affine(crelu(acc), 16);
        let h2 = affine(crelu(h1), 32);
        output affine(add(crelu(h1), crelu(h2)), 1);
    }
}

fn main() {}
