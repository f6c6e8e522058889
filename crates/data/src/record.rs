//! The common record: what every format says about a position, as far as it says it.

use crate::position::parse_fen;
use crate::{Color, Fault, FenError, Move, Piece, Position};

/// The score that Stockfish's tools write where there is none: the position is there only to keep a chain of positions together.
pub const NO_SCORE: i16 = 32002;

/// How a game ended, seen by the side to move.
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
    /// The same seen by the other side.
    #[inline]
    pub const fn flipped(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// From White's point of view to that of `color`, or back.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => self.flipped(),
        }
    }

    /// The outcome that is written 0, 1 or 2.
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

/// A position with what a network shall learn about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// the position
    pub position: Position,
    /// the evaluation by the side to move, in the unit of whoever made the data (mostly centipawns), or [`NO_SCORE`]
    pub score: i16,
    /// how the game ended
    pub outcome: Outcome,
    /// plies since the beginning of the game; 0 in formats that do not say it
    pub ply: u32,
    /// the move that was played or found best, in formats that say it
    pub mv: Option<Move>,
}

impl Record {
    /// What a FEN says: the position, and the ply by the number of its move. There is no score and no move, and the outcome is the one given.
    ///
    /// # Errors
    ///
    /// If the text is no FEN.
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

    /// The score from White's point of view. `None` for -32768, which has no opposite, if Black is to move.
    #[inline]
    pub fn white_score(&self) -> Option<i16> {
        relative_score(self.score, self.position.side_to_move())
    }

    /// The position as FEN, with the number of the move that follows from the ply.
    pub fn fen(&self) -> String {
        self.position.fen(self.ply / 2 + 1)
    }

    /// Appends the same to a text.
    pub fn write_fen(&self, text: &mut String) {
        self.position.write_fen(self.ply / 2 + 1, text);
    }
}

/// A score from White's point of view as `color` sees it, or back. `None` for the opposite of -32768.
#[inline]
pub(crate) fn relative_score(score: i16, color: Color) -> Option<i16> {
    match color {
        Color::White => Some(score),
        Color::Black => score.checked_neg(),
    }
}

/// The ply of the first or second half of a move, which are numbered from 1. Files that begin at 0 are read as if they began at 1.
#[inline]
pub(crate) fn ply_of(number: u32, side_to_move: Color) -> u32 {
    number
        .saturating_sub(1)
        .saturating_mul(2)
        .saturating_add(side_to_move as u32)
}

/// What follows a record in its game: formats that store games store only how the next record differs from this.
#[derive(Clone, Copy, Debug)]
pub struct Next {
    position: Position,
    ply: u32,
    outcome: Outcome,
}

impl Next {
    /// What follows `record`. `None` if it has no move, or one that cannot be made.
    pub fn after(record: &Record) -> Option<Self> {
        let position = record.position.play(record.mv?).ok()?;
        Some(Self::at(position, record))
    }

    /// The same after a move that `piece` can make.
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

    /// Whether `record` is what follows: the position after the move (clocks aside), at the next ply, with the same outcome for each side.
    #[inline]
    pub fn is(&self, record: &Record) -> bool {
        record.ply == self.ply
            && record.outcome == self.outcome
            && record.position.same_board(&self.position)
    }
}
