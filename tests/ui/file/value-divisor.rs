nnue::nnue! {
    pub struct Wrong = HalfKP[..] -> 256x2 -> 1 { value positional / 0; };
}

fn main() {}
