nnue::nnue! {
    pub struct Unsaid = self::Lamps[..] -> 32x2 -> 1;

    pub struct None = self::Lamps[0] -> 32x2 -> 1;

    pub struct TooMany = self::Lamps[6, active 7] -> 32x2 -> 1;
}

fn main() {}
