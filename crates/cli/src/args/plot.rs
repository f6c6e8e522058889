//! The command line of pictures.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{DeclarationArgs, NetArgs};

/// Draw a network: weights as boards, histograms, neurons, contributions of pieces, games
///
/// Writes one file: an SVG, a PNG (if this program is built with --features png), or of `report` a page of HTML that has everything in it. Every
/// network that the command reads can be drawn, also with --declaration.
#[derive(Args, Debug)]
#[command(after_help = PLOT_HELP)]
pub(crate) struct PlotArgs {
    #[command(subcommand)]
    pub(crate) what: Plot,
}

const PLOT_HELP: &str = "\
Examples:
  nnue plot report -o default.html                 a page about the network that is built in
  nnue plot weights --net nn-ad9b42354671.nnue --psqt 0 --king g1 --king b1 -o psqt.svg
  nnue plot weights --net nn-ad9b42354671.nnue --neuron 7 --every-king -o neuron-7.svg
  nnue plot neurons --net nn-ad9b42354671.nnue --fens positions.txt -o neurons.svg
  nnue plot pieces --fen 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3' -o pieces.svg
  nnue plot tensors --declaration network.rs --net quantised.bin -o tensors.svg

docs/pictures.md explains how to read the pictures.";

/// What is drawn.
#[derive(Debug, Subcommand)]
pub(crate) enum Plot {
    Weights(WeightsArgs),
    Buckets(NetworkArgs),
    Tensors(NetworkArgs),
    Neurons(NeuronsArgs),
    Pieces(PiecesArgs),
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
    /// The file of the picture, whole or not at all; its name ends with .svg or .png, of a report with .html
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

/// A picture of the network alone.
///
/// `buckets`: which copy of the weights each square of the own king chooses, and where the board is mirrored. `tensors`: a histogram of the
/// numbers of each tensor.
#[derive(Args, Debug)]
pub(crate) struct NetworkArgs {
    #[command(flatten)]
    pub(crate) drawn: Drawn,
}

/// Weights of the feature transformer as boards
///
/// One line of boards for each neuron (or PSQT output) and square of the own king: own pawn to own king, then the enemy's pieces. The board is
/// as White sees it, with White as the side whose accumulator it is: a1 is at the bottom on the left. Blue is above 0, red below, grey has no
/// weight.
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
    /// Without --neuron and --psqt: this many neurons, those with the greatest weights
    #[arg(long, value_name = "N", default_value_t = 8, conflicts_with_all = ["neuron", "psqt"])]
    pub(crate) strongest: usize,
    /// The square of the own king; may be given several times; without it g1
    #[arg(long, value_name = "SQUARE")]
    pub(crate) king: Vec<String>,
    /// A square of the own king for each copy of the weights
    #[arg(long, conflicts_with = "king")]
    pub(crate) every_king: bool,
    /// Where rows tell attacks apart: pieces that are unattacked (0), attacked (1), defended (2) or both (3); may be given several times
    #[arg(long, value_name = "N")]
    pub(crate) standing: Vec<usize>,
    /// The weights of the second perspective, where it has its own
    #[arg(long)]
    pub(crate) second: bool,
    /// What the full colour stands for: the greatest magnitude of the sheet, of each line, or of each board. Then numbers are shown less their
    /// mean, which stands above the board: so squares can be compared where all numbers are large, as in PSQT weights
    #[arg(long, value_enum, value_name = "OF", default_value = "line")]
    pub(crate) scale: ScaleOf,
}

/// What the full colour stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScaleOf {
    /// the greatest magnitude of all
    Sheet,
    /// the greatest magnitude of the line
    Line,
    /// the greatest distance from the mean of the board
    Board,
}

/// Which positions neurons are seen in.
#[derive(Args, Clone, Debug)]
pub(crate) struct SeenArgs {
    /// Positions, one FEN per line, `-` for standard input; without it those that are built in
    #[arg(long, value_name = "FILE")]
    pub(crate) fens: Option<PathBuf>,
    /// At most so many of them, spread evenly over all
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) positions: u32,
}

/// What neurons do in positions: histograms, and which are dead or saturated
///
/// Evaluates positions with the reference interpreter, draws how often neurons of the accumulator are active and a histogram of every activation, and
/// prints which neurons are never active (dead) or always at their greatest value (saturated).
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

/// What each piece contributes to the value of a position
///
/// On each piece stands the value less the value of the position without it, for White, in the network's own unit. Taking a piece away changes all
/// rows that depend on it, and perhaps the layers, where the number of pieces chooses them; so contributions do not add up to the value. Kings have
/// none: no position is without them, and where they choose the rows of all other pieces there is nothing that could be left out.
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

/// The value along games
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  printf 'mate\\trnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\\tf2f3 e7e5 g2g4 d8h4\\n' | nnue plot game --games - -o mate.svg

Games in PGN: `nnue analyze games.pgn --plots FOLDER`, if this program is built with --features backends.")]
pub(crate) struct GameArgs {
    #[command(flatten)]
    pub(crate) drawn: Drawn,
    /// A file of games, `-` for standard input; each line: id, start FEN, UCI moves, separated by tabs
    #[arg(long, value_name = "FILE")]
    pub(crate) games: PathBuf,
}

/// A page about a network: all pictures in one file of HTML
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  nnue plot report --net nn-ad9b42354671.nnue -o nn-ad9b42354671.html"
)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    pub(crate) drawn: Drawn,
    #[command(flatten)]
    pub(crate) seen: SeenArgs,
    /// A position whose pieces are shown; may be given several times; without it one with all kinds of pieces
    #[arg(long, value_name = "FEN")]
    pub(crate) fen: Vec<String>,
    /// A file of games whose values are shown; each line: id, start FEN, UCI moves, separated by tabs
    #[arg(long, value_name = "FILE")]
    pub(crate) games: Option<PathBuf>,
}
