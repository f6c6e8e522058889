fn lifted(a: i16) -> u8 {
    a.clamp(0, 127) as u8
}

fn bell(y: f32) -> f32 {
    1.0 / (1.0 + y * y)
}

nnue::nnue! {
    pub struct Whole = Chess768[..] -> 64x2 @ 255 self::lifted -> 1: i16;

    pub struct Floats = Chess768[..] -> 64x2 @ 255 pairwise -> 16 bell max 100 -> 1: f32;
}

fn main() {}
