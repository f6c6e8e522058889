nnue::nnue! {
    pub struct Wrong = HalfKP[..] -> 256x2 -> 16 -> 1 by (piece_count - 1) / 4;
}

fn main() {}
