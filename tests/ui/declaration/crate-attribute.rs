nnue::nnue! {
    #[nnue(krate = ::nnue)]
    pub struct Wrong = HalfKP[..] -> 256x2 -> 1;
}

fn main() {}
