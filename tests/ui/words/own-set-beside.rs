nnue::nnue! {
    pub struct Beside = self::Checks[128] + PawnPairs[..] -> 256x2 -> 1;
}

fn main() {}
