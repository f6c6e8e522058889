nnue::nnue! {
    pub struct Wrong = HalfKP[..] -> 256x2 -> (16 -> 1)x8 by piece_count / 4;
}

fn main() {}
