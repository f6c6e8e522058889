nnue::nnue! {
    pub struct Wrong = HalfKAv2_hm[..] -> 1024x2 quantmoid4 >> 1 -> 16 -> 1;
}

fn main() {}
