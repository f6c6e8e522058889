nnue::nnue! {
    pub struct Twice = HalfKAv2_hm[..] -> 256x2 white_first, psqt 8, white_first -> (16 -> 1)x8;
    pub struct Late = HalfKAv2_hm[..] -> 256x2 -> 16 white_first -> 1;
    pub struct Comma = HalfKAv2_hm[..] -> 256x2, white -> 16 -> 1;
}

fn main() {}
