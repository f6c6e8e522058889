nnue! {
    /// Pikafish, 2026; the engine has 1024 in place of 64
    pub struct Pikafish {
        acc = accumulate(self::Xiangqi[62083, active 160] as i8, 64 @ 255) x 2, psqt 16;
        let x = pairwise(acc);
        stacks 16 by self::by_stack {
            let h1 = affine(x, 32: i8 @ 128);
            let a1 = concat(sqr_crelu(h1), crelu(h1));
            let h2 = affine(a1, 32);
            output (affine(concat(a1, sqr_crelu(h2), crelu(h2)), 1) + h1[30] - h1[31]) as i64 * 9600 / 16384;
        }
        value psqt / 16 + positional / 16;
        format raw {
            order: [
                0x6A448AFAu32, skip 4, text, skip 4,
                leb128 [ft_bias],
                ft_weight[16536..], leb128 [ft_psqt[16536..]],
                ft_weight[..16536], leb128 [ft_psqt[..16536]],
                stacks [skip 4, fc0_bias, fc0_weight, fc1_bias, fc1_weight, fc2_bias, fc2_weight]
            ]
        }
    }
}

nnue! {
    /// YaneuraOu, 2026, `SFNN_halfkahm2_64_15_32_k3k3`
    pub struct YaneuraOuByKings {
        acc = accumulate(self::HalfKaHm2[73305, active 40], 64 @ 254) x 2;
        let x = pairwise(acc);
        stacks 9 by self::by_stack {
            let h1 = affine(x, 16);
            let h2 = affine(concat(sqr_crelu(h1[..15]), crelu(h1[..15])), 32);
            output affine(crelu(h2), 1) + h1[15];
        }
        value positional / 16;
        format raw {
            order: [
                0x7AF32F16u32, skip 4, text, 0x5F134AB8u32, leb128 [ft_bias], leb128 [ft_weight],
                stacks [0x6333718Au32, fc0_bias, fc0_weight, fc1_bias, fc1_weight, fc2_bias, fc2_weight]
            ],
            ft_weight: i16 << 1, ft_bias: i16 << 1, fc1_weight: [output][input to 32]
        }
    }
}

nnue! {
    /// YaneuraOu, 2026, `SFNN_ka2_256_7_64_c128_s64x2_hand4_k9k9z_progress4`
    pub struct YaneuraOuByProgress {
        acc = accumulate(self::KingAndAll[1791, active 42], 256 @ 254) x 2;
        let x = pairwise(acc);
        stacks 1296 by self::by_stack {
            let h1 = affine(x, 8, shards 2 of 64);
            let h2 = affine(concat(sqr_crelu(h1[..7]), crelu(h1[..7])), 64);
            output affine(crelu(h2), 1) + h1[7];
        }
        value positional / 16;
        format raw {
            order: [
                0x7AF32F16u32, skip 4, text, 0x5F134AB8u32, leb128 [ft_bias], leb128 [ft_weight],
                0x6F50524Fu32, skip 501556,
                stacks [0x6333718Au32, fc0_bias, fc0_weight, fc1_bias, fc1_weight, fc2_bias, fc2_weight]
            ],
            ft_weight: i16 << 1, ft_bias: i16 << 1, fc1_weight: [output][input to 32]
        }
    }
}

nnue! {
    /// YaneuraOu, 2026, `SFNN_ka2_64_8_32_hand64z`
    pub struct YaneuraOuByHands {
        acc = accumulate(self::KingAndAll[1791, active 42], 64 @ 254) x 2;
        let x = pairwise(acc);
        stacks 64 by self::by_stack {
            let h1 = affine(x, 8);
            let h2 = affine(concat(sqr_crelu(h1), crelu(h1)), 32);
            output affine(crelu(h2), 1);
        }
        value positional / 16;
        format raw {
            order: [
                0x7AF32F16u32, skip 4, text, 0x5F134AB8u32, leb128 [ft_bias], leb128 [ft_weight],
                stacks [0x6333718Au32, fc0_bias, fc0_weight, fc1_bias, fc1_weight, fc2_bias, fc2_weight]
            ],
            ft_weight: i16 << 1, ft_bias: i16 << 1, fc1_weight: [output][input to 32]
        }
    }
}
