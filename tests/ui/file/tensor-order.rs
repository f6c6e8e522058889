nnue::nnue! {
    pub struct Wrong = Chess768[..] -> 64x2 -> 16 -> 1 {
        format raw { order: [ft_weight, ft_bias, fc0_weight, fc0_bias, fc1_weight] }
    };
}

fn main() {}
