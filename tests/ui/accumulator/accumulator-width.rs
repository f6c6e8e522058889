nnue::nnue! {
    pub struct Wrong = HalfKAv2_hm[..] -> 1000x2 -> 16 -> 1;
}

fn main() {}
