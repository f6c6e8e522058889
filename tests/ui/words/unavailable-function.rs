nnue::nnue! {
    pub struct Wrong = HalfKP[..] -> 256x2 mul -> 1;
}

fn main() {}
