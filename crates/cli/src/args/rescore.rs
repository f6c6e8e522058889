//! The command line of `nnue rescore`.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{DeclarationArgs, NetArgs};

/// Part of a file: `2/8`. Without the feature nothing reads it.
#[cfg(feature = "rescore")]
use nnue_data::rescore::Share as Part;
#[cfg(not(feature = "rescore"))]
use std::string::String as Part;

/// Give the positions of files the scores of a network
///
/// Positions are evaluated in sorted batches on all cores and written in their order, with their results, plies and moves. A run that was killed
/// goes on with --resume and writes the same bytes as one that was not. Values are exact, for the side to move; what a format has from White's point
/// of view is written so.
#[derive(Args, Debug)]
#[command(after_help = RESCORE_HELP)]
pub(crate) struct RescoreArgs {
    /// The files to read, one after the other; `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Their format; without it that of each file's name
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<String>,
    /// Read only a part of the file, as `2/8`: the second of eight. The outputs of all parts, one after the other, are that of the whole file
    #[arg(long, value_name = "I/N")]
    pub(crate) part: Option<Part>,
    /// The file to write; `-` for standard output. It appears when it is complete
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Its format; without it that of its name
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Option<String>,
    #[command(flatten)]
    pub(crate) net: NetArgs,
    #[command(flatten)]
    pub(crate) declared: DeclarationArgs,
    /// The instruction level, instead of the best one that this processor has
    #[arg(long, value_name = "LEVEL", conflicts_with = "declaration")]
    pub(crate) level: Option<String>,
    /// Write hundredths of a pawn, which is worth N units of the network; without it scores are in the unit of the network
    #[arg(long, value_name = "N")]
    pub(crate) pawn: Option<NonZeroU32>,
    /// Clip scores to N and -N; how many is told
    #[arg(long, value_name = "N", default_value_t = 31_000, value_parser = clap::value_parser!(i16).range(1..=32_001))]
    pub(crate) limit: i16,
    /// Positions with the side to move in check: score them, keep the score that they have, or skip them
    #[arg(long, value_name = "HOW", value_enum, default_value_t = How::Score)]
    pub(crate) in_check: How,
    /// Positions that have no score in the file, as the fillers of a binpack: score them, keep them so, or skip them
    #[arg(long, value_name = "HOW", value_enum, default_value_t = How::Keep)]
    pub(crate) unscored: How,
    /// The outcome for the side to move of positions whose file does not say how their game ended
    #[arg(long, value_name = "OUTCOME", value_enum)]
    pub(crate) outcome: Option<OutcomeArg>,
    /// Leave out what is damaged, and records that the output has no room for, and go on, instead of stopping there
    #[arg(long)]
    pub(crate) keep_going: bool,
    /// Go on with a run that was killed or has stopped; begin where there is none
    #[arg(long)]
    pub(crate) resume: bool,
    /// Resume also where an input is not the file that the run was begun with
    #[arg(long, requires = "resume")]
    pub(crate) changed_data: bool,
    /// Threads; without it one for each core
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
}

const RESCORE_HELP: &str = "\
Examples:
  nnue rescore games.binpack --net nn-1c0000000000.nnue -o rescored.binpack
  nnue rescore games.binpack --net nn-1c0000000000.nnue -o rescored.binpack --resume   after it was killed
  nnue rescore 2023.binpack 2024.vf -o all.binpack --in-check skip
  nnue rescore openings.fen --outcome draw -o openings.txt --pawn 356
  nnue rescore all.binpack -o 2.binpack --part 2/8     the second of eight machines; `cat` joins their outputs
  nnue rescore games.parquet -o rescored.parquet       built with --features arrow
  nnue rescore games.pgn --declaration network.rs --net quantised.bin -o games.bf

Formats, chosen by the name of a file or by --from and --to:
  binpack       .binpack                  Stockfish's chains of positions       plies, moves
  viriformat    .vf .viri                 games                                 plies, moves
  plain         .plain                    Stockfish's text, six lines each      plies, moves
  pgn           .pgn                      games with comments [%eval ..]        plies, moves
  policy        .policy                   visits of moves, for policies         plies, moves
  marlinformat  .marlin                   32 bytes a position                   plies
  text          .txt                      FEN | score | outcome, for White      plies
  bulletformat  .bf .bullet               32 bytes a position
  fens          .fen .fens .epd           a FEN a line; only read               plies
  parquet       .parquet                  columns (with --features arrow)       plies, moves
  arrow         .arrow .feather           columns, as a file                    plies, moves
  arrow-stream  .arrows                   columns, as a stream                  plies, moves

Columns of tables: fen (text); score (whole numbers, for the side to move, null: none); outcome (1, 0, -1 for the side to move) or result
(1-0, 1/2-1/2, 0-1); ply; move (UCI). Only fen must be there; other columns are not read.

Until the output is complete there are OUTPUT.part and OUTPUT.state beside it.";

/// What is done with positions of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum How {
    /// They get the value of the network
    Score,
    /// They stay as they are
    Keep,
    /// They are left out
    Skip,
}

/// How a game ended for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutcomeArg {
    /// The side to move won
    Win,
    /// Nobody won
    Draw,
    /// The side to move lost
    Loss,
}
