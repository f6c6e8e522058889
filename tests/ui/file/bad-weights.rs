nnue::nnue! {
    pub struct Wrong = HalfKP[..] -> 256x2 -> 1 { weights nets/mine.nnue; };
}

fn main() {}
