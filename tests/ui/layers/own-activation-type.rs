fn of_accumulators(a: i16) -> u8 {
    a.clamp(0, 100) as u8
}

fn of_sums(y: i32) -> u8 {
    y.clamp(0, 100) as u8
}

const STEPS: u32 = 5;

nnue::nnue! {
    struct Accumulators = Chess768[..] -> 64x2 @ 255 self::of_sums max 100 -> 16 -> 1;
    struct Sums = Chess768[..] -> 64x2 -> 16 self::of_accumulators -> 1;
    struct Floats = Chess768[..] -> 64x2 @ 255 pairwise -> 16 self::of_sums -> 1: f32;
    struct Constant {
        acc = accumulate(Chess768[..], 64) x 2;
        let h1 = affine(crelu(acc), 16);
        output affine(self::STEPS(h1), 1);
    }
}

fn main() {}
