pub struct Lamps;

nnue::nnue! {
    pub struct Wrong = self::Lamps[6, active 6] -> 32x2 -> 1;
}

fn main() {}
