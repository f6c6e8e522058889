nnue::nnue! {
    pub struct First = HalfKAv2_hm[..] -> 1024x2 @ 255 -> 16 -> 1;

    pub struct Second = HalfKAv2_hm[..] -> 1024x2 @ 255 pairwise >> 7 -> 16 -> 1;
}

fn main() {}
