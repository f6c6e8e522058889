nnue! {
    /// Hobbes, August 2026; the engine has 768 in place of 64
    pub struct Hobbes {
        inputs = Chess768[mirrored, buckets: [
            0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 12, 12, 13, 13, 14, 14, 15, 15, 14, 14, 15, 15,
        ]] + FullThreats[60144] as i8;
        acc = accumulate(inputs, 64 @ 255) x 2;
        x = pairwise(acc);
        stacks 8 by (piece_count - 2) / 4 {
            let y = affine(x, 16: i8 @ 128) >> 8;
            let a1 = concat(clamp(y, 0, 64) << 6, clamp(wrapping_mul(y, y), 0, 4096));
            let a2 = clamp(affine(a1, 32: i32), 0, 1 << 18);
            output affine(a2, 1: i32);
        }
        value output * 400 / 16777216;
        format raw {
            fc0_weight: [input][stack][output], fc0_bias: i32 << 8,
            fc1_weight: [input][stack][output], fc2_weight: [input][stack]
        }
    }
}

nnue! {
    /// Berserk, June 2025; the engine has 1024 in place of 96
    pub struct Berserk {
        inputs = Chess768[mirrored, buckets: [
            3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 11, 10, 9, 8, 13, 13, 12, 12, 13, 13, 12, 12, 15, 15, 14, 14, 15, 15, 14, 14,
        ]];
        acc = accumulate(inputs, 96 @ 4064) x 2;
        let a1 = clamp(affine(crelu(acc) >> 5, 16) >> 5, 0, 32767);
        let a2 = clamp(affine(a1, 32: i16) >> 5, 0, 32767);
        output affine(a2, 1: i16);
        value output >> 12;
        format raw { ft_weight: [input / 64][63 - input % 64][output] }
    }
}

nnue! {
    /// Stormphrax, July 2026; the engine has 1024 in place of 64
    pub struct Stormphrax {
        inputs = Chess704[mirrored, buckets: [
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 8, 9, 10, 11, 12, 12, 13, 13, 12, 12, 13, 13, 14, 14, 15, 15, 14, 14, 15, 15,
        ]] + FullThreats[59808] as i8 + PawnPairs[4560] as i8;
        acc = accumulate(inputs, 64 @ 255) x 2;
        x = pairwise(acc);
        stacks 8 by (piece_count - 2) / 4 {
            let y = affine(x, 32: i8 @ 128) >> 2;
            let a1 = concat(clamp(y, 0, 4096) << 6, min(wrapping_mul(y, y), 1 << 24) >> 6);
            let a2 = clamp(affine(a1 >> 6, 64: i32), 0, 1 << 18) + a1;
            output affine(a2, 1: i32);
        }
        value output * 400 / 16777216;
        format raw {
            order: [
                "CBNF", 1u16, skip 2, 0u8, 5u8, 0u8, 64u16, 0x90u8, 8u8, skip 49,
                ft_weight, ft2_weight, ft1_weight, ft_bias, fc0_weight, fc0_bias, fc1_weight, fc1_bias, fc2_weight, fc2_bias
            ],
            fc0_weight: [stack][input / 4][output][input % 4], fc0_bias: i32 << 2,
            fc1_weight: [stack][input][output]
        }
    }
}

nnue! {
    /// Obsidian, 2026; the engine has 1536 in place of 64
    pub struct Obsidian {
        inputs = Chess768[mirrored, buckets: [0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 9, 10 x 4, 11 x 8, 12 x 8]];
        acc = accumulate(inputs, 64 @ 255) x 2;
        x = pairwise(acc);
        stacks 8 by (piece_count - 2) / 4 {
            let y = affine(x, 16: i8 @ 128 unit 1/16256);
            let z = affine(concat(crelu(y), sqr_crelu(y)), 32: f32);
            output affine(crelu(z), 1: f32 sums 16);
        }
        value output * 400;
        floats fused;
        format raw { fc0_weight: [stack][input][output], fc1_weight: [stack][input][output] }
    }
}

nnue! {
    /// Reckless, 2026; the engine has 768 in place of 64
    pub struct Reckless {
        inputs = Chess768[mirrored, buckets: [0, 1, 2, 3, 4, 5, 6, 7, 8 x 4, 9 x 20]] + FullThreats[66864] as i8;
        acc = accumulate(inputs, 64 @ 255) x 2;
        x = pairwise(acc);
        stacks 8 by [0 x 9, 1 x 4, 2 x 4, 3 x 3, 4 x 3, 5 x 3, 6 x 3, 7 x 4] {
            let y = affine(x, 16: i8 @ 64);
            let z = affine(crelu(y), 32: f32);
            output affine(crelu(z), 1: f32 sums 16);
        }
        value output * 380;
        floats fused;
        format raw {
            order: [
                ft1_weight, ft_weight, ft_bias, fc0_weight, fc0_bias, fc1_weight, fc1_bias, fc2_weight, fc2_bias, align 64
            ],
            fc0_weight: [stack][input / 4][output][input % 4], fc1_weight: [stack][input][output]
        }
    }
}

nnue! {
    /// PlentyChess, 2026; the engine has 1024 in place of 64
    pub struct PlentyChess {
        inputs = Chess768[mirrored, buckets: [0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 9, 10 x 4, 11 x 16]]
            + FullThreats[59808] as i8 + PawnPairs[4560] as i8;
        acc = accumulate(inputs, 64 @ 255) x 2;
        x = pairwise(acc);
        stacks 8 by (piece_count - 2) / 4 {
            let y = affine(x, 16: i8 @ 64);
            let a = concat(crelu(y), sqr_crelu(y));
            let z = affine(a, 32: f32);
            output affine(concat(screlu(z), a), 1: f32 sums 16);
        }
        value output * 287;
        floats fused;
        format raw {
            encoding: leb128,
            order: [
                ft_weight, ft2_weight, ft1_weight, ft_bias, fc0_weight, fc0_bias, fc1_weight, fc1_bias, fc2_weight, fc2_bias
            ],
            fc0_weight: [input][stack][output], fc1_weight: [input][stack][output], fc2_weight: [input][stack]
        }
    }
}

nnue! {
    /// Caissa, 2026; the engine has 1024 in place of 64
    pub struct Caissa {
        inputs = Chess768[mirrored, buckets: [
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
        ]];
        acc = accumulate(inputs, 64 @ 255) x 2;
        stacks 8 by (piece_count - 2) / 4 {
            output affine(screlu(acc), 1: i16);
        }
        value positional / 94;
        format raw {
            order: ["NNSC", 12u32, skip 56, ft_weight, ft_bias, stacks [fc0_weight, fc0_bias, skip 60]],
            fc0_bias: i32
        }
    }
}

nnue! {
    /// Viridithas, 2026; the engine has 1024 in place of 64
    pub struct Viridithas {
        inputs = Chess704[mirrored, buckets: [
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 8, 9, 10, 11, 12, 12, 13, 13, 12, 12, 13, 13, 14, 14, 15, 15, 14, 14, 15, 15,
        ]] + FullThreats[59808] as i8 + PawnPairs[4560] as i8;
        acc = accumulate(inputs, 64 @ 255) x 2;
        x = pairwise(acc);
        stacks 8 by (piece_count - 2) / 4 {
            let y = affine(x, 32: i8 @ 64);
            let a = y * clamp(y + 3.0, 0.0, 6.0) * (1.0 / 6.0);
            let z = affine(a, 64: f32);
            let gate = z[..32];
            let b = gate * clamp(gate + 3.0, 0.0, 6.0) * (1.0 / 6.0) * z[32..] + a;
            output affine(b, 1: f32 sums 16);
        }
        value output * 240;
        floats fused;
        format raw {
            order: [
                ft2_weight, ft1_weight, ft_weight, ft_bias, fc0_weight, fc0_bias, fc1_weight, fc1_bias, fc2_weight, fc2_bias
            ],
            fc0_weight: [input][stack][output], fc1_weight: [input][stack][output], fc2_weight: [input][stack]
        }
    }
}
