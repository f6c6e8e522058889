nnue::nnue! {
    pub struct Wrong = HalfKAv2_hm[..] -> 1024x2 @ 4096 pairwise -> 16 -> 1;
}

fn main() {}
