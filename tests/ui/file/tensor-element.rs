nnue::nnue! {
    pub struct Wrong = Chess768[..] -> 64x2 -> 16 -> 1 {
        format raw { ft_bias: i32 }
    };

    pub struct NoDivisor = Chess768[..] -> 64x2 -> 16 -> 1 {
        format raw { fc0_bias: i8 @ 100 }
    };

    pub struct Unknown = Chess768[..] -> 64x2 -> 16 screlu -> 1: f32 {
        format raw { fc0_bias: i16 }
    };

    pub struct Weights = Chess768[..] -> 64x2 -> 16 -> 1 {
        format raw { fc0_weight: i8 @ 64, padding: zeros @ 3 }
    };
}

nnue::nnue! {
    pub struct WiderRows = Chess768[..] as i8 -> 64x2 -> 16 -> 1 {
        format raw { order: [ft_weight[..384] as i16, ft_weight[384..], ft_bias, fc0_weight, fc0_bias, fc1_weight, fc1_bias] }
    };

    pub struct ShiftedWeights = Chess768[..] -> 64x2 -> 16 -> 1 {
        format raw { fc0_weight: i8 << 1 }
    };

    pub struct ShiftedFar = Chess768[..] -> 64x2 -> 16 -> 1 {
        format raw { ft_bias: i16 << 40 }
    };

    pub struct RatioOfWeights = Chess768[..] -> 64x2 -> 16 -> 1 {
        format raw { ft_weight: i16 * 127 / 255 }
    };

    pub struct RatioAndShift = Chess768[..] -> 64x2 -> 16 -> 1 {
        format raw { fc0_bias: i16 << 1 * 127 / 255 }
    };

    pub struct SmallRatio = Chess768[..] -> 64x2 -> 16 -> 1 {
        format raw { fc0_bias: i16 * 1 / 255 }
    };

    pub struct ZeroRatio = Chess768[..] -> 64x2 -> 16 -> 1 {
        format raw { fc0_bias: i16 * 127 / 0 }
    };

    pub struct RatioOfLeb128 = Chess768[..] -> 64x2 -> 16 -> 1 {
        format raw { encoding: leb128, fc0_bias: i16 * 127 / 255 }
    };
}

nnue::nnue! {
    pub struct HalfARatio = Chess768[..] -> 64x2 -> 16 -> 1 {
        format raw { fc0_bias: i16 * 127 }
    };
}

fn main() {}
