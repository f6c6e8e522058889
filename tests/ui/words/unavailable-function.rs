nnue::nnue! {
    pub struct Wrong = HalfKP[..] -> 256x2 relu -> 1;
}

fn main() {}
