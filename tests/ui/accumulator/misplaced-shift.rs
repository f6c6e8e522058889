nnue::nnue! {
    pub struct Wrong = HalfKAv2_hm[..] -> 1024x2 crelu >> 1 -> 16 -> 1;
}

fn main() {}
