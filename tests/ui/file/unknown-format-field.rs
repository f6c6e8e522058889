nnue::nnue! {
    pub struct Wrong = HalfKP[..] -> 256x2 -> 1 { format stockfish { versoin: 0x7AF32F20 } };
}

fn main() {}
