nnue::nnue! {
    pub struct Wrong = HalfKAv2_hm[..] -> 16384x2 -> 16 -> 1;
}

fn main() {}
