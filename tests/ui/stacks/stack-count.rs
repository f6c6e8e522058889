nnue::nnue! {
    pub struct Wrong = HalfKP[..] -> 256x2 -> (16 -> 1)x33;
}

fn main() {}
