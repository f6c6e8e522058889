nnue::nnue! {
    pub struct Wrong = HalfKAv2_hm[..] -> 1024x3 -> 16 -> 1;
}

fn main() {}
