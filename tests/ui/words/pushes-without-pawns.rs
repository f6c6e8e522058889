nnue::nnue! {
    pub struct Wrong = HalfKAv2_hm[..] + Threats[..](P: NR, pushes) -> 64x2 -> 1;
}

fn main() {}
