nnue::nnue! {
    pub struct Wrong = Chess768[..] -> 64x2 -> 16 -> 1 {
        golden "8/8/8/8/8/8/8/K1k6 w - - 0 1" = 60;
    };
}

fn main() {}
