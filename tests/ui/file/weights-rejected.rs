nnue::nnue! {
    pub struct Wrong = Chess768[..] -> 32x2 -> 1 { weights "nets/picture.png"; };
}

fn main() {}
