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

nnue::nnue! {
    pub struct RowsLeft = Chess768[..] -> 64x2 @ 255 screlu -> 1: i16 {
        format raw { order: [ft_weight[..384], ft_weight[400..], ft_bias, fc0_weight, fc0_bias] }
    };
}

nnue::nnue! {
    pub struct RowsTwice = Chess768[..] -> 64x2 @ 255 screlu -> 1: i16 {
        format raw { order: [ft_weight[..384], ft_weight[380..], ft_bias, fc0_weight, fc0_bias] }
    };
}

nnue::nnue! {
    pub struct RowsTooMany = Chess768[..] -> 64x2 @ 255 screlu -> 1: i16 {
        format raw { order: [ft_weight[..384], ft_weight[384..800], ft_bias, fc0_weight, fc0_bias] }
    };
}

nnue::nnue! {
    pub struct NoRows = Chess768[..] -> 64x2 @ 255 screlu -> 1: i16 {
        format raw { order: [ft_weight, ft_weight[384..384], ft_bias, fc0_weight, fc0_bias] }
    };
}

nnue::nnue! {
    pub struct RowsOfALayer = Chess768[..] -> 64x2 @ 255 screlu -> 1: i16 {
        format raw { order: [ft_weight, ft_bias, fc0_weight[..1], fc0_bias] }
    };
}

nnue::nnue! {
    pub struct RowsFromOneNumber = Chess768[..] -> 64x2 @ 255 screlu -> 1: i16 {
        format raw { order: [ft_weight[384], ft_bias, fc0_weight, fc0_bias] }
    };
}

nnue::nnue! {
    pub struct RowsOfTheEnemy = Chess768[..] -> 64x2 @ 255 screlu -> 1: i16 {
        format raw { order: [ft_weight[..384], ft_weight[384..], ft_bias, fc0_weight, fc0_bias], rows: enemy_first }
    };
}

nnue::nnue! {
    pub struct EmptyBlock = Chess768[..] -> 64x2 @ 255 screlu -> 1: i16 {
        format raw { order: [ft_weight, ft_bias, fc0_weight, fc0_bias, leb128 []] }
    };
}

nnue::nnue! {
    pub struct BlockWithoutTensors = Chess768[..] -> 64x2 @ 255 screlu -> 1: i16 {
        format raw { order: [ft_weight, ft_bias, fc0_weight, fc0_bias, leb128] }
    };
}

nnue::nnue! {
    pub struct SkipInABlock = Chess768[..] -> 64x2 @ 255 screlu -> 1: i16 {
        format raw { order: [leb128 [ft_weight, skip 4], ft_bias, fc0_weight, fc0_bias] }
    };
}

nnue::nnue! {
    pub struct BlockInStacks = Chess768[..] -> 64x2 @ 255 screlu -> 1x8: i16 {
        format raw { order: [ft_weight, ft_bias, stacks [leb128 [fc0_weight], fc0_bias]] }
    };
}

nnue::nnue! {
    pub struct TwoTexts = Chess768[..] -> 64x2 @ 255 screlu -> 1: i16 {
        format raw { order: [text, ft_weight, text, ft_bias, fc0_weight, fc0_bias] }
    };
}

nnue::nnue! {
    pub struct TextAfterAlign = Chess768[..] -> 64x2 @ 255 screlu -> 1: i16 {
        format raw { order: [align 64, text, ft_weight, ft_bias, fc0_weight, fc0_bias] }
    };
}

nnue::nnue! {
    pub struct TextInStacks = Chess768[..] -> 64x2 @ 255 screlu -> 1x8: i16 {
        format raw { order: [ft_weight, ft_bias, stacks [text, fc0_weight, fc0_bias]] }
    };
}

fn main() {}
