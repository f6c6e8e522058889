nnue::nnue! {
    pub struct Wrong = HalfKP[..] + PawnPairs[..] + FullThreats[59808] + PawnPairs[4560] -> 256x2 -> 1;
}

fn main() {}
