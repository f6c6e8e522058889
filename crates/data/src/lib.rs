//! Readers and writers for the training data of chess networks.
//!
//! A [`Record`] is a position with its score, the outcome of its game, its ply and its move. Every format is
//! read into records and written from them:
//!
//! * [`binpack`]: the compressed chains of positions of Stockfish's tools;
//! * [`bullet`]: the `ChessBoard` of the trainer bullet;
//! * [`marlin`]: marlinformat, boards without moves;
//! * [`viri`]: viriformat, games that begin with a marlinformat board;
//! * [`text::line`]: `FEN | score | outcome`; [`text::plain`]: six lines a position; [`text::fens`]: FENs
//!   alone, read only;
//! * [`pgn`]: games with evaluations in comments, of lichess and of programs for matches;
//! * [`policy`]: positions with the visits of their moves, as [`policy::PolicyRecord`].
//!
//! With the feature `compressed`, `compressed::open` reads all of them from `.gz` and `.zst`.
//!
//! [`Reader`] and [`Writer`] handle any of them, chosen by a [`Format`].
//!
//! [`rows`] has the data of networks over lists of rows, which have no board.
//!
//! ```
//! use nnue_data::{Format, Reader, Writer};
//!
//! let text = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 120 | 1.0";
//! let mut boards = Writer::new(Format::Bulletformat, Vec::new());
//! for record in Reader::new(Format::Text, text.as_bytes()) {
//!     boards.write(&record?)?;
//! }
//! assert_eq!(boards.finish()?.len(), 32);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! To prepare records for training: [`filter`], [`shuffle`] (more records than memory holds), [`Interleave`],
//! [`Split`] by game, [`stats`].
//!
//! Files are hostile input: every fault is a [`ReadError`] with its place, no allocation trusts an unchecked
//! length, and no content causes a panic. Records before a fault are still read.
#![forbid(unsafe_code)]

pub mod binpack;
pub mod bullet;
#[cfg(feature = "compressed")]
pub mod compressed;
mod error;
mod extensions;
pub mod files;
pub mod filter;
pub mod fixed;
mod format;
mod games;
mod interleave;
pub mod marlin;
mod packed;
mod passed_over;
pub mod pgn;
pub mod policy;
mod position;
mod printable;
mod record;
#[cfg(feature = "rescore")]
pub mod rescore;
pub mod rows;
pub mod shuffle;
mod split;
pub mod stats;
mod stored;
#[cfg(feature = "arrow")]
mod tables;
pub mod text;
pub mod viri;
pub mod win_rate;

pub use cozy_chess::{BitBoard, Color, File, Piece, Rank, Square};
pub use error::{Fault, Place, ReadError, Unit, WriteError};
pub use filter::Filter;
pub use format::{Format, Reader, Writer};
pub use games::{Games, PliesLeft};
pub use interleave::Interleave;
pub use passed_over::{Counts, PassedOver};
pub use position::{
    FenError, IllegalPosition, ImpossibleMove, Move, MoveKind, Placement, Position, PositionError,
    UciError, attacks,
};
pub use printable::{Printable, printable};
pub use record::{NO_SCORE, Next, Outcome, Record};
pub use split::Split;
pub use stats::Stats;
