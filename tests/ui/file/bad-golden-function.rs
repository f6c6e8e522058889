nnue::nnue! {
    struct Called = self::Lamps[6] -> 32x2 -> 1 {
        golden self::dark() = 12;
    };

    struct Named = self::Lamps[6] -> 32x2 -> 1 {
        golden dark = 12;
    };
}

fn main() {}
