//! The command line, with the help that teaches it.

pub(crate) mod backends;
mod export;
mod golden;
mod head;
mod import;
pub(crate) mod plot;
pub(crate) mod rescore;
#[cfg_attr(not(feature = "train"), path = "without_train.rs")]
pub(crate) mod train;

use std::path::PathBuf;

use crate::shell::{CompletionsArgs, ManArgs};
use clap::{Args, Parser, Subcommand, ValueEnum};
use nnue_tools::calibrate::{Method, USUAL_PERCENTILE};

use crate::declaration;
use crate::error::Error;
use crate::input::is_position;
#[cfg(feature = "graphs")]
pub(crate) use export::ExportOnnxArgs;
pub(crate) use export::{ExportArgs, ExportTo};
pub(crate) use golden::GoldenArgs;
pub(crate) use head::{Head, Is};
pub(crate) use import::{ImportArgs, ImportBulletArgs, ImportFrom};
#[cfg(feature = "graphs")]
pub(crate) use import::{ImportGraphArgs, Recorded};

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
  nnue optimize nn-ad9b42354671.nnue -o fast.nnue  the same network with its neurons in a better order
  nnue quantize weights.bin --declaration network.rs -o network.bin
                                                   a network of the floats of a trainer
  nnue expand network.rs                           what does the macro write for my declaration?
  nnue eval --declaration network.rs --net quantised.bin
                                                   a network of one's own, as the trainer bullet saves it
  nnue import bullet --net quantised.bin           how is such a file declared?
  nnue golden --declaration network.rs --net quantised.bin
                                                   values that every load of the file is checked with
  nnue export bullet --declaration network.rs      what must the trainer save for it?

If it is built with --features plot:
  nnue plot report -o network.html                 a page of pictures: weights, neurons, contributions of pieces

If it is built with --features backends:
  nnue backends                                    which backends are there, and with which options?
  nnue bench --backend 'cached(nnue)'              how many positions a second do they evaluate?
  nnue analyze games.pgn --cache games.cache       what does the network say about all games of a file?

If it is built with --features rescore:
  nnue rescore games.binpack --net nn-1c0000000000.nnue -o rescored.binpack
                                                   training data with the scores of a network

If it is built with --features train:
  nnue train first.toml                            train a network as a file says
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
    /// The network file; without it the network that is built into this program
    #[arg(long, value_name = "FILE")]
    pub(crate) net: Option<PathBuf>,
    /// The declaration to read it with (see `nnue archs`); without it the file decides
    #[arg(long, value_name = "NAME")]
    pub(crate) arch: Option<String>,
}

/// A declaration that is read when the command runs.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct DeclarationArgs {
    /// A declaration of one's own to read the file with: Rust source with `nnue! { .. }`, or the declaration alone, `-` for standard
    /// input; NAME chooses one of several. It runs on the built-in SIMD kernels; nothing is compiled
    #[arg(long, value_name = "FILE[:NAME]", allow_hyphen_values = true, value_parser = declaration::argument, conflicts_with = "arch")]
    pub(crate) declaration: Option<String>,
}

/// Evaluate positions or games
///
/// Prints what the network says: the PSQT part and the positional part of every bucket, and the value in the network's own unit, from
/// the point of view of the side to move. Positions need not be legal: one king each and at most 32 pieces are enough.
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
    /// A file of positions, one FEN per line, `-` for standard input; whatever follows a tab is ignored
    #[arg(long, value_name = "FILE", conflicts_with = "games")]
    pub(crate) fens: Option<PathBuf>,
    /// A file of games, `-` for standard input; each line: id, start FEN, UCI moves, separated by tabs
    #[arg(long, value_name = "FILE")]
    pub(crate) games: Option<PathBuf>,
    /// Compute every ply of a game from scratch instead of incrementally
    #[arg(long, requires = "games")]
    pub(crate) refresh: bool,
    /// The instruction level, instead of the best one that this processor has
    #[arg(long, value_name = "LEVEL")]
    pub(crate) level: Option<String>,
    /// Raw integers, tab-separated, with a header line
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
                    "`{}` is not a position, and the network is {}",
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

Columns of --tsv:  fen bucket psqt positional                  for positions
                   game ply pieces bucket psqt positional      for games
With --declaration, after them:
                   value                                       what the declaration makes of both parts
                   raw_sum                                     of 16-bit weights: the sum before it is divided
                   bits                                        of floats: the output as 8 hexadecimal digits";

/// Show what is in a network file
///
/// The header, the declaration that fits, every tensor with its shape, type, range and histogram, and the bounds that hold for
/// these weights in every reachable position.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  nnue inspect nn-ad9b42354671.nnue\n  nnue inspect quantised.bin --declaration network.rs"
)]
pub(crate) struct InspectArgs {
    /// The network file; without it the network that is built into this program
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// The declaration to read it with (see `nnue archs`); without it the file decides
    #[arg(long, value_name = "NAME")]
    pub(crate) arch: Option<String>,
    #[command(flatten)]
    pub(crate) declared: DeclarationArgs,
}

/// List the known declarations
#[derive(Args, Debug)]
pub(crate) struct ArchsArgs {}

/// Check every instruction level against the reference interpreter
///
/// Plays random legal games and compares, at every ply, each level that this machine has with the reference interpreter, and the
/// incremental accumulators with fresh ones. With --declaration it checks the file too: that it is exactly as declared, has the golden
/// values (unless code of a program takes part), is written again byte for byte, and cannot overflow.
#[derive(Args, Debug)]
#[command(after_help = VERIFY_EXAMPLES)]
pub(crate) struct VerifyArgs {
    /// The network file; without it the network that is built into this program
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// The declaration to read it with (see `nnue archs`); without it the file decides
    #[arg(long, value_name = "NAME")]
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
/// Nanoseconds per operation and the ratio to `replay`, a plain loop that reads and adds the same rows of weights: ratios can be
/// compared between machines. Positions and games are built in.
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
    /// The instruction level; may be given several times; without it the best one that this processor has
    #[arg(long, value_name = "LEVEL")]
    pub(crate) level: Vec<String>,
    /// How often every workload runs; the median counts
    #[arg(long, value_name = "N", default_value_t = 21)]
    pub(crate) repetitions: usize,
    /// One JSON object instead of a table
    #[arg(long)]
    pub(crate) json: bool,
    /// Measure how time grows with widths, rows, inputs that are not zero, and threads, instead of the workloads of one network
    #[arg(long, group = "instead", conflicts_with_all = ["file", "net", "arch", "declaration"])]
    pub(crate) growth: bool,
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

/// Measurements of the forms of layers.
#[derive(Args, Clone, Debug)]
pub(crate) struct PlansArgs {
    /// Measure each layer in all forms in which it could be computed, with activations of positions, and mark the form that is used
    #[arg(long, group = "instead")]
    pub(crate) plans: bool,
    /// With --plans: layers of 32 to 4096 inputs and 1 to 256 outputs, of which 1 to 100 % of the inputs are not zero, instead of those of
    /// a network
    #[arg(long, requires = "plans", conflicts_with_all = ["file", "net", "arch", "declaration"])]
    pub(crate) shapes: bool,
}

/// Measurements of batches.
#[derive(Args, Clone, Debug)]
pub(crate) struct BatchArgs {
    /// Measure unrelated positions in batches of 16, 256 and 4096 beside the same positions one by one, instead of the workloads
    #[arg(long, group = "instead")]
    pub(crate) batch: bool,
    /// With --batch: positions to draw from, one FEN per line, `-` for standard input; without it random moves after positions of the
    /// built-in games
    #[arg(long, value_name = "FILE", requires = "batch")]
    pub(crate) positions: Option<PathBuf>,
    /// With --batch or --growth: on how many threads; may be given several times; without it 1 and 2
    #[arg(long, value_name = "N", requires = "instead")]
    pub(crate) threads: Vec<usize>,
}

const BENCH_EXAMPLES: &str = "\
Examples:
  nnue bench
  taskset -c 1 nnue bench --net nn-ad9b42354671.nnue --level avx2 --level avx512vnni
  nnue bench --net quantised.bin --declaration network.rs
  nnue bench --net nn-ad9b42354671.nnue --batch --threads 1 --threads 4 --positions games.fen
  nnue bench --growth
  nnue bench --net nn-ad9b42354671.nnue --plans
  nnue bench --plans --shapes --level avx2

Workloads:
  replay     the rows of nk copied, subtracted, added and stored by a plain loop: the unit of the ratios
  update     the accumulators of nk, no forward pass
  nk         games cut at king moves: every ply incremental for both sides
  line       whole games, evaluated at every ply
  tree       every leaf two plies below a position: lazy updates
  children   the same leaves, all replies to a move by one call
  refresh    from scratch: cache cleared; warm from another position; holding the same position
  forward    accumulators ready: along games; over 64 positions in rotation

Ways of --batch, over 8192 positions; every value is compared with that of its position alone before anything is timed:
  fresh      each position from nothing
  stack      each position in an accumulator stack: its refresh cache emptied before; knowing the positions before
  batches    so many positions by one call, which evaluates them in an order in which they share rows of weights

Tables of --growth: networks of weights without meaning, and rows that lie in the second cache or in memory
  rows       an accumulator of so many neurons, changed by so many rows: of pieces; of two pieces and so many pairs
  layers     forward passes of networks that differ in the width of the accumulator, with so many inputs that are not zero
  threads    the same passes on several threads at once
The line is the cost of an operation, of each row or neuron, and of each byte or product, that fits all points best

Forms of --plans; all give the same sums, and each is compared with its definition before it is timed:
  listed blocks   blocks of four inputs that are not all zero, from a list, which is made as part of the work
  all blocks      all blocks of four inputs
  whole vectors   vectors of inputs, a dot product for each output
  listed inputs   inputs that are not zero, from a list, four of any at a time; for many outputs
An estimate is what the planner thinks a form takes, from constants of the level";

/// Reorder the neurons of a network so that it is faster
///
/// Kernels skip blocks of four inputs of the first layer that are all zero. This measures which inputs are zero over many positions, brings
/// neurons together that are zero in the same positions, and writes the same network with its neurons in that order. Both perspectives and the
/// two neurons of a product move together, the weights that read them follow, and every evaluation stays the same: that is checked in all
/// positions before anything is written. The order is in the file and nowhere else.
#[derive(Args, Debug)]
#[command(after_help = OPTIMIZE_EXAMPLES)]
pub(crate) struct OptimizeArgs {
    /// The network file
    #[arg(value_name = "NET")]
    pub(crate) file: PathBuf,
    /// The declaration to read it with (see `nnue archs`); without it the file decides
    #[arg(long, value_name = "NAME")]
    pub(crate) arch: Option<String>,
    #[command(flatten)]
    pub(crate) declared: DeclarationArgs,
    /// Positions like those that the network will meet, one FEN per line, `-` for standard input; without it those of the built-in games.
    /// At most 4096 of them are used, from the whole file
    #[arg(long, value_name = "FILE")]
    pub(crate) positions: Option<PathBuf>,
    /// The file to write; without it nothing is written
    #[arg(long, short, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// The instruction level to measure with, instead of the best one that this processor has
    #[arg(long, value_name = "LEVEL")]
    pub(crate) level: Option<String>,
    /// How often the forward passes are measured; the median counts
    #[arg(long, value_name = "N", default_value_t = 21)]
    pub(crate) repetitions: usize,
}

const OPTIMIZE_EXAMPLES: &str = "\
Examples:
  nnue optimize nn-ad9b42354671.nnue
  nnue optimize nn-ad9b42354671.nnue --positions positions.txt -o fast.nnue
  nnue optimize quantised.bin --declaration network.rs -o fast.bin

The report compares, before and after,
  blocks     the share of blocks of four that are zero: in the positions of the search, and in others that the search has not seen
  inputs     the share of single inputs that are zero, which no order changes: the blocks cannot have more
  forward    the forward pass with accumulators ready, along the built-in games and over 64 positions in rotation";

/// Make a network of the floats of a trainer
///
/// Multiplies every weight by the factor that follows from the scales of the declaration, rounds it, and writes the declared network. Reads
/// safetensors, bullet's `optimiser_state/weights.bin` (tensors with names) and bullet's `raw.bin` (the tensors of the declaration in its order,
/// without names). The report has, for every tensor, the weights that its type cannot hold and the rounding errors in its own units, and how far
/// the values of the network are from those of the same network in floats.
///
/// The floats of a network over a dense input stay as they are: its tensors are found by their names, as the declaration or PyTorch has them
/// (conv0_weight, conv0.weight), and written into its file.
#[derive(Args, Debug)]
#[command(after_help = QUANTIZE_EXAMPLES)]
pub(crate) struct QuantizeArgs {
    /// The file of floats
    #[arg(value_name = "FLOATS")]
    pub(crate) file: PathBuf,
    /// The network, by one of the known declarations (see `nnue archs`)
    #[arg(long, value_name = "NAME")]
    pub(crate) arch: Option<String>,
    #[command(flatten)]
    pub(crate) declared: DeclarationArgs,
    /// The file to write; without it nothing is written
    #[arg(long, short, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// How numbers become whole: cut off, as bullet does unless told otherwise, or to the nearest, halves away from zero
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Round::Truncate)]
    pub(crate) round: Round,
    /// Add the rows of a factoriser to those of every king bucket: those of the tensor NAME, or `first` where they come before the
    /// weights themselves
    #[arg(long, value_name = "NAME|first", num_args = 0..=1, require_equals = true, default_missing_value = "l0f")]
    pub(crate) factoriser: Option<String>,
    /// What a tensor is called in the file, where that is neither bullet's name (l0w, l0b, l1w, ..) nor the declared one; may be given several times
    #[arg(long, value_name = "TENSOR=NAME")]
    pub(crate) name: Vec<String>,
    /// What 1.0 is in a tensor, instead of what follows from the declaration; may be given several times
    #[arg(long, value_name = "TENSOR=NUMBER")]
    pub(crate) factor: Vec<String>,
    /// A tensor of the file that is not to be used; may be given several times
    #[arg(long, value_name = "NAME")]
    pub(crate) ignore: Vec<String>,
    /// Clamp weights that the type of their tensor cannot hold, and count them; without it they are an error
    #[arg(long)]
    pub(crate) saturate: bool,
    /// Positions to compare values in, one FEN per line, `-` for standard input; without it those of the built-in suite
    #[arg(long, value_name = "FILE")]
    pub(crate) positions: Option<PathBuf>,
    /// Choose the scale of every activation from what flows through the floats in the positions of --positions: where its range ends is
    /// the greatest value (`max`), the one that 99.99 % do not exceed (`percentile`, or `percentile=P`), that of the least square error
    /// (`mse`), or that of the least divergence (`kl`)
    #[arg(long, value_name = "METHOD", value_parser = calibration_method, requires = "positions")]
    pub(crate) calibrate: Option<Method>,
    /// What the trainer did not clip: what the declaration says is clipped ReLU, its square or a product of such is one of ReLU in the floats
    #[arg(long, value_name = "WHAT", value_enum, requires = "calibrate")]
    pub(crate) unclipped: Option<Unclipped>,
    /// Draw how values are distributed at each activation, and where each method ends its range: an SVG each, in this folder
    #[arg(long, value_name = "FOLDER", requires = "calibrate")]
    pub(crate) plots: Option<PathBuf>,
}

#[cfg(feature = "graphs")]
impl QuantizeArgs {
    /// Nothing but a file and how numbers are rounded.
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
            calibrate: None,
            unclipped: None,
            plots: None,
        }
    }
}

/// What a trainer did not clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Unclipped {
    /// sums of layers
    Layers,
    /// accumulators and sums of layers
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

/// How numbers become whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Round {
    /// cut off
    Truncate,
    /// to the nearest, halves away from zero
    Nearest,
}

const QUANTIZE_EXAMPLES: &str = "\
Examples:
  nnue quantize optimiser_state/weights.bin --declaration network.rs -o network.bin
  nnue quantize optimiser_state/weights.bin --declaration network.rs --factoriser --round nearest -o network.bin
  nnue quantize model.safetensors --arch sfnnv5 --round nearest --name ft_weight=input.weight --factor fc2_weight=75.59
  nnue quantize net.safetensors --declaration net.rs --round nearest --calibrate kl --positions games.fen --plots plots -o network.bin
  nnue quantize digits.safetensors --declaration digits.rs --name conv0_weight=features.0.weight -o digits.bin

Names and order of the numbers:
  l0w l0b    ft_weight, ft_bias: all neurons of feature 0, then of feature 1, ..; safetensors of the shape [neurons, features] are turned
  l1w l1b    fc0_weight, fc0_bias: all outputs of input 0, then of input 1, .. ; safetensors of the shape [outputs, inputs] are turned.
             Outputs of several buckets: those of bucket 0, then of bucket 1, ..
A raw.bin lacks a factoriser that is merged only while the network is saved: take optimiser_state/weights.bin";

/// Show what the macro writes for a declaration
///
/// Reads Rust source with `nnue! { ... }`, or a bare declaration, and prints the expansion, formatted.
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  echo 'pub struct Tiny = Chess768[..] -> 64x2 -> 1;' | nnue expand"
)]
pub(crate) struct ExpandArgs {
    /// The source, `-` or nothing for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}
