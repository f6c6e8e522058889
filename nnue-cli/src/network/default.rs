//! The network that is built into the program: made from chess knowledge by `examples/make_default_net`.

use nnue::nnue;

nnue! {
    /// Piece-square tables and 91 patterns, worth centipawns.
    pub struct Default = Chess768[..] -> 96x2, psqt 8 -> 1x8 {
        weights "nets/default.nnue";
    };
}
