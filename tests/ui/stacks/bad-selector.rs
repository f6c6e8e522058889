nnue::nnue! {
    pub struct First = HalfKP[..] -> 256x2 -> (16 -> 1)x8 by king_file / 4;

    pub struct Second = HalfKP[..] -> 256x2 -> (16 -> 1)x8 by piece_count - 1 / 4;

    pub struct Third = HalfKP[..] -> 256x2 -> (16 -> 1)x8 by (piece_count - 1);
}

fn main() {}
