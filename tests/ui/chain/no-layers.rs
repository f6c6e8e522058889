nnue::nnue! {
    pub struct Wrong = HalfKP[..] -> 256x2;
}

fn main() {}
