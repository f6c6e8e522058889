//! The inputs of an evaluation besides the accumulators.

use super::Network;
use crate::accumulator::Game;
use crate::architecture::{BoardOf, Model, Reads};
use crate::board::Color;
use crate::feature_floats::MOST;

/// The layer stack of a position, the side to move, and the floats of its features.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) bucket: usize,
    pub(super) to_move: Color,
    /// the floats of the active features, which are added to the neurons of the output
    pub(super) floats: [f32; MOST],
}

impl<A: Model> Network<A> {
    /// Whether features have floats that are added to the output.
    pub(super) const HAS_FLOATS: bool = A::SPEC.accumulator.psqt_floats > 0;

    /// The other inputs of the layers for `position` with the board `board`.
    #[inline(always)]
    pub(super) fn see<P: ?Sized>(&self, position: &P, board: &BoardOf<'_, A>) -> Seen
    where
        A::Game: Reads<A, P>,
    {
        self.see_board(board, <A::Game as Reads<A, P>>::bucket(position, board))
    }

    /// The same for a board with layer stack `bucket`.
    #[inline(always)]
    pub(super) fn see_board(&self, board: &BoardOf<'_, A>, bucket: usize) -> Seen {
        let to_move = A::Game::side_to_move(board);
        let floats = if const { Self::HAS_FLOATS } {
            self.floats(board, to_move)
        } else {
            [0.0; MOST]
        };
        Seen {
            bucket,
            to_move,
            floats,
        }
    }

    /// The floats of the features of the first perspective.
    fn floats(&self, board: &BoardOf<'_, A>, to_move: Color) -> [f32; MOST] {
        let floats = A::psqt_floats(&self.params);
        let side = Self::PERSPECTIVES.first(to_move);
        A::Game::active(
            A::transformer(&self.params),
            board,
            side,
            |pieces, pairs| floats.sum(pieces, pairs),
        )
    }
}
