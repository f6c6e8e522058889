//! The record that all formats share. Formats store different parts of it.

use crate::position::parse_fen;
use crate::{Color, Fault, FenError, Move, Piece, Position};

/// The score that Stockfish's tools write for "no score": such a position only keeps a chain of positions
/// together.
pub const NO_SCORE: i16 = 32002;

/// How a game ended, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// the side to move lost
    Loss,
    /// a draw
    Draw,
    /// the side to move won
    Win,
}

impl Outcome {
    /// The same outcome for the other side.
    #[inline]
    pub const fn flipped(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// Converts between White's point of view and that of `color`.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => self.flipped(),
        }
    }

    /// Decodes 0 (loss), 1 (draw) or 2 (win).
    #[inline]
    pub(crate) fn from_code(code: u8) -> Result<Self, Fault> {
        [Self::Loss, Self::Draw, Self::Win]
            .get(usize::from(code))
            .copied()
            .ok_or(Fault::Outcome(code))
    }

    /// 0, ½ or 1.
    #[inline]
    pub const fn points(self) -> f64 {
        match self {
            Self::Loss => 0.0,
            Self::Draw => 0.5,
            Self::Win => 1.0,
        }
    }
}

/// A position with what a network learns about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// the position
    pub position: Position,
    /// the evaluation for the side to move, in the unit of the data (mostly centipawns), or [`NO_SCORE`]
    pub score: i16,
    /// how the game ended
    pub outcome: Outcome,
    /// plies since the start of the game; 0 in formats without plies
    pub ply: u32,
    /// the move that was played or found best; `None` in formats without moves
    pub mv: Option<Move>,
}

impl Record {
    /// A record of a FEN with `outcome`. The ply follows from the move number; there is no score and no move.
    ///
    /// # Errors
    ///
    /// If the text is not a FEN.
    pub fn of_fen(fen: &str, outcome: Outcome) -> Result<Self, FenError> {
        let (position, number) = parse_fen(fen)?;
        let ply = ply_of(number, position.side_to_move());
        Ok(Self {
            position,
            score: NO_SCORE,
            outcome,
            ply,
            mv: None,
        })
    }

    /// The score, if there is one.
    #[inline]
    pub fn score(&self) -> Option<i16> {
        (self.score != NO_SCORE).then_some(self.score)
    }

    /// The score from White's point of view. `None` if Black is to move and the score is -32768, which cannot
    /// be negated.
    #[inline]
    pub fn white_score(&self) -> Option<i16> {
        relative_score(self.score, self.position.side_to_move())
    }

    /// The position as FEN. The move number follows from the ply.
    pub fn fen(&self) -> String {
        self.position.fen(self.ply / 2 + 1)
    }

    /// Appends [`fen`](Self::fen) to `text`.
    pub fn write_fen(&self, text: &mut String) {
        self.position.write_fen(self.ply / 2 + 1, text);
    }
}

/// Converts a score between White's point of view and that of `color`. `None` if -32768 would have to be
/// negated.
#[inline]
pub(crate) fn relative_score(score: i16, color: Color) -> Option<i16> {
    match color {
        Color::White => Some(score),
        Color::Black => score.checked_neg(),
    }
}

/// The ply of a move number, counted from 1, and a side. Number 0 counts as 1.
#[inline]
pub(crate) fn ply_of(number: u32, side_to_move: Color) -> u32 {
    number
        .saturating_sub(1)
        .saturating_mul(2)
        .saturating_add(side_to_move as u32)
}

/// The expected next record of a game. Formats that store games write only how a record differs from it.
#[derive(Clone, Copy, Debug)]
pub struct Next {
    position: Position,
    ply: u32,
    outcome: Outcome,
}

impl Next {
    /// The expected record after `record`. `None` if that has no move, or one that cannot be made.
    pub fn after(record: &Record) -> Option<Self> {
        let position = record.position.play(record.mv?).ok()?;
        Some(Self::at(position, record))
    }

    /// As [`after`](Self::after), for a move that `piece` can make.
    #[inline]
    pub(crate) fn after_move(record: &Record, mv: Move, piece: Piece) -> Self {
        Self::at(record.position.after(mv, piece), record)
    }

    fn at(position: Position, before: &Record) -> Self {
        Self {
            position,
            ply: before.ply.saturating_add(1),
            outcome: before.outcome.flipped(),
        }
    }

    /// Whether `record` is the expected one: the board after the move (clocks ignored), the next ply, the
    /// same outcome for each side.
    #[inline]
    pub fn is(&self, record: &Record) -> bool {
        record.ply == self.ply
            && record.outcome == self.outcome
            && record.position.same_board(&self.position)
    }
}
