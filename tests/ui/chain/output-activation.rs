nnue::nnue! {
    pub struct Wrong = HalfKP[..] -> 256x2 -> 32 -> 1 crelu;
}

fn main() {}
