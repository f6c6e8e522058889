nnue::nnue! {
    pub struct Wrong = HalfKP[..] -> 256x2 -> (16 -> 32)x8 -> 1;
}

fn main() {}
