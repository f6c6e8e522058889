nnue::nnue! {
    pub struct Wrong = HalfKAv2_hm[..] -> 1024x2, psqt 4 -> (16 -> 1)x8;
}

fn main() {}
