nnue::nnue! {
    pub struct Wrong = HalfKP[..] -> 256x2 select -> 1;
}

fn main() {}
