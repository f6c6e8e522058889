use nnue::Color;

fn by_color(color: Color) -> usize {
    color.index()
}

nnue::nnue! {
    pub struct ByColor = Chess768[..] -> 32x2 -> (16 -> 1)x2 by self::by_color;
}

fn main() {}
