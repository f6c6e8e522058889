nnue::nnue! {
    pub struct Wrong = HalfKAv2_hm[..] as i8 -> 1024x2 -> 1;
}

fn main() {}
