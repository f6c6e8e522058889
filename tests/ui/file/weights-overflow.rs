nnue::nnue! {
    pub struct Wrong = Chess768[..] -> 32x2 -> 1 { weights "nets/overflowing.nnue"; };
}

fn main() {}
