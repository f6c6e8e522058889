nnue::nnue! {
    pub struct Nothing = HalfKAv2_hm[..] -> 256x2 pairwise, nonzero 0% -> 16 -> 1;
    pub struct More = HalfKAv2_hm[..] -> 256x2, nonzero 101% -> 16 -> 1;
    pub struct Share = HalfKAv2_hm[..] -> 256x2, nonzero 5 -> 16 -> 1;
    pub struct Fraction = HalfKAv2_hm[..] -> 256x2, nonzero 0.05 -> 16 -> 1;
    pub struct Late = HalfKAv2_hm[..] -> 256x2 -> 16 nonzero 5% -> 1;
    pub struct Twice = HalfKAv2_hm[..] -> 256x2 nonzero 5%, nonzero 6% -> 16 -> 1;
    pub struct Without {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2, nonzero;
        output affine(crelu(acc), 1);
    }
}

fn main() {}
