nnue::nnue! {
    pub struct Wrong = Chess768[..] -> 64x2 -> 16 -> 1 {
        format raw { order: [ft_weight, ft_bias, fc0_weight, fc0_bias, fc1_weight] }
    };
}

nnue::nnue! {
    pub struct OtherWord = Chess768[..] -> 64x2 -> 16 -> 1 { format raw { rows: enemy } };
}

nnue::nnue! {
    pub struct OtherSet = HalfKP[..] -> 64x2 -> 16 -> 1 { format raw { rows: enemy_first } };
}

fn main() {}
