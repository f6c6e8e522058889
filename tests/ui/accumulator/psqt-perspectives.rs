nnue::nnue! {
    pub struct Wrong = HalfKAv2_hm[..] -> 1024, psqt 8 -> (16 -> 1)x8;
}

fn main() {}
