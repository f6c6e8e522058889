nnue::nnue! {
    pub struct Wrong = HalfKP[..] -> 256x2 -> 1 { format stockfish { encoding: leb } };
}

fn main() {}
