nnue::nnue! {
    pub struct Wrong<T> = HalfKP[..] -> 256x2 -> 1;
}

fn main() {}
