nnue::nnue! {
    pub struct Wrong = HalfKP[..] -> 256x2 -> 16 crelu >> 32 -> 1;
}

fn main() {}
