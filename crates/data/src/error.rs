//! What can be wrong with data, and where.

use std::fmt;
use std::io;

use thiserror::Error;

use crate::{FenError, IllegalPosition, ImpossibleMove, Move, PositionError, UciError};

/// Why reading ended, or a part of a file was left out.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// the system cannot read
    #[error("cannot read: {0}")]
    Io(#[from] io::Error),
    /// the data are damaged, or of another format
    #[error("{place}: {fault}")]
    Damaged {
        /// where
        place: Place,
        /// what was found, and what should be there
        fault: Fault,
    },
    /// a record is whole, and its position is none of a game, where one is needed
    #[error("record {number} of those that can be read is no position of a game: {error}")]
    Illegal {
        /// which record, counted from 1
        number: u64,
        /// the rule that it breaks
        error: IllegalPosition,
    },
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// what the format consists of
    pub unit: Unit,
    /// which of them, counted from 1
    pub number: u64,
    /// bytes from the beginning of the file; 0 of a row, whose values lie in several places
    pub offset: u64,
}

/// What a file of a format consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// a chunk of a binpack
    Chunk,
    /// a record of fixed size
    Record,
    /// a game
    Game,
    /// a line of text
    Line,
    /// a row of a table
    Row,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Chunk => "chunk",
            Self::Record => "record",
            Self::Game => "game",
            Self::Line => "line",
            Self::Row => "row",
        })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.unit {
            Unit::Row => write!(f, "{} {}", self.unit, self.number),
            _ => write!(f, "{} {}, byte {}", self.unit, self.number, self.offset),
        }
    }
}

/// What is wrong at a place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Fault {
    /// the file ends too early
    #[error("the file ends here, {missing} bytes before the end of the {unit}")]
    Cut {
        /// bytes that are missing, as far as it can be known
        missing: u64,
        /// of what
        unit: Unit,
    },
    /// a chunk ends in the midst of a chain of positions
    #[error("the chunk ends here, in the midst of a chain of positions")]
    ChainCut,
    /// a chunk does not begin as one
    #[error("`{}` instead of `BINP`, with which a chunk begins", found.escape_ascii())]
    NoChunk {
        /// what is there instead
        found: [u8; 4],
    },
    /// a chunk is larger than readers accept
    #[error("a chunk of {found} bytes: at most {limit} are accepted")]
    ChunkSize {
        /// what the file says
        found: u32,
        /// 100 MiB
        limit: u32,
    },
    /// a number says which of several pieces or squares is meant, and there are fewer
    #[error("{what} number {found}, where there are only {count}")]
    Index {
        /// what is counted
        what: &'static str,
        /// which is asked for, counted from 0
        found: u32,
        /// how many there are
        count: u32,
    },
    /// four bits that stand for no piece
    #[error("the piece on square {square} has the unknown code {code}")]
    Piece {
        /// the square, a1 = 0, h8 = 63
        square: u8,
        /// its code
        code: u8,
    },
    /// the square of a king is written beside the board, and wrong
    #[error(
        "the {whose} king is on square {expected}, and not on {found} as written beside the board"
    )]
    KingSquare {
        /// of the side to move, or the other
        whose: &'static str,
        /// as written
        found: u8,
        /// where the board has him
        expected: u8,
    },
    /// a score that Black cannot have, as its opposite is not a number of 16 bits
    #[error("the score -32768 has no opposite")]
    Score,
    /// a number that stands for no outcome
    #[error("the outcome has the unknown code {0}")]
    Outcome(u8),
    /// the pieces are no position
    #[error(transparent)]
    Position(#[from] PositionError),
    /// a text is no FEN
    #[error(transparent)]
    Fen(#[from] FenError),
    /// a move cannot be made
    #[error(transparent)]
    Move(#[from] ImpossibleMove),
    /// a move has visits twice
    #[error("the move {0} is there twice")]
    Repeated(Move),
    /// more moves than any position has
    #[error("{found} moves, where there are only {limit}")]
    Moves {
        /// as written
        found: usize,
        /// the most that a position has
        limit: usize,
    },
    /// a text is no move
    #[error(transparent)]
    Uci(#[from] UciError),
    /// a line is longer than any that makes sense
    #[error("a line of more than {0} bytes")]
    LongLine(usize),
    /// a line is not UTF-8
    #[error("the line is not UTF-8 text")]
    NotText,
    /// a word is not what must be there
    #[error("`{found}` instead of {expected}")]
    Word {
        /// its beginning
        found: String,
        /// what must be there
        expected: &'static str,
    },
    /// a part of a text is missing
    #[error("{0} is missing")]
    Missing(&'static str),
    /// a library cannot read the table from here on
    #[error("the rest cannot be read: {0}")]
    Unreadable(String),
    /// positions follow a move that is none
    #[error("positions follow a null move")]
    NullMove,
}

/// Why a record was not written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WriteError {
    /// the system cannot write
    #[error("cannot write: {0}")]
    Io(#[from] io::Error),
    /// the format has no room for a number
    #[error("{what} {found} does not fit: at most {limit} do")]
    TooLarge {
        /// what the number is
        what: &'static str,
        /// the number
        found: u64,
        /// the largest number with room
        limit: u64,
    },
    /// the format has no room for positions without a score
    #[error("{0} has no positions without a score")]
    NoScore(&'static str),
    /// the format has no room for positions without a move
    #[error("{0} has no positions without a move")]
    NoMove(&'static str),
    /// the score has no opposite
    #[error("{0} has scores from White's point of view, and -32768 has no opposite")]
    Score(&'static str),
    /// the format has legal moves only
    #[error("PGN has legal moves only, and {mv} is none in `{fen}`")]
    IllegalMove {
        /// the move
        mv: Move,
        /// the position
        fen: String,
    },
    /// a move with visits cannot be made, or has them twice
    #[error("the move {mv} cannot be made in `{fen}`, or has visits twice")]
    Visits {
        /// the move
        mv: Move,
        /// the position
        fen: String,
    },
    /// the format has no castling of Chess960
    #[error("{format} has no castling of Chess960, which `{fen}` has")]
    Chess960 {
        /// the format
        format: &'static str,
        /// the position
        fen: String,
    },
}

impl WriteError {
    /// Whether the record lacks what every record of the format has, a score or a move, so that it can only be left out.
    pub const fn is_incomplete(&self) -> bool {
        matches!(self, Self::NoScore(_) | Self::NoMove(_))
    }
}
