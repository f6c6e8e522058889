nnue::nnue! {
    pub struct Alone = 768 -> 256 separate -> 16 -> 1 { format raw };
    pub struct Difference = HalfKAv2_hm[..] -> 256x2 separate, psqt 8 -> (16 -> 1)x8 { format raw };
    pub struct Container = (768 -> 256)x2 separate -> 16 -> 1;
    pub struct Late = (768 -> 256)x2 -> 16 separate -> 1 { format raw };
    pub struct Twice = (768 -> 256)x2 separate, separate -> 16 -> 1 { format raw };
}

fn main() {}
