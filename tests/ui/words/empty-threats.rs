nnue::nnue! {
    pub struct Wrong = HalfKAv2_hm[..] + Threats[..]() -> 64x2 -> 1;
}

fn main() {}
