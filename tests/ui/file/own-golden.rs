nnue::nnue! {
    pub struct OfChess = Chess768[..] -> 32x2 -> 1 {
        golden self::opening = -1200;
    };
}

fn main() {}
