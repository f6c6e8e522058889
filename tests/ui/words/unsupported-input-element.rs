nnue::nnue! {
    pub struct Wrong = HalfKAv2_hm[..] as i8 -> 1024x2 -> 16 -> 1;

    pub struct Pairs = HalfKAv2_hm[..] + PawnPairs[..] as i16 -> 1024x2 -> 16 -> 1;
}

fn main() {}
