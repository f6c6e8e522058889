nnue::nnue! {
    pub struct Wrong = HalfKP[..] -> 256x2 -> 16: i16 -> 1;
}

fn main() {}
