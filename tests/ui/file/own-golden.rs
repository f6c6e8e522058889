nnue::nnue! {
    pub struct OfRows = self::Lamps[6] -> 32x2 -> 1 {
        golden "8/8/4k3/8/8/3QK3/8/8 b - - 0 1" = -1200;
    };
}

fn main() {}
