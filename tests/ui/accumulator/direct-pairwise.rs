nnue::nnue! {
    pub struct Narrow = (768 -> 96)x2 @ 255 pairwise -> 1: i16;
    pub struct Shifted = (768 -> 128)x2 @ 255 pairwise >> 9 -> 1: i16;
    pub struct Squares = (768 -> 128)x2 @ 255 sqr_crelu -> 1: i16;
}

fn main() {}
