fn step(y: i32) -> u8 {
    if y < 0 { 0 } else { 100 }
}

nnue::nnue! {
    pub struct TooGreat = Chess768[..] -> 64x2 -> 16 self::step max 128 -> 1;

    pub struct Nothing {
        acc = accumulate(Chess768[..], 64) x 2;
        let h = affine(crelu(acc), 16);
        output affine(step(h) max 0, 1);
    }

    pub struct Shifted = Chess768[..] -> 64x2 -> 16 self::step >> 6 -> 1;

    pub struct OfTheLanguage = Chess768[..] -> 64x2 -> 16 crelu max 100 -> 1;

    pub struct OfALayer {
        acc = accumulate(Chess768[..], 64) x 2;
        output affine(crelu(acc), 1) max 100;
    }

    pub struct Numberless = Chess768[..] -> 64x2 -> 16 self::step max -> 1;
}

fn main() {}
