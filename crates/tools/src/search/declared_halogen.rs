nnue! {
    /// Halogen, July 2026; the engine has 768 in place of 64
    pub struct Halogen {
        acc = accumulate(self::HalogenInputs[86000], 64 @ 255) x 2;
        x = pairwise(acc);
        stacks 8 by self::by_pieces {
            let y = affine(x, 16: i8 bias i32) as f32 * (1.0 / 8128.0);
            let z = affine(concat(clamp(y, 0, 1), min(y * y, 1)), 32: f32);
            output affine(crelu(z), 1: f32 sums 32);
        }
        value output * 192.5;
        floats fused;
        format raw {
            order: [
                ft_weight[..6144], ft_weight[6144..] as i8, ft_bias,
                fc0_weight, fc0_bias, fc1_weight, fc1_bias, fc2_weight, fc2_bias
            ],
            fc0_weight: i16, fc0_bias: i16 * 127 / 255
        }
    }
}
