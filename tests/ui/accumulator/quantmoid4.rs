nnue::nnue! {
    pub struct Scale = Chess768[..] -> 64x2 @ 255 quantmoid4 -> 16 -> 1;
    pub struct Shifted = Chess768[..] -> 64x2 quantmoid4 >> 1 -> 16 -> 1;
    pub struct Whole = Chess768[..] -> 64x2 quantmoid4 -> 1: i16;
    pub struct Floats = Chess768[..] -> 64x2 -> 16 quantmoid4 -> 1: f32;
    pub struct Uneven = Chess768[..] -> 64x2 -> 16: i8 @ 100 quantmoid4 -> 1;
}

fn main() {}
