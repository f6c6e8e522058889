nnue::nnue! {
    pub struct Wrong = HalfKAv2_hm[all] -> 1024x2 -> 1;
}

fn main() {}
