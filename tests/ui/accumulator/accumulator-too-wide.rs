nnue::nnue! {
    pub struct Wrong = HalfKAv2_hm[..] -> 32768x2 -> 16 -> 1;
}

fn main() {}
