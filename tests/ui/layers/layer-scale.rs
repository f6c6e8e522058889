nnue::nnue! {
    pub struct Wrong = HalfKP[..] -> 256x2 -> 16 @ 100 -> 1;
}

fn main() {}
