nnue::nnue! {
    pub struct Wrong = HalfKP[..] -> 256x2 -> 1 { format stockfish { version: 0x17AF32F20 } };
}

fn main() {}
