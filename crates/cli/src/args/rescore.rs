//! The command line of `nnue rescore`.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::suggested::{Suggested, levels};
use super::{DeclarationArgs, NetArgs};

/// Part of a file: `2/8`. Without the feature nothing reads it.
#[cfg(feature = "rescore")]
use nnue_data::rescore::Share as Part;
#[cfg(not(feature = "rescore"))]
use std::string::String as Part;

/// Replace scores of training data by those of a network
///
/// Evaluates positions in sorted batches on all cores and writes them in their original order, with their outcomes, plies and moves. A killed run
/// continues with --resume and writes the same bytes as an uninterrupted one. Scores are the network's exact evaluations for the side to move;
/// formats that store scores for White get them for White.
#[derive(Args, Debug)]
#[command(after_help = RESCORE_HELP)]
pub(crate) struct RescoreArgs {
    /// The input files, read one after the other; `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) inputs: Vec<PathBuf>,
    /// The format of the input; without it the file names decide
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<String>,
    /// Process only part I of N: `2/8` is the second eighth of the file. The outputs of all parts, joined in order, equal that of the whole file
    #[arg(long, value_name = "I/N")]
    pub(crate) part: Option<Part>,
    /// The file to write; `-` for standard output. The file appears when it is complete
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// The format of the output; without it the file name decides
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Option<String>,
    #[command(flatten)]
    pub(crate) net: NetArgs,
    #[command(flatten)]
    pub(crate) declared: DeclarationArgs,
    /// The instruction level; without it the best one of this processor
    #[arg(long, value_name = "LEVEL", value_parser = Suggested(levels), hide_possible_values = true, conflicts_with = "declaration")]
    pub(crate) level: Option<String>,
    /// Write centipawns, where a pawn is N units of the network; without it scores are in the network's unit
    #[arg(long, value_name = "N")]
    pub(crate) pawn: Option<NonZeroU32>,
    /// Clip scores to the range -N to N; the number of clipped scores is printed
    #[arg(long, value_name = "N", default_value_t = 31_000, value_parser = clap::value_parser!(i16).range(1..=32_001))]
    pub(crate) limit: i16,
    /// What to do with positions with the side to move in check
    #[arg(long, value_name = "HOW", value_enum, default_value_t = How::Score)]
    pub(crate) in_check: How,
    /// What to do with positions without a score, such as the fillers of a binpack
    #[arg(long, value_name = "HOW", value_enum, default_value_t = How::Keep)]
    pub(crate) unscored: How,
    /// The outcome, for the side to move, of positions whose file stores none
    #[arg(long, value_name = "OUTCOME", value_enum)]
    pub(crate) outcome: Option<OutcomeArg>,
    /// Skip damaged records, and records that the output format cannot store, instead of stopping at the first one
    #[arg(long)]
    pub(crate) keep_going: bool,
    /// Continue an interrupted run; start one if there is none
    #[arg(long)]
    pub(crate) resume: bool,
    /// Resume even if an input has changed since the run began
    #[arg(long, requires = "resume")]
    pub(crate) changed_data: bool,
    /// Number of threads [default: one per core]
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

Columns of tables: fen (text); score (integer, for the side to move, null: none); outcome (1, 0, -1 for the side to move) or result
(1-0, 1/2-1/2, 0-1); ply; move (UCI). Only fen is required; other columns are ignored.

Until the output is complete, its data are in OUTPUT.part and OUTPUT.state.";

/// What to do with positions of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum How {
    /// Write the score of the network
    Score,
    /// Keep the score of the input
    Keep,
    /// Leave the position out
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
