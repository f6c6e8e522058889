//! The network of a public engine that was trained with `bullet`. Its documentation is the name of its file and of its
//! vectors; `crates/codegen/tests/bullet_networks` reads the same declaration.

use nnue::nnue;

nnue! {
    /// alexandria-768hm-1536pw-16-32-ob8
    pub struct Alexandria = (Chess768[mirrored] -> 1536)x2 @ 362 pairwise >> 10
        -> (16: i8 @ 32 screlu -> 32: f32 screlu -> 1: f32 sums 16)x8 by min((63 - piece_count) * (32 - piece_count) / 225, 7) {
        format raw {
            padding: none,
            fc0_weight: [input][stack][output], fc1_weight: [input][stack][output], fc2_weight: [input][stack],
        }
        golden "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" = 36;
    };
}
