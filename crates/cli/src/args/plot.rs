//! The command line of pictures.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{DeclarationArgs, NetArgs};

/// Draw a network: weights as boards, histograms, neurons, contributions of pieces and rows, games
///
/// Writes one file: an SVG, a PNG (if this program is built with --features png), or for `report` one HTML page with all pictures.
#[derive(Args, Debug)]
#[command(after_help = PLOT_HELP)]
pub(crate) struct PlotArgs {
    #[command(subcommand)]
    pub(crate) what: Plot,
}

const PLOT_HELP: &str = "\
Examples:
  nnue plot report -o default.html                 a page about the built-in network
  nnue plot weights --net nn-ad9b42354671.nnue --psqt 0 --king g1 --king b1 -o psqt.svg
  nnue plot weights --net nn-ad9b42354671.nnue --neuron 7 --every-king -o neuron-7.svg
  nnue plot neurons --net nn-ad9b42354671.nnue --fens positions.txt -o neurons.svg
  nnue plot pieces --fen 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3' -o pieces.svg
  nnue plot tensors --declaration network.rs --net quantised.bin -o tensors.svg

docs/pictures.md explains how to read the pictures.";

/// What to draw.
#[derive(Debug, Subcommand)]
pub(crate) enum Plot {
    Weights(WeightsArgs),
    /// King buckets on a board, and the squares where the board is mirrored
    Buckets(Drawn),
    /// A histogram of each tensor
    Tensors(Drawn),
    Neurons(NeuronsArgs),
    Pieces(PiecesArgs),
    Rows(RowsArgs),
    Game(GameArgs),
    Report(ReportArgs),
}

/// The network and the file.
#[derive(Args, Clone, Debug)]
pub(crate) struct Drawn {
    #[command(flatten)]
    pub(crate) net: NetArgs,
    #[command(flatten)]
    pub(crate) declared: DeclarationArgs,
    /// The file to write: .svg or .png, for a report .html. The file appears when it is complete
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

/// Weights of the feature transformer as boards
///
/// Draws one line of boards for each neuron (or PSQT output) and square of the own king: the own pieces from pawn to king, then the enemy's. The
/// accumulator is White's, and a1 is at the bottom left. Blue weights are positive, red ones negative; grey squares have no weight.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  nnue plot weights -o strongest.svg                        the eight neurons with the greatest weights
  nnue plot weights --psqt 0 --psqt 7 --scale board -o psqt.svg
  nnue plot weights --neuron 3 --king e1 --king d1 -o mirrored.svg
  nnue plot weights --neuron 3 --every-king -o buckets.svg")]
pub(crate) struct WeightsArgs {
    #[command(flatten)]
    pub(crate) drawn: Drawn,
    /// A neuron of the accumulator, from 0; may be given several times
    #[arg(long, value_name = "N")]
    pub(crate) neuron: Vec<usize>,
    /// A PSQT output, from 0; may be given several times
    #[arg(long, value_name = "N")]
    pub(crate) psqt: Vec<usize>,
    /// Without --neuron and --psqt: draw the N neurons with the greatest weights
    #[arg(long, value_name = "N", default_value_t = 8, conflicts_with_all = ["neuron", "psqt"])]
    pub(crate) strongest: usize,
    /// The square of the own king; may be given several times [default: g1]
    #[arg(long, value_name = "SQUARE")]
    pub(crate) king: Vec<String>,
    /// Draw every king bucket, each for one of its squares
    #[arg(long, conflicts_with = "king")]
    pub(crate) every_king: bool,
    /// For feature sets with attacks: pieces that are unattacked (0), attacked (1), defended (2) or both (3); may be given several times
    #[arg(long, value_name = "N")]
    pub(crate) standing: Vec<usize>,
    /// Draw the weights of the second perspective, if it has its own
    #[arg(long)]
    pub(crate) second: bool,
    /// What the full colour means. `board` subtracts the board's mean, which is printed above it, so that squares can be compared where all weights
    /// are large, as in PSQT weights
    #[arg(long, value_enum, value_name = "OF", default_value = "line")]
    pub(crate) scale: ScaleOf,
}

/// What the full colour means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScaleOf {
    /// the greatest magnitude of the picture
    Sheet,
    /// the greatest magnitude of the line
    Line,
    /// the greatest distance from the mean of the board
    Board,
}

/// The positions in which neurons are observed.
#[derive(Args, Clone, Debug)]
pub(crate) struct SeenArgs {
    /// Positions, one FEN per line, `-` for standard input; without it the built-in ones
    #[arg(long, value_name = "FILE", conflicts_with = "rows")]
    pub(crate) fens: Option<PathBuf>,
    /// Lists of rows, as `nnue eval --rows` reads them, of a network over `rows[..]`
    #[arg(long, value_name = "FILE")]
    pub(crate) rows: Option<PathBuf>,
    /// Use at most N positions, spread evenly over the file
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) positions: u32,
}

#[cfg(feature = "plot")]
impl SeenArgs {
    /// The options that name files.
    pub(crate) fn files(&self) -> [(&'static str, Option<PathBuf>); 2] {
        [("--fens", self.fens.clone()), ("--rows", self.rows.clone())]
    }
}

/// Activity of neurons in positions: histograms, dead and saturated neurons
///
/// Evaluates positions with the reference interpreter. Draws how often each neuron of the accumulator is active, and a histogram of every activation.
/// Prints the neurons that are never active (dead) and those that are always at their maximum (saturated).
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  nnue plot neurons --net nn-ad9b42354671.nnue --fens positions.txt -o neurons.svg"
)]
pub(crate) struct NeuronsArgs {
    #[command(flatten)]
    pub(crate) drawn: Drawn,
    #[command(flatten)]
    pub(crate) seen: SeenArgs,
}

/// Contribution of each piece to the value of a position
///
/// The number on a piece is the value of the position minus its value without that piece, for White, in the network's own unit. Removing a piece
/// changes all rows that depend on it, and possibly the layer stack, so the contributions do not add up to the value. Kings have none, because every
/// position needs them.
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  nnue plot pieces --fen '4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1' -o pieces.svg"
)]
pub(crate) struct PiecesArgs {
    #[command(flatten)]
    pub(crate) drawn: Drawn,
    /// A position; may be given several times; without it the start position
    #[arg(long, value_name = "FEN")]
    pub(crate) fen: Vec<String>,
}

/// Contribution of each row to the value of a list, of a network over `rows[..]`
///
/// The bar of a row is the value of the list minus its value without that row, before both are rounded (`real` of `nnue eval --rows --json`). The rows
/// that contribute most are at the top. Contributions do not add up to the value.
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  printf '3 17 40\\n' | nnue plot rows --declaration ranker.rs --net ranker.nnue --rows - -o rows.svg"
)]
pub(crate) struct RowsArgs {
    #[command(flatten)]
    pub(crate) drawn: Drawn,
    /// Lists of rows and changes, as `nnue eval --rows` reads them: a picture for each line
    #[arg(long, value_name = "FILE")]
    pub(crate) rows: PathBuf,
}

/// Draw the value along games
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  printf 'mate\\trnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\\tf2f3 e7e5 g2g4 d8h4\\n' | nnue plot game --games - -o mate.svg

Games in PGN: `nnue analyze games.pgn --plots FOLDER`, if this program is built with --features backends.")]
pub(crate) struct GameArgs {
    #[command(flatten)]
    pub(crate) drawn: Drawn,
    /// A file of games, `-` for standard input; each line has an id, a start FEN and UCI moves, separated by tabs
    #[arg(long, value_name = "FILE")]
    pub(crate) games: PathBuf,
}

/// Write an HTML page with all pictures of a network
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  nnue plot report --net nn-ad9b42354671.nnue -o nn-ad9b42354671.html"
)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    pub(crate) drawn: Drawn,
    #[command(flatten)]
    pub(crate) seen: SeenArgs,
    /// A position for the contributions of pieces; may be given several times; without it one with all kinds of pieces
    #[arg(long, value_name = "FEN")]
    pub(crate) fen: Vec<String>,
    /// A file of games for the value along games; each line has an id, a start FEN and UCI moves, separated by tabs
    #[arg(long, value_name = "FILE")]
    pub(crate) games: Option<PathBuf>,
}
