nnue::nnue! {
    pub struct Wrong = HalfKP[..] -> 256x2 screlu -> 1;
}

fn main() {}
