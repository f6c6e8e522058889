//! Backends of declared networks: batches of any size on any number of threads, against the network itself and the reference interpreter.

#[path = "../../../../examples/07_search.rs"]
#[expect(dead_code, reason = "its main is that of a program")]
mod alpha_beta;
#[path = "../common/flips.rs"]
mod flips;
mod games;
mod policy;
#[path = "../../examples/puct.rs"]
#[expect(dead_code, reason = "its main is that of a program")]
mod puct;
mod stones;
mod value;

use nnue::nnue;

use crate::stones::Squares;

nnue! {
    /// products, and stacks by the number of pieces
    pub(crate) struct Stacked = HalfKAv2_hm[..] -> 32x2 pairwise, psqt 4 -> (8 -> 16 -> 1)x4 by (piece_count - 1) / 8;

    /// one layer after clipping
    pub(crate) struct Small = Chess768[mirrored] -> 32x2 -> 1;

    /// a value, what the game may end with, how long it may last, and a policy
    pub(crate) struct Tree {
        acc = accumulate(Chess768[..], 64 @ 255) x 2;
        let x = pairwise(acc);
        let h1 = affine(x, 16);
        let h2 = affine(screlu(h1), 8: f32);
        output value = affine(screlu(h2), 1: f32);
        output wdl = wdl(affine(screlu(h2), 3: f32));
        output moves_left = relu(affine(relu(h2), 1: f32)) * 50;
        output policy = rows(x, 1858);
        format raw;
    }

    /// stones on a board of sixteen squares
    pub(crate) struct Stones = self::Squares[32] -> 32x2 @ 255 screlu -> 1: i16 { format raw };
}
