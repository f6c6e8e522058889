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

fn main() {}
