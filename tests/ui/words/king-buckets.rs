nnue::nnue! {
    pub struct Wrong = (768x4 -> 1024)x2 -> 16 -> 1;

    pub struct Attacks = HalfKAv2_hm[attacks] -> 1024x2 -> 16 -> 1;
}

fn main() {}
