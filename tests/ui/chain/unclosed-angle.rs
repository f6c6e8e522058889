nnue::nnue! {
    pub struct Wrong = < HalfKAv2_hm[..] -> 1024x2 -> 16 -> 32 -> 1;
}

fn main() {}
