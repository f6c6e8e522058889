nnue::nnue! {
    pub struct Wrong = Chess768[..] -> 64x2 -> 16 screlu -> 1;
}

fn main() {}
