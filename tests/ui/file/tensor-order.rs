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

nnue::nnue! {
    pub struct InStacks = Chess768[..] -> 64x2 @ 255 screlu -> 1x8: i16 by material_count {
        format raw { order: [stacks [ft_weight, fc0_weight, fc0_bias], ft_bias] }
    };
}

nnue::nnue! {
    pub struct NoType = Chess768[..] -> 64x2 @ 255 screlu -> 1: i16 {
        format raw { order: ["NNSC", 12, ft_weight, ft_bias, fc0_weight, fc0_bias] }
    };
}

nnue::nnue! {
    pub struct OtherNumbers = Chess768[..] -> 64x2 @ 255 screlu -> 1: i16 { format raw { encoding: blocks } };
}

fn main() {}
