pub struct Lamps;

nnue::nnue! {
    pub struct NotASet = self::Lamps[6] -> 32x2 -> 1;
}

fn main() {}
