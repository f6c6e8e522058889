nnue::nnue! {
    pub struct Missing = HalfKAv2_hm[..] + Threats[..] -> 64x2 -> 1;

    pub struct Superfluous = HalfKAv2_hm[..] + FullThreats[59808](P: NR) -> 64x2 -> 1;

    pub struct NoColon = HalfKAv2_hm[..] + Threats[..](P NR) -> 64x2 -> 1;

    pub struct NoPieces = HalfKAv2_hm[..] + Threats[..](P: , N: PN) -> 64x2 -> 1;

    pub struct Several = HalfKAv2_hm[..] + Threats[..](BR: PN) -> 64x2 -> 1;
}

fn main() {}
