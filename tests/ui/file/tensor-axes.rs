nnue::nnue! {
    pub struct Wrong = Chess768[..] -> 64x2 -> 16 -> 1 {
        format raw { fc0_weight: [input] }
    };
}

fn main() {}
