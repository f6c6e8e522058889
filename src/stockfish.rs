//! Stockfish's networks, declared with [`nnue!`](crate::nnue!) like any others: SFNNv1 to SFNNv16
//! and the small network.
//!
//! A file does not always identify its generation. The hashes and sizes are the same for SFNNv4 and
//! SFNNv5, and for the small networks of different scales. (SFNNv10, v11 and v12 have the same
//! hashes but different sizes, and so have v13, v14, v14.1 and v15.) [`ALL`] lists the declarations
//! for recognition, [`visit`] finds a type by its name.

use crate::spec::NetDesc;
use crate::{Architecture, Model, nnue};

nnue! {
    /// SFNNv1, of Stockfish 12 and 13: clipped ReLU everywhere, no PSQT.
    pub struct Sfnnv1 = HalfKP[41024] -> 256x2 -> 32 -> 32 -> 1 {
        format stockfish { version: 0x7AF32F16, encoding: raw };
        value positional / 16;
    };

    /// SFNNv2, of June 2021: both kings are features, PSQT outputs, eight stacks.
    pub struct Sfnnv2 = HalfKAv2[45056] -> 512x2, psqt 8 -> (16 -> 32 -> 1)x8;

    /// SFNNv3, of Stockfish 14.1: the board is mirrored so that the side's own king is on files e to h.
    pub struct Sfnnv3 = HalfKAv2_hm[22528] -> 1024x2, psqt 8 -> (8 -> 32 -> 1)x8;

    /// SFNNv4, of Stockfish 15: the halves of the accumulator are multiplied, and one neuron is
    /// added to the output directly.
    pub struct Sfnnv4 {
        acc = accumulate(HalfKAv2_hm[22528], 1024) x 2, psqt 8;
        stacks 8 by (piece_count - 1) / 4 {
            let h1 = affine(pairwise(acc), 16);
            let h2 = affine(crelu(h1[..15]), 32);
            output affine(crelu(h2), 1) + h1[15] * 9600 / 8128;
        }
        format stockfish { version: 0x7AF32F20, encoding: raw };
    }

    /// SFNNv5, of Stockfish 15.1: the first layer's sums are squared, too.
    pub struct Sfnnv5 {
        acc = accumulate(HalfKAv2_hm[22528], 1024) x 2, psqt 8;
        stacks 8 by (piece_count - 1) / 4 {
            let h1 = affine(pairwise(acc), 16);
            let h2 = affine(concat(sqr_crelu(h1[..15]), crelu(h1[..15])), 32);
            output affine(crelu(h2), 1) + h1[15] * 9600 / 8128;
        }
        format stockfish { version: 0x7AF32F20, encoding: raw };
    }

    /// SFNNv6, of Stockfish 16. Files before June 2023 are raw, later ones LEB128; both can be
    /// read.
    pub struct Sfnnv6 {
        acc = accumulate(HalfKAv2_hm[22528], 1536) x 2, psqt 8;
        stacks 8 by (piece_count - 1) / 4 {
            let h1 = affine(pairwise(acc), 16);
            let h2 = affine(concat(sqr_crelu(h1[..15]), crelu(h1[..15])), 32);
            output affine(crelu(h2), 1) + h1[15] * 9600 / 8128;
        }
        format stockfish { version: 0x7AF32F20, encoding: leb128 };
    }

    /// SFNNv7, of July 2023.
    pub struct Sfnnv7 {
        acc = accumulate(HalfKAv2_hm[22528], 2048) x 2, psqt 8;
        stacks 8 by (piece_count - 1) / 4 {
            let h1 = affine(pairwise(acc), 16);
            let h2 = affine(concat(sqr_crelu(h1[..15]), crelu(h1[..15])), 32);
            output affine(crelu(h2), 1) + h1[15] * 9600 / 8128;
        }
        format stockfish { version: 0x7AF32F20, encoding: leb128 };
    }

    /// SFNNv8, of Stockfish 16.1.
    pub struct Sfnnv8 {
        acc = accumulate(HalfKAv2_hm[22528], 2560) x 2, psqt 8;
        stacks 8 by (piece_count - 1) / 4 {
            let h1 = affine(pairwise(acc), 16);
            let h2 = affine(concat(sqr_crelu(h1[..15]), crelu(h1[..15])), 32);
            output affine(crelu(h2), 1) + h1[15] * 9600 / 8128;
        }
        format stockfish { version: 0x7AF32F20, encoding: leb128 };
    }

    /// SFNNv9, of Stockfish 17.
    pub struct Sfnnv9 {
        acc = accumulate(HalfKAv2_hm[22528], 3072) x 2, psqt 8;
        stacks 8 by (piece_count - 1) / 4 {
            let h1 = affine(pairwise(acc), 16);
            let h2 = affine(concat(sqr_crelu(h1[..15]), crelu(h1[..15])), 32);
            output affine(crelu(h2), 1) + h1[15] * 9600 / 8128;
        }
        format stockfish { version: 0x7AF32F20, encoding: leb128 };
        value psqt / 16 + positional / 16;
    }

    /// SFNNv10, of Stockfish 18: adds features for attacks between pieces. Files before December
    /// 2025 store the threat weights as LEB128, later ones as bytes; both can be read.
    pub struct Sfnnv10 {
        inputs = HalfKAv2_hm[22528] as i16 + FullThreats[79856] as i8;
        acc = accumulate(inputs, 1024 @ 255) x 2, psqt 8;
        stacks 8 by (piece_count - 1) / 4 {
            let h1 = affine(pairwise(acc), 16);
            let h2 = affine(concat(sqr_crelu(h1[..15]), crelu(h1[..15])), 32);
            output affine(crelu(h2), 1) + h1[15] * 9600 / 8128;
        }
        format stockfish { version: 0x7AF32F20, encoding: leb128_joint_psqt, features: 0x8F234CB8 };
        value psqt / 16 + positional / 16;
    }

    /// SFNNv11, of 2026: without the features of attacks on kings.
    pub struct Sfnnv11 {
        inputs = HalfKAv2_hm[22528] as i16 + FullThreats[66864] as i8;
        acc = accumulate(inputs, 1024 @ 255) x 2, psqt 8;
        stacks 8 by (piece_count - 1) / 4 {
            let h1 = affine(pairwise(acc), 16);
            let h2 = affine(concat(sqr_crelu(h1[..15]), crelu(h1[..15])), 32);
            output affine(crelu(h2), 1) + h1[15] * 9600 / 8128;
        }
        format stockfish { version: 0x7AF32F20, encoding: leb128_joint_psqt, features: 0x8F234CB8 };
        value psqt / 16 + positional / 16;
    }

    /// SFNNv12: also without the features of attacks by kings.
    pub struct Sfnnv12 {
        inputs = HalfKAv2_hm[22528] as i16 + FullThreats[60144] as i8;
        acc = accumulate(inputs, 1024 @ 255) x 2, psqt 8;
        stacks 8 by (piece_count - 1) / 4 {
            let h1 = affine(pairwise(acc), 16);
            let h2 = affine(concat(sqr_crelu(h1[..15]), crelu(h1[..15])), 32);
            output affine(crelu(h2), 1) + h1[15] * 9600 / 8128;
        }
        format stockfish { version: 0x7AF32F20, encoding: leb128_joint_psqt, features: 0x8F234CB8 };
        value psqt / 16 + positional / 16;
    }

    /// SFNNv13: twice the neurons in the first layer. The hash of its files changed in February
    /// 2026; both can be read.
    pub struct Sfnnv13 {
        inputs = HalfKAv2_hm[22528] as i16 + FullThreats[60144] as i8;
        acc = accumulate(inputs, 1024 @ 255) x 2, psqt 8;
        stacks 8 by (piece_count - 1) / 4 {
            let h1 = affine(pairwise(acc), 32);
            let h2 = affine(concat(sqr_crelu(h1[..31]), crelu(h1[..31])), 32);
            output affine(crelu(h2), 1) + h1[31] * 9600 / 8128;
        }
        format stockfish { version: 0x7AF32F20, encoding: leb128_joint_psqt };
        value psqt / 16 + positional / 16;
    }

    /// SFNNv14: a pawn directly ahead of another counts as attacked by it.
    pub struct Sfnnv14 {
        inputs = HalfKAv2_hm[22528] as i16 + FullThreats[60720] as i8;
        acc = accumulate(inputs, 1024 @ 255) x 2, psqt 8;
        stacks 8 by (piece_count - 1) / 4 {
            let h1 = affine(pairwise(acc), 32);
            let h2 = affine(concat(sqr_crelu(h1[..31]), crelu(h1[..31])), 32);
            output affine(crelu(h2), 1) + h1[31] * 9600 / 8128;
        }
        format stockfish { version: 0x7AF32F20, encoding: leb128_joint_psqt };
        value psqt / 16 + positional / 16;
    }

    /// SFNNv14.1: the first layer has scale 128, and the whole sum is scaled in 64 bits.
    pub struct Sfnnv14_1 {
        inputs = HalfKAv2_hm[22528] as i16 + FullThreats[60720] as i8;
        acc = accumulate(inputs, 1024 @ 255) x 2, psqt 8;
        stacks 8 by (piece_count - 1) / 4 {
            let h1 = affine(pairwise(acc), 32: i8 @ 128);
            let h2 = affine(concat(sqr_crelu(h1[..31]), crelu(h1[..31])), 32);
            output (affine(crelu(h2), 1) + h1[31]) as i64 * 9600 / 16384;
        }
        format stockfish { version: 0x6A448AFA, encoding: leb128 };
        value psqt / 16 + positional / 16;
    }

    /// SFNNv15: all neurons are activated, and the last layer reads both layers.
    pub struct Sfnnv15 {
        inputs = HalfKAv2_hm[22528] as i16 + FullThreats[60720] as i8;
        acc = accumulate(inputs, 1024 @ 255) x 2, psqt 8;
        stacks 8 by (piece_count - 1) / 4 {
            let h1 = affine(pairwise(acc), 32: i8 @ 128);
            let a1 = concat(sqr_crelu(h1), crelu(h1));
            let h2 = affine(a1, 32);
            output (affine(concat(a1, sqr_crelu(h2), crelu(h2)), 1) + h1[30] - h1[31]) as i64 * 9600 / 16384;
        }
        format stockfish { version: 0x6A448AFA, encoding: leb128 };
        value psqt / 16 + positional / 16;
    }

    /// SFNNv16, of July 2026: adds features for two pawns on the same or neighbouring files.
    pub struct Sfnnv16 {
        inputs = HalfKAv2_hm[22528] as i16 + FullThreats[59808] as i8 + PawnPairs[4560] as i8;
        acc = accumulate(inputs, 1024 @ 255) x 2, psqt 8;
        stacks 8 by (piece_count - 1) / 4 {
            let h1 = affine(pairwise(acc), 32: i8 @ 128);
            let a1 = concat(sqr_crelu(h1), crelu(h1));
            let h2 = affine(a1, 32);
            output (affine(concat(a1, sqr_crelu(h2), crelu(h2)), 1) + h1[30] - h1[31]) as i64 * 9600 / 16384;
        }
        format stockfish { version: 0x6A448AFA, encoding: leb128 };
        value psqt / 16 + positional / 16;
    }

    /// The small network beside the big one, of Stockfish 16.1 and 17: activations at scale 127.
    pub struct SfnnSmall {
        acc = accumulate(HalfKAv2_hm[22528], 128) x 2, psqt 8;
        stacks 8 by (piece_count - 1) / 4 {
            let h1 = affine(pairwise(acc), 16);
            let h2 = affine(concat(sqr_crelu(h1[..15]), crelu(h1[..15])), 32);
            output affine(crelu(h2), 1) + h1[15] * 9600 / 8128;
        }
        format stockfish { version: 0x7AF32F20, encoding: leb128 };
        value psqt / 16 + positional / 16;
    }

    /// The small network of March to May 2026: activations at scale 255. Its files look like those
    /// of [`SfnnSmall`].
    pub struct SfnnSmall255 {
        acc = accumulate(HalfKAv2_hm[22528], 128 @ 255) x 2, psqt 8;
        stacks 8 by (piece_count - 1) / 4 {
            let h1 = affine(pairwise(acc), 16);
            let h2 = affine(concat(sqr_crelu(h1[..15]), crelu(h1[..15])), 32);
            output affine(crelu(h2), 1) + h1[15] * 9600 / 8128;
        }
        format stockfish { version: 0x7AF32F20, encoding: leb128 };
        value psqt / 16 + positional / 16;
    }
}

/// A function that is generic over the network type, for types chosen by name at run time.
pub trait Visitor {
    /// the result
    type Output;
    /// Calls the function with `A`.
    fn visit<A: Architecture>(self) -> Self::Output;
}

/// Lists the declarations once, with the names that the command line uses.
macro_rules! generations {
    ($($name:literal $(| $old:literal)* $net:ident,)*) => {
        /// Every declaration of this module: its name on the command line, and its descriptor.
        pub const ALL: &[(&str, &NetDesc<'static>)] = &[$(($name, &<$net as Model>::SPEC)),*];

        /// Calls `visitor` with the declaration of this name; `None` if [`ALL`] has no such name.
        /// Also accepts `sfnnv14.1`.
        ///
        /// ```
        /// use nnue::{Architecture, stockfish};
        ///
        /// struct Width;
        /// impl stockfish::Visitor for Width {
        ///     type Output = usize;
        ///     fn visit<A: Architecture>(self) -> usize {
        ///         A::SPEC.accumulator.width
        ///     }
        /// }
        /// assert_eq!(stockfish::visit("sfnnv9", Width), Some(3072));
        /// ```
        pub fn visit<V: Visitor>(name: &str, visitor: V) -> Option<V::Output> {
            match name {
                $($name $(| $old)* => Some(visitor.visit::<$net>()),)*
                _ => None,
            }
        }
    };
}

generations! {
    "sfnnv1" Sfnnv1,
    "sfnnv2" Sfnnv2,
    "sfnnv3" Sfnnv3,
    "sfnnv4" Sfnnv4,
    "sfnnv5" Sfnnv5,
    "sfnnv6" Sfnnv6,
    "sfnnv7" Sfnnv7,
    "sfnnv8" Sfnnv8,
    "sfnnv9" Sfnnv9,
    "sfnnv10" Sfnnv10,
    "sfnnv11" Sfnnv11,
    "sfnnv12" Sfnnv12,
    "sfnnv13" Sfnnv13,
    "sfnnv14" Sfnnv14,
    "sfnnv14_1" | "sfnnv14.1" Sfnnv14_1,
    "sfnnv15" Sfnnv15,
    "sfnnv16" Sfnnv16,
    "sfnn_small" SfnnSmall,
    "sfnn_small_255" SfnnSmall255,
}
