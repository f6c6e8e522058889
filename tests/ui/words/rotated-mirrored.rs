nnue::nnue! {
    pub struct Twice = Chess768[rotated, mirrored] -> 128x2 -> 1;
}

fn main() {}
