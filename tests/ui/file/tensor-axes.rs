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

nnue::nnue! {
    pub struct PaddedOutputs = Chess768[..] -> 64x2 @ 255 pairwise -> 16 -> 1 {
        format raw { fc0_weight: [output to 32][input] }
    };

    pub struct PaddedWords = Chess768[..] -> 64x2 @ 255 screlu -> 1: i16 {
        format raw { fc0_weight: [input to 32] }
    };

    pub struct PaddedToOne = Chess768[..] -> 64x2 @ 255 pairwise -> 16 -> 1 {
        format raw { fc0_weight: [output][input to 1] }
    };

    pub struct PaddedParts = Chess768[..] -> 64x2 @ 255 pairwise -> 16 -> 1 {
        format raw { fc0_weight: [input / 4 to 32][output][input % 4] }
    };

    pub struct RowsWithAxes = Chess768[..] -> 64x2 @ 255 screlu -> 1: i16 {
        format raw { order: [ft_weight[..384], ft_weight[384..], ft_bias, fc0_weight, fc0_bias], ft_weight: [output][input] }
    };
}

fn main() {}
