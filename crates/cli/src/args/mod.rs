//! The command line, with the help that teaches it.

pub(crate) mod backends;
mod convert;
mod export;
mod golden;
mod import;
pub(crate) mod plot;
pub(crate) mod rescore;
mod suggested;
#[cfg_attr(not(feature = "train"), path = "without_train.rs")]
pub(crate) mod train;

use std::path::PathBuf;

use crate::shell::{CompletionsArgs, ManArgs};
use clap::{Args, Parser, Subcommand, ValueEnum};
use nnue_tools::calibrate::{Method, USUAL_PERCENTILE};

use crate::declaration;
use crate::error::Error;
use crate::input::is_position;
pub(crate) use convert::ConvertArgs;
#[cfg(feature = "graphs")]
pub(crate) use export::ExportOnnxArgs;
pub(crate) use export::{ExportArgs, ExportTo};
pub(crate) use golden::GoldenArgs;
pub(crate) use import::{ImportArgs, ImportFrom, ImportNetArgs};
#[cfg(feature = "graphs")]
pub(crate) use import::{ImportGraphArgs, Recorded};
use suggested::{Suggested, architectures, levels};

/// Evaluate, inspect, verify and measure efficiently updatable neural networks for chess.
#[derive(Debug, Parser)]
#[command(name = "nnue", version, propagate_version = true, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  nnue eval                                        the start position, with the network that is built in
  nnue eval --fen '4k3/8/8/8/8/8/8/3QK3 w - - 0 1'   another position
  nnue eval nn-1c0000000000.nnue                   with a network of Stockfish (recognised from the file)
  nnue inspect nn-1c0000000000.nnue                what is in a file
  nnue verify nn-1c0000000000.nnue                 is every instruction level exact?
  nnue bench --level avx2 --level scalar           how fast is it?
  nnue convert nn-ad9b42354671.nnue -o nn-ad9b42354671.nnue.zst
                                                   the same network in another form of file
  nnue optimize nn-ad9b42354671.nnue -o fast.nnue  the same network with its neurons in a better order
  nnue quantize weights.bin --declaration network.rs -o network.bin
                                                   quantise the float weights of a trainer
  nnue expand network.rs                           what does the macro write for my declaration?
  nnue eval --declaration network.rs --net quantised.bin
                                                   your own network, as the trainer bullet saves it
  nnue import bullet --net quantised.bin           how is such a file declared?
  nnue golden --declaration network.rs --net quantised.bin
                                                   test values that are checked whenever the file is loaded
  nnue export bullet --declaration network.rs      how does the trainer save such a file?

If it is built with --features plot:
  nnue plot report -o network.html                 a page of pictures: weights, neurons, contributions of pieces

If it is built with --features backends:
  nnue backends                                    which backends and options are there?
  nnue bench --backend 'cached(nnue)'              how many positions per second does a backend evaluate?
  nnue analyze games.pgn --cache games.cache       what does the network say about all games of a file?

If it is built with --features rescore:
  nnue rescore games.binpack --net nn-1c0000000000.nnue -o rescored.binpack
                                                   training data with the scores of a network

If it is built with --features train:
  nnue train first.toml                            train the network of a configuration file
  nnue data stats games.binpack                    what is in a file of training data?

A released Stockfish writes its network into a file with the command `export_net`.";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Eval(EvalArgs),
    Inspect(InspectArgs),
    Archs(ArchsArgs),
    Verify(VerifyArgs),
    Bench(BenchArgs),
    Convert(ConvertArgs),
    Optimize(OptimizeArgs),
    Quantize(QuantizeArgs),
    Plot(plot::PlotArgs),
    Expand(ExpandArgs),
    Golden(GoldenArgs),
    Export(ExportArgs),
    Import(ImportArgs),
    Backends(backends::BackendsArgs),
    Analyze(backends::AnalyzeArgs),
    Cache(backends::CacheArgs),
    Rescore(rescore::RescoreArgs),
    Train(train::TrainArgs),
    Data(train::DataArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Which network.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct NetArgs {
    /// The network file; without it the built-in network
    #[arg(long, value_name = "FILE")]
    pub(crate) net: Option<PathBuf>,
    /// The architecture of the network (see `nnue archs`); without it, it is recognised from the file
    #[arg(long, value_name = "NAME", value_parser = Suggested(architectures), hide_possible_values = true)]
    pub(crate) arch: Option<String>,
}

/// A declaration that is read when the command runs.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct DeclarationArgs {
    /// Your own declaration of the network: Rust source with `nnue! { .. }`, or the declaration alone, `-` for standard input; NAME chooses
    /// one of several. It runs on the built-in SIMD kernels; nothing is compiled
    #[arg(long, value_name = "FILE[:NAME]", allow_hyphen_values = true, value_parser = declaration::argument, conflicts_with = "arch")]
    pub(crate) declaration: Option<String>,
}

/// Evaluate positions or games
///
/// Prints the PSQT and positional parts of every bucket and the value in the network's own unit, for the side to move. Positions need not be
/// legal, but each side needs one king, and there can be at most 32 pieces.
#[derive(Args, Debug)]
#[command(after_help = EVAL_EXAMPLES)]
pub(crate) struct EvalArgs {
    /// The network file, and positions: FEN, EPD, `startpos`, `position startpos moves e2e4`
    #[arg(value_name = "FILE|FEN")]
    inputs: Vec<String>,
    #[command(flatten)]
    pub(crate) net: NetArgs,
    #[command(flatten)]
    pub(crate) declared: DeclarationArgs,
    /// A position: FEN, EPD, `startpos`, `position startpos moves e2e4`; may be given several times
    #[arg(long, value_name = "FEN", conflicts_with = "games")]
    pub(crate) fen: Vec<String>,
    /// A file of positions, one FEN per line, `-` for standard input; text after a tab is ignored
    #[arg(long, value_name = "FILE", conflicts_with = "games")]
    pub(crate) fens: Option<PathBuf>,
    /// A file of games, `-` for standard input; each line has an id, a start FEN and UCI moves, separated by tabs
    #[arg(long, value_name = "FILE")]
    pub(crate) games: Option<PathBuf>,
    /// Compute every ply of a game from scratch instead of incrementally
    #[arg(long, requires = "games")]
    pub(crate) refresh: bool,
    /// A file of lists of rows, `-` for standard input, for a declared network over `rows[..]`; see below
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "fens", "games"], requires = "declaration")]
    pub(crate) rows: Option<PathBuf>,
    /// Print an object of JSON for each position or line
    #[arg(long, conflicts_with = "tsv")]
    pub(crate) json: bool,
    /// The instruction level; without it the best one of this processor
    #[arg(long, value_name = "LEVEL", value_parser = Suggested(levels), hide_possible_values = true)]
    pub(crate) level: Option<String>,
    /// Print raw integers, tab-separated, with a header line
    #[arg(long)]
    pub(crate) tsv: bool,
    #[command(flatten)]
    pub(crate) backend: backends::EvalBackend,
}

impl EvalArgs {
    /// Puts the arguments without names where `--net` and `--fen` put theirs.
    pub(crate) fn sort(&mut self) -> Result<(), Error> {
        for input in std::mem::take(&mut self.inputs) {
            if is_position(&input) {
                self.fen.push(input);
            } else if let Some(net) = &self.net.net {
                return Err(Error::Argument(format!(
                    "`{}` is not a position, and the network is already {}: quote a position that has spaces, \
                     'startpos moves e2e4'",
                    input.escape_default(),
                    net.display()
                )));
            } else {
                self.net.net = Some(input.into());
            }
        }
        if self.games.is_some() && !self.fen.is_empty() {
            return Err(Error::Argument(
                "--games reads games: a position beside it has no place".into(),
            ));
        }
        Ok(())
    }
}

const EVAL_EXAMPLES: &str = "\
Examples:
  nnue eval nn-ad9b42354671.nnue 'position startpos moves e2e4 e7e5'
  nnue eval --fen 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3'
  nnue eval --net nn-ad9b42354671.nnue --fens positions.txt --tsv
  nnue eval --declaration network.rs --net quantised.bin
  printf '1\\trnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\\te2e4 e7e5\\n' | nnue eval --games - --tsv

A declaration (network.rs) for a file of the trainer bullet, which has no header:
  pub struct Simple = (768 -> 128)x2 @ 255 screlu -> 1: i16 @ 64 { format raw };

Lines of --rows:   3 17 40            a list of active rows; spaces or commas between them
                   3 17 | 8 9 b       two lists, for networks with two perspectives; `b`: the second one is to move
                   +5 -17             a change of the list of the line before: row 5 is added, row 17 removed
                   w                  no rows (blank lines are skipped)

Columns of --tsv:  fen bucket psqt positional value                for positions
                   game ply pieces bucket psqt positional value    for games
                   rows psqt positional value bits                 for --rows
With --declaration, after them:
                   raw_sum                                         with 16-bit weights: the sum before the division
                   bits                                            with floats: the output as 8 hexadecimal digits";

/// Show what is in a network file
///
/// Prints the header, the matching declaration, the shape, type, range and histogram of every tensor, and bounds of all sums that hold in every
/// reachable position.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  nnue inspect nn-ad9b42354671.nnue\n  nnue inspect quantised.bin --declaration network.rs"
)]
pub(crate) struct InspectArgs {
    /// The network file; without it the built-in network
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// The architecture of the network (see `nnue archs`); without it, it is recognised from the file
    #[arg(long, value_name = "NAME", value_parser = Suggested(architectures), hide_possible_values = true)]
    pub(crate) arch: Option<String>,
    /// Print offset, length, type and axes of everything in the file instead
    #[arg(long)]
    pub(crate) layout: bool,
    #[command(flatten)]
    pub(crate) declared: DeclarationArgs,
}

/// List the known declarations
#[derive(Args, Debug)]
pub(crate) struct ArchsArgs {
    /// Print an object of JSON for each
    #[arg(long)]
    pub(crate) json: bool,
}

/// Check every instruction level against the reference interpreter
///
/// Plays random legal games. At every ply it compares each level of this machine with the reference interpreter, and incremental accumulators
/// with fresh ones. With --declaration it also checks that the file has exactly the declared size and the golden values (unless the network calls
/// functions of your program), that writing it gives the same bytes, and that no sum can overflow.
#[derive(Args, Debug)]
#[command(after_help = VERIFY_EXAMPLES)]
pub(crate) struct VerifyArgs {
    /// The network file; without it the built-in network
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// The architecture of the network (see `nnue archs`); without it, it is recognised from the file
    #[arg(long, value_name = "NAME", value_parser = Suggested(architectures), hide_possible_values = true)]
    pub(crate) arch: Option<String>,
    #[command(flatten)]
    pub(crate) declared: DeclarationArgs,
    /// Number of random games
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub(crate) games: u64,
    /// Seed of the random games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

const VERIFY_EXAMPLES: &str = "\
Examples:
  nnue verify
  nnue verify nn-ad9b42354671.nnue --games 20 --seed 7
  nnue verify quantised.bin --declaration network.rs";

/// Measure the speed of a network
///
/// Prints nanoseconds per operation, and the ratio to `replay`, a plain loop that adds the same rows of weights. Ratios can be compared between
/// machines, nanoseconds cannot. Positions and games are built in.
#[derive(Args, Debug)]
#[command(after_help = BENCH_EXAMPLES)]
pub(crate) struct BenchArgs {
    /// The network file, as with --net
    #[arg(value_name = "FILE", conflicts_with = "net")]
    file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) net: NetArgs,
    #[command(flatten)]
    pub(crate) declared: DeclarationArgs,
    /// The instruction level; may be given several times; without it the best one of this processor
    #[arg(long, value_name = "LEVEL", value_parser = Suggested(levels), hide_possible_values = true)]
    pub(crate) level: Vec<String>,
    /// Runs of each workload; the median is reported
    #[arg(long, value_name = "N", default_value_t = 21)]
    pub(crate) repetitions: usize,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(crate) json: bool,
    /// Instead of the workloads, measure how time grows with widths, rows, nonzero inputs and threads
    #[arg(long, group = "instead", conflicts_with_all = ["file", "net", "arch", "declaration"])]
    pub(crate) growth: bool,
    /// Instead of the workloads, lists of rows and changes of a file, one a line as for `nnue eval --rows`, `-` for standard input: each from
    /// scratch, and along the changes
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "instead",
        requires = "declaration"
    )]
    pub(crate) rows: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) plans: PlansArgs,
    #[command(flatten)]
    pub(crate) batch: BatchArgs,
    #[command(flatten)]
    pub(crate) backend: backends::BenchBackend,
}

impl BenchArgs {
    /// Puts the argument without a name where `--net` puts its own.
    pub(crate) fn sort(&mut self) {
        self.net.net = self.file.take().or(self.net.net.take());
    }
}

/// Measurements of layer kernels.
#[derive(Args, Clone, Debug)]
pub(crate) struct PlansArgs {
    /// Instead of the workloads, measure every kernel that can compute each layer, on activations of real positions; the kernel in use is marked
    #[arg(long, group = "instead")]
    pub(crate) plans: bool,
    /// With --plans: measure synthetic layers instead of those of a network, with 32 to 4096 inputs (1 to 100 % of them nonzero) and 1 to 256
    /// outputs
    #[arg(long, requires = "plans", conflicts_with_all = ["file", "net", "arch", "declaration"])]
    pub(crate) shapes: bool,
}

/// Measurements of batches.
#[derive(Args, Clone, Debug)]
pub(crate) struct BatchArgs {
    /// Instead of the workloads, measure unrelated positions in batches of 16, 256 and 4096, and the same positions one by one
    #[arg(long, group = "instead")]
    pub(crate) batch: bool,
    /// With --batch: the positions, one FEN per line, `-` for standard input; without it positions a few random moves after those of the
    /// built-in games
    #[arg(long, value_name = "FILE", requires = "batch")]
    pub(crate) positions: Option<PathBuf>,
    /// With --batch or --growth: the number of threads; may be given several times [default: 1 and 2]
    #[arg(long, value_name = "N", requires = "instead")]
    pub(crate) threads: Vec<usize>,
}

const BENCH_EXAMPLES: &str = "\
Examples:
  nnue bench
  taskset -c 1 nnue bench --net nn-ad9b42354671.nnue --level avx2 --level avx512vnni
  nnue bench --net quantised.bin --declaration network.rs
  nnue bench --net nn-ad9b42354671.nnue --batch --threads 1 --threads 4 --positions games.fen
  nnue bench --net ranker.nnue --declaration ranker.rs --rows lists.txt
  nnue bench --growth
  nnue bench --net nn-ad9b42354671.nnue --plans
  nnue bench --plans --shapes --level avx2

Workloads:
  replay     a plain loop that loads, subtracts, adds and stores the rows of nk: the unit of the ratios
  update     nk without forward passes: accumulator updates only
  nk         games without king moves: every ply is incremental for both sides
  line       whole games, evaluated at every ply
  tree       every leaf two plies below a position: lazy updates
  children   the same leaves, one call for all replies to a move
  refresh    from scratch: cache cleared; warm from another position; holding the same position
  forward    forward passes only: along games; over 64 positions in rotation

Rows of --batch, over 8192 positions; before the measurement, all values are compared with those of single evaluations:
  fresh      each position from scratch
  stack      each position in an accumulator stack: with an empty refresh cache; with a cache of the positions before
  batches    N positions in one call, which sorts them so that neighbours share rows of weights

Tables of --growth, with random weights, whose rows are in the second-level cache or in memory:
  rows       accumulator updates: N neurons, N rows of pieces; rows of two pieces and N pairs
  layers     forward passes by width of the accumulator and number of nonzero inputs
  threads    the same passes on several threads at once
The last line is a least-squares fit: cost per operation, per row or neuron, and per byte or product

Kernels of --plans; they compute the same sums, which are checked before the measurement:
  listed blocks   only nonzero blocks of four inputs, from a list; making the list is part of the time
  all blocks      all blocks of four inputs
  whole vectors   a dot product of vectors for each output
  listed inputs   only nonzero inputs, from a list, four at a time; for many outputs
The estimate is the time that the planner expects, from constants of the level";

/// Reorder the neurons of a network so that it is faster
///
/// Kernels skip blocks of four inputs of the first layer that are all zero. This command measures which neurons are zero in the same positions,
/// places them next to each other, and permutes the weights accordingly. Every evaluation stays the same; this is checked in all positions before
/// the file is written. Engines load the new file like the old one.
#[derive(Args, Debug)]
#[command(after_help = OPTIMIZE_EXAMPLES)]
pub(crate) struct OptimizeArgs {
    /// The network file
    #[arg(value_name = "NET")]
    pub(crate) file: PathBuf,
    /// The architecture of the network (see `nnue archs`); without it, it is recognised from the file
    #[arg(long, value_name = "NAME", value_parser = Suggested(architectures), hide_possible_values = true)]
    pub(crate) arch: Option<String>,
    #[command(flatten)]
    pub(crate) declared: DeclarationArgs,
    /// Typical positions, one FEN per line, `-` for standard input; without it those of the built-in games. At most 4096 are used, spread over
    /// the whole file
    #[arg(long, value_name = "FILE")]
    pub(crate) positions: Option<PathBuf>,
    /// The file to write; without it nothing is written
    #[arg(long, short, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// The instruction level to measure with; without it the best one of this processor
    #[arg(long, value_name = "LEVEL", value_parser = Suggested(levels), hide_possible_values = true)]
    pub(crate) level: Option<String>,
    /// Runs of each measurement; the median is reported
    #[arg(long, value_name = "N", default_value_t = 21)]
    pub(crate) repetitions: usize,
}

const OPTIMIZE_EXAMPLES: &str = "\
Examples:
  nnue optimize nn-ad9b42354671.nnue
  nnue optimize nn-ad9b42354671.nnue --positions positions.txt -o fast.nnue
  nnue optimize quantised.bin --declaration network.rs -o fast.bin

The report compares, before and after:
  blocks     the share of zero blocks of four: in the positions that chose the order, and in other positions
  inputs     the share of zero inputs, which no order changes: an upper bound for blocks
  forward    the forward pass without accumulator updates, along the built-in games and over 64 positions in rotation";

/// Quantise a trained float network
///
/// Multiplies every weight by the scale of its tensor, which follows from the declaration, rounds it and writes the network file. Reads
/// safetensors, bullet's `optimiser_state/weights.bin` (named tensors), bullet's `raw.bin` (unnamed tensors in the order of the declaration), JSON of
/// named lists (marlinflow), numpy's `.npz` (in a build with graphs), a `.npy` with all floats in one list, and a folder with a file for each
/// tensor (l0w.npy or l0w.bin).
/// For every tensor, the report lists weights that are out of range and the rounding errors; it also compares values of the quantised network
/// with those of the float network.
///
/// A network over a dense input keeps its floats: tensors are found by their names in the declaration or in PyTorch (conv0_weight,
/// conv0.weight).
#[derive(Args, Debug)]
#[command(after_help = QUANTIZE_EXAMPLES)]
pub(crate) struct QuantizeArgs {
    /// The file of float weights, or a folder with a file for each tensor
    #[arg(value_name = "FLOATS")]
    pub(crate) file: PathBuf,
    /// The architecture of the network (see `nnue archs`)
    #[arg(long, value_name = "NAME", value_parser = Suggested(architectures), hide_possible_values = true)]
    pub(crate) arch: Option<String>,
    #[command(flatten)]
    pub(crate) declared: DeclarationArgs,
    /// The file to write; without it nothing is written
    #[arg(long, short, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// How to round: `truncate` towards zero, which is bullet's default, or to the `nearest` integer, halves away from zero
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Round::Truncate)]
    pub(crate) round: Round,
    /// Add a factoriser's rows to the rows of every king bucket: the tensor NAME, or `first` if its rows precede the others in the same
    /// tensor
    #[arg(long, value_name = "NAME|first", num_args = 0..=1, require_equals = true, default_missing_value = "l0f")]
    pub(crate) factoriser: Option<String>,
    /// The name of a tensor in the file, if it is neither bullet's (l0w, l0b, l1w, ..) nor the declared one; may be given several times
    #[arg(long, value_name = "TENSOR=NAME")]
    pub(crate) name: Vec<String>,
    /// The scale of a tensor, instead of the one that follows from the declaration; may be given several times
    #[arg(long, value_name = "TENSOR=NUMBER")]
    pub(crate) factor: Vec<String>,
    /// A tensor of the file to ignore; may be given several times
    #[arg(long, value_name = "NAME")]
    pub(crate) ignore: Vec<String>,
    /// Clamp weights that are out of range, and count them; without it they are an error
    #[arg(long)]
    pub(crate) saturate: bool,
    /// Positions for the comparison, one FEN per line, `-` for standard input; without it those of the built-in suite
    #[arg(long, value_name = "FILE", group = "samples")]
    pub(crate) positions: Option<PathBuf>,
    /// Lists of rows for the comparison, as `nnue eval --rows` reads them, of a network over `rows[..]`
    #[arg(long, value_name = "FILE", group = "samples")]
    pub(crate) rows: Option<PathBuf>,
    /// Choose the scale of every activation from its float values in --positions or --rows. The end of its range is the maximum (`max`), the 99.99th
    /// percentile (`percentile`, or `percentile=P`), or minimises the squared error (`mse`) or the Kullback-Leibler divergence (`kl`)
    #[arg(long, value_name = "METHOD", value_parser = calibration_method, requires = "samples")]
    pub(crate) calibrate: Option<Method>,
    /// The clipped ReLU activations that are plain ReLU in the float network, also inside squares and products
    #[arg(long, value_name = "WHAT", value_enum, requires = "calibrate")]
    pub(crate) unclipped: Option<Unclipped>,
    /// Draw the distribution of each activation and the range that each method chooses, as SVG files in this folder
    #[arg(long, value_name = "FOLDER", requires = "calibrate")]
    pub(crate) plots: Option<PathBuf>,
}

#[cfg(feature = "graphs")]
impl QuantizeArgs {
    /// The arguments for a file, with defaults for the rest.
    pub(crate) fn new(file: PathBuf, round: Round) -> Self {
        Self {
            file,
            arch: None,
            declared: DeclarationArgs::default(),
            output: None,
            round,
            factoriser: None,
            name: Vec::new(),
            factor: Vec::new(),
            ignore: Vec::new(),
            saturate: false,
            positions: None,
            rows: None,
            calibrate: None,
            unclipped: None,
            plots: None,
        }
    }
}

/// The activations that are not clipped in the float network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Unclipped {
    /// those of layers
    Layers,
    /// those of the accumulators and of layers
    All,
}

/// Reads the value of `--calibrate`.
fn calibration_method(text: &str) -> Result<Method, String> {
    match text.split_once('=') {
        None if text == "max" => Ok(Method::Max),
        None if text == "percentile" => Ok(Method::Percentile(USUAL_PERCENTILE)),
        None if text == "mse" => Ok(Method::Mse),
        None if text == "kl" => Ok(Method::Kl),
        Some(("percentile", percent)) => {
            let percent = percent
                .parse()
                .ok()
                .filter(|percent: &f64| *percent > 0.0 && *percent <= 100.0);
            percent
                .map(Method::Percentile)
                .ok_or_else(|| "a percentile is above 0 and at most 100".to_owned())
        }
        _ => {
            Err("the methods are `max`, `percentile`, `percentile=99.9`, `mse` and `kl`".to_owned())
        }
    }
}

/// How to round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Round {
    /// towards zero
    Truncate,
    /// to the nearest integer, halves away from zero
    Nearest,
}

const QUANTIZE_EXAMPLES: &str = "\
Examples:
  nnue quantize optimiser_state/weights.bin --declaration network.rs -o network.bin
  nnue quantize optimiser_state/weights.bin --declaration network.rs --factoriser --round nearest -o network.bin
  nnue quantize model.safetensors --arch sfnnv5 --round nearest --name ft_weight=input.weight --factor fc2_weight=75.59
  nnue quantize net.safetensors --declaration net.rs --round nearest --calibrate kl --positions games.fen --plots plots -o network.bin
  nnue quantize digits.safetensors --declaration digits.rs --name conv0_weight=features.0.weight -o digits.bin

Names and order of the weights:
  l0w l0b    ft_weight, ft_bias: all neurons of feature 0, then of feature 1, ..; safetensors of shape [neurons, features] are transposed
  l1w l1b    fc0_weight, fc0_bias: all outputs of input 0, then of input 1, ..; safetensors of shape [outputs, inputs] are transposed.
             With output buckets: the outputs of bucket 0, then of bucket 1, ..
A raw.bin contains no factoriser that bullet merges when it saves the network: use optimiser_state/weights.bin";

/// Show the code that the macro generates
///
/// Reads Rust source with `nnue! { ... }`, or a declaration alone, and prints the expansion, formatted.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  echo 'pub struct Tiny = Chess768[..] -> 64x2 -> 1;' | nnue expand\n  echo 'pub struct Tiny = Chess768[..] -> 64x2 -> 1;' | nnue expand --graph"
)]
pub(crate) struct ExpandArgs {
    /// Print the declarations in the graph form instead, with all that they leave to defaults
    #[arg(long)]
    pub(crate) graph: bool,
    /// The source; without it, or with `-`, standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Cli;

    /// Every help text of a command and its subcommands.
    fn help_texts(command: &mut clap::Command) -> Vec<String> {
        let mut texts = vec![command.render_long_help().to_string()];
        texts.extend(command.get_subcommands_mut().flat_map(help_texts));
        texts
    }

    /// Phrases of sentences that were read twice: the actor, the noun or the field's word is missing.
    #[test]
    fn help_is_plain_english() {
        let phrases = [
            " is told",
            " are told",
            "told apart",
            "of which",
            "by which",
            "so many",
            "whole number",
            "one's own",
            "stands for what",
        ];
        for text in help_texts(&mut Cli::command()) {
            for phrase in phrases {
                assert!(!text.contains(phrase), "`{phrase}` is in:\n{text}");
            }
        }
    }
}
