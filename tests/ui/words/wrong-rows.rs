nnue::nnue! {
    pub struct Wrong = HalfKAv2_hm[22529] -> 1024x2 -> 1;
}

fn main() {}
