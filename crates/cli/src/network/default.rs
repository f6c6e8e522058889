//! The built-in network. `examples/nets/default.toml` describes its training.

use nnue::nnue;

nnue! {
    /// King buckets, a hidden layer and output buckets. Its unit is about a hundredth of a pawn.
    pub struct Default = Chess768[mirrored, buckets: [0 x 2, 1 x 2, 2 x 4, 3 x 24]] -> 128x2 pairwise, psqt 8 -> (16 -> 32 -> 1)x8 {
        format stockfish { encoding: leb128 };
        weights "nets/default.nnue";
    };
}
