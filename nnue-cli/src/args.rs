//! The command line, with the help that teaches it.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

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
  nnue eval --net nn-1c0000000000.nnue             with a network of Stockfish (recognised from the file)
  nnue inspect nn-1c0000000000.nnue                what is in a file
  nnue verify nn-1c0000000000.nnue                 is every instruction level exact?
  nnue bench --level avx2 --level scalar           how fast is it?
  nnue expand network.rs                           what does the macro write for my declaration?
  nnue eval --declaration network.rs --net quantised.bin
                                                   a network of one's own, as the trainer bullet saves it

A released Stockfish writes its network into a file with the command `export_net`.";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Eval(EvalArgs),
    Inspect(InspectArgs),
    Archs(ArchsArgs),
    Verify(VerifyArgs),
    Bench(BenchArgs),
    Expand(ExpandArgs),
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
    /// input; NAME chooses one of several. The reference interpreter evaluates it
    #[arg(long, value_name = "FILE[:NAME]", conflicts_with = "arch")]
    pub(crate) declaration: Option<String>,
}

/// Evaluate positions or games
///
/// Prints what the network says: the PSQT part and the positional part of every bucket, and the value in the network's own unit, from
/// the point of view of the side to move. Positions need not be legal: one king each and at most 32 pieces are enough.
#[derive(Args, Debug)]
#[command(after_help = EVAL_EXAMPLES)]
pub(crate) struct EvalArgs {
    #[command(flatten)]
    pub(crate) net: NetArgs,
    #[command(flatten)]
    pub(crate) declared: DeclarationArgs,
    /// A position; may be given several times
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
    #[arg(long, value_name = "LEVEL", conflicts_with = "declaration")]
    pub(crate) level: Option<String>,
    /// Raw integers, tab-separated, with a header line
    #[arg(long)]
    pub(crate) tsv: bool,
}

const EVAL_EXAMPLES: &str = "\
Examples:
  nnue eval --fen 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3'
  nnue eval --net nn-ad9b42354671.nnue --fens positions.txt --tsv
  nnue eval --declaration network.rs --net quantised.bin
  printf '1\\trnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\\te2e4 e7e5\\n' | nnue eval --games - --tsv

A declaration (network.rs) for a file of the trainer bullet, which has no header:
  pub struct Simple = (768 -> 128)x2 @ 255 screlu -> 1: i16 @ 64 { format raw };

Columns of --tsv:  fen bucket psqt positional                  for positions
                   game ply pieces bucket psqt positional      for games
With --declaration, behind them:
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
/// incremental accumulators with fresh ones. With --declaration, for which there is no compiled code, it checks the file: that it is
/// exactly as declared, has the golden values, is written again byte for byte, and cannot overflow.
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
    pub(crate) games: usize,
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
    #[command(flatten)]
    pub(crate) net: NetArgs,
    /// The instruction level; may be given several times; without it the best one that this processor has
    #[arg(long, value_name = "LEVEL")]
    pub(crate) level: Vec<String>,
    /// How often every workload runs; the median counts
    #[arg(long, value_name = "N", default_value_t = 21)]
    pub(crate) repetitions: usize,
    /// One JSON object instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}

const BENCH_EXAMPLES: &str = "\
Examples:
  nnue bench
  taskset -c 1 nnue bench --net nn-ad9b42354671.nnue --level avx2 --level avx512vnni

Workloads:
  replay     the rows of nk copied, subtracted, added and stored by a plain loop: the unit of the ratios
  update     the accumulators of nk, no forward pass
  nk         games cut at king moves: every ply incremental for both sides
  line       whole games, evaluated at every ply
  tree       every leaf two plies below a position: lazy updates
  refresh    from scratch: cache cleared; warm from another position; holding the same position
  forward    accumulators ready: along games; over 64 positions in rotation";

/// Show what the macro writes for a declaration
///
/// Reads Rust source with `nnue! { ... }`, or a bare declaration, and prints the expansion, formatted.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  echo 'pub struct Tiny = Chess768[..] -> 64x2 -> 1;' | nnue expand")]
pub(crate) struct ExpandArgs {
    /// The source, `-` or nothing for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}
