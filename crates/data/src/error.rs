//! Faults in data, and their places.

use std::fmt;
use std::io;

use thiserror::Error;

use crate::rows::RecordError;
use crate::{FenError, IllegalPosition, ImpossibleMove, Move, PositionError, UciError};

/// Why reading ended, or why a part of a file was skipped.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// an I/O error
    #[error("cannot read: {0}")]
    Io(#[from] io::Error),
    /// a table cannot be read, or has no columns of records
    #[error("{0}")]
    Table(String),
    /// the data are damaged, or in another format
    #[error("{place}: {fault}")]
    Damaged {
        /// where the fault is
        place: Place,
        /// what is wrong
        fault: Fault,
    },
    /// a readable record whose position cannot arise in a game, where the caller needs one that can
    #[error("record {number} of those that can be read is no position of a game: {error}")]
    Illegal {
        /// number among the readable records, counted from 1
        number: u64,
        /// the rule that it breaks
        error: IllegalPosition,
    },
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// the kind of item
    pub unit: Unit,
    /// the number of the item, counted from 1
    pub number: u64,
    /// bytes from the start of the file, or of what was compressed; 0 for a row, whose values lie in several places
    pub offset: u64,
}

/// The kinds of items that files consist of.
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
    /// a compressed file
    Compressed,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Chunk => "chunk",
            Self::Record => "record",
            Self::Game => "game",
            Self::Line => "line",
            Self::Row => "row",
            Self::Compressed => "compressed file",
        })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.unit {
            Unit::Row => write!(f, "{} {}", self.unit, self.number),
            Unit::Compressed => write!(f, "byte {} of the {}", self.offset, self.unit),
            _ => write!(f, "{} {}, byte {}", self.unit, self.number, self.offset),
        }
    }
}

/// A fault in data.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Fault {
    /// the file ends too early
    #[error("the file ends here, {missing} bytes before the end of the {unit}")]
    Cut {
        /// missing bytes, as far as they are known
        missing: u64,
        /// the item that is cut
        unit: Unit,
    },
    /// a chunk ends inside a chain of positions
    #[error("the chunk ends here, in the midst of a chain of positions")]
    ChainCut,
    /// a chunk does not begin with `BINP`
    #[error("`{}` instead of `BINP`, with which a chunk begins", found.escape_ascii())]
    NoChunk {
        /// the four bytes at its start
        found: [u8; 4],
    },
    /// a chunk is larger than readers accept
    #[error("a chunk of {found} bytes: at most {limit} are accepted")]
    ChunkSize {
        /// the size in the header
        found: u32,
        /// 100 MiB
        limit: u32,
    },
    /// an index is out of range
    #[error("{what} number {found}, where there are only {count}")]
    Index {
        /// what the index selects
        what: &'static str,
        /// the index, counted from 0
        found: u32,
        /// how many of them exist
        count: u32,
    },
    /// a 4-bit code that stands for no piece
    #[error("the piece on square {square} has the unknown code {code}")]
    Piece {
        /// the square, a1 = 0, h8 = 63
        square: u8,
        /// its code
        code: u8,
    },
    /// the stored square of a king differs from the board
    #[error(
        "the {whose} king is on square {expected}, and not on {found} as written beside the board"
    )]
    KingSquare {
        /// `own` (the side to move) or `opponent's`
        whose: &'static str,
        /// the stored square
        found: u8,
        /// the square on the board
        expected: u8,
    },
    /// the score -32768 for White with Black to move: its negative does not fit in 16 bits
    #[error("the score -32768 has no opposite")]
    Score,
    /// an unknown outcome code
    #[error("the outcome has the unknown code {0}")]
    Outcome(u8),
    /// the pieces form no valid position
    #[error(transparent)]
    Position(#[from] PositionError),
    /// a text is not a FEN
    #[error(transparent)]
    Fen(#[from] FenError),
    /// a move cannot be made
    #[error(transparent)]
    Move(#[from] ImpossibleMove),
    /// the visits list a move twice
    #[error("the move {0} is there twice")]
    Repeated(Move),
    /// more moves than any position has
    #[error("{found} moves, where there are only {limit}")]
    Moves {
        /// the number in the file
        found: usize,
        /// the most moves of any position
        limit: usize,
    },
    /// a text is not a move
    #[error(transparent)]
    Uci(#[from] UciError),
    /// a line is longer than this many bytes
    #[error("a line of more than {0} bytes")]
    LongLine(usize),
    /// a line is not UTF-8
    #[error("the line is not UTF-8 text")]
    NotText,
    /// an unexpected word
    #[error("`{found}` instead of {expected}")]
    Word {
        /// the beginning of the word
        found: String,
        /// what is expected
        expected: &'static str,
    },
    /// an outcome between won, drawn and lost
    #[error("the outcome `{0}` is none of 1.0, 0.5 and 0.0, and no others are kept")]
    Between(String),
    /// a part of a text is missing
    #[error("{0} is missing")]
    Missing(&'static str),
    /// a library cannot read the rest of the table
    #[error("the rest cannot be read: {0}")]
    Unreadable(String),
    /// a game has a null move
    #[error("`{0}` is a null move, and no move of a game")]
    Null(String),
    /// a game is one of another variant
    #[error("the variant `{0}`: only games of chess and Chess960 are read")]
    Variant(String),
    /// a compressed stream is damaged
    #[error("the rest cannot be decompressed by {method}: {why}")]
    Compressed {
        /// `gzip` or `zstd`
        method: &'static str,
        /// what its library says
        why: String,
    },
    /// positions follow a null move
    #[error("positions follow a null move")]
    NullMove,
    /// a record over lists of rows is none of the network or of its loss
    #[error(transparent)]
    Record(Box<RecordError>),
}

impl From<RecordError> for Fault {
    fn from(error: RecordError) -> Self {
        Self::Record(Box::new(error))
    }
}

/// Why a record was not written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WriteError {
    /// an I/O error
    #[error("cannot write: {0}")]
    Io(#[from] io::Error),
    /// a number does not fit in the format
    #[error("{what} {found} does not fit: at most {limit} do")]
    TooLarge {
        /// the name of the number
        what: &'static str,
        /// the number
        found: u64,
        /// the largest number that fits
        limit: u64,
    },
    /// the format requires a score
    #[error("{0} has no positions without a score")]
    NoScore(&'static str),
    /// the format requires a move
    #[error("{0} has no positions without a move")]
    NoMove(&'static str),
    /// the score -32768 of Black cannot be negated for White
    #[error("{0} has scores from White's point of view, and -32768 has no opposite")]
    Score(&'static str),
    /// the format accepts only legal moves
    #[error("PGN has legal moves only, and {mv} is none in `{fen}`")]
    IllegalMove {
        /// the move
        mv: Move,
        /// the position
        fen: String,
    },
    /// a move cannot be made, or the visits list it twice
    #[error("the move {mv} cannot be made in `{fen}`, or has visits twice")]
    Visits {
        /// the move
        mv: Move,
        /// the position
        fen: String,
    },
    /// the format cannot express Chess960 castling
    #[error("{format} has no castling of Chess960, which `{fen}` has")]
    Chess960 {
        /// the format
        format: &'static str,
        /// the position
        fen: String,
    },
}

impl WriteError {
    /// Whether the record lacks a score or a move that the format requires, so that it can only be skipped.
    pub const fn is_incomplete(&self) -> bool {
        matches!(self, Self::NoScore(_) | Self::NoMove(_))
    }
}
