nnue::nnue! {
    pub struct Wrong = HalfKP[..] -> 256x2 -> 0 -> 1;
}

fn main() {}
