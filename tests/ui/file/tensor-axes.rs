nnue::nnue! {
    pub struct Wrong = Chess768[..] -> 64x2 -> 16 -> 1 {
        format raw { fc0_weight: [input] }
    };
}

nnue::nnue! {
    pub struct LeftOut = Chess768[..] -> 64x2 @ 255 pairwise -> 16 -> 1 {
        format raw { fc0_weight: [input / 4][output] }
    };
}

nnue::nnue! {
    pub struct Unnamed = Chess768[..] -> 64x2 @ 255 pairwise -> 16 -> 1 {
        format raw { fc0_weight: [input / 4][output][4] }
    };
}

fn main() {}
