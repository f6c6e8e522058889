nnue::nnue! {
    pub struct Order = FullThreats[59808] + HalfKAv2_hm[..] -> 256x2 -> 1;

    pub struct Alone = PawnPairs[..] -> 256x2 -> 1;
}

fn main() {}
