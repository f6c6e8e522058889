//! Positions as input of networks.

use nnue_data::{Piece, Position};
use nnue_runtime::{Color, Model, PieceKind};

use crate::chess::Chess;
use crate::digest::Digest;
use crate::game::{Game, Sample};

/// A chess position as input of networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Board(pub Position);

impl Board {
    /// [`Position::likeness`].
    #[inline]
    pub fn likeness(&self) -> u64 {
        self.0.likeness()
    }
}

impl nnue_runtime::Position for Board {
    #[inline]
    fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
        let color = [nnue_data::Color::White, nnue_data::Color::Black][color.index()];
        self.0.colored(color, Piece::ALL[kind.index()]).0
    }

    #[inline]
    fn side_to_move(&self) -> Color {
        match self.0.side_to_move() {
            nnue_data::Color::White => Color::White,
            nnue_data::Color::Black => Color::Black,
        }
    }

    #[inline]
    fn occupied(&self) -> u64 {
        self.0.occupied().0
    }
}

/// A game whose positions the network `A` can read: chess for all chess networks; a custom game by its
/// [`Inputs`](nnue_runtime::game::Inputs).
pub trait ReadBy<A: Model>: Game {
    /// Input of the network: a type that `A::Game` [reads](nnue_runtime::game::Reads).
    type Board: Clone + Send + Sync + 'static;

    /// The input for a position.
    fn board(position: &Self::Position) -> Self::Board;

    /// A sort key that is equal or close for positions that share many rows. Larger batches are sorted by it
    /// before they are split.
    fn likeness(board: &Self::Board) -> u64 {
        let _ = board;
        0
    }

    /// Calls `word` with everything that distinguishes boards; like [`Game::words`], without what the network
    /// does not read.
    fn board_words(board: &Self::Board, word: impl FnMut(u64));
}

impl<A: Model> ReadBy<A> for Chess {
    type Board = Board;

    fn board(position: &Position) -> Board {
        Board(*position)
    }

    fn likeness(board: &Board) -> u64 {
        board.likeness()
    }

    fn board_words(board: &Board, word: impl FnMut(u64)) {
        words_of(board, word);
    }
}

/// Digest of the part of a sample that chess networks read.
pub(super) fn key_of_position(sample: &Sample<'_, Chess>) -> u128 {
    let mut digest = Digest::new();
    if let Some(&position) = sample.position() {
        words_of(&Board(position), |word| digest.word(word));
    }
    digest.finish()
}

/// Calls `word` with the part of a position that chess networks read.
fn words_of(Board(position): &Board, mut word: impl FnMut(u64)) {
    let placement = position.placement();
    placement
        .pieces
        .iter()
        .chain(&placement.colors)
        .for_each(|squares| word(squares.0));
    word(position.side_to_move() as u64);
}
