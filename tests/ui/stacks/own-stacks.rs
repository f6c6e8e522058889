nnue::nnue! {
    pub struct Unsaid = self::Lamps[6] -> 32x2 -> (16 -> 1)x4;

    pub struct Counted = self::Lamps[6] -> 32x2 -> (16 -> 1)x4 by (piece_count - 1) / 8;
}

fn main() {}
