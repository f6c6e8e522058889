nnue::nnue! {
    pub struct Wrong = HalfKP[..] + HalfKAv2[..] -> 256x2 -> 1;
}

fn main() {}
