//! The command line of backends.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{DeclarationArgs, NetArgs};

/// List the backends and their options
///
/// A backend evaluates positions in batches. It is a network, a Leela Chess Zero network, or an adapter that compares, combines, records or
/// caches other backends. The option --backend of other commands names one.
#[derive(Args, Debug)]
#[command(after_help = BACKENDS_HELP)]
pub(crate) struct BackendsArgs {
    /// The backends to list; without names all of them
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
}

const BACKENDS_HELP: &str = "\
How to write a backend:
  random                                    a name
  random(seed=7, delay=5)                   a name with options
  check(nnue, reference, freq=0.01)         an adapter: its backends, then its options
  multiplexing(nnue, nnue), threads=2       options after a backend apply to all backends in it
  nnue(net='my net.nnue')                   quotes around a value with blanks, commas or parentheses

Examples:
  nnue backends
  nnue backends check cached
  nnue eval --backend 'check(nnue, reference, freq=1, exact=true)'
  nnue eval --backend 'check(nnue, nnue(level=scalar), freq=1, exact=true)' --fens positions.txt --tsv
  nnue eval --backend 'cached(reference)' --declaration network.rs --net quantised.bin
  nnue bench --backend 'cached(nnue)' --net nn-ad9b42354671.nnue
  nnue analyze games.pgn --backend nnue --cache games.cache

An option that no backend reads is an error; the message shows its place and similar names.";

/// `nnue eval` with a backend.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct EvalBackend {
    /// Evaluate with this backend (see `nnue backends`): prints the value and, if the backend has them, draws, moves left and a policy. Positions
    /// must be legal
    #[arg(long = "backend", value_name = "TEXT", conflicts_with_all = ["level", "refresh", "json"])]
    pub(crate) text: Option<String>,
}

/// `nnue bench` of a backend.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct BenchBackend {
    /// Instead of the workloads, measure positions per second of this backend (see `nnue backends`), by batch size and number of clients
    #[arg(
        long = "backend",
        value_name = "TEXT",
        group = "instead",
        conflicts_with = "level"
    )]
    pub(crate) text: Option<String>,
    /// With --backend: the batch size; may be given several times [default: 1, 16, 256 and the backend's recommended size]
    #[arg(long, value_name = "N", requires = "text")]
    pub(crate) size: Vec<usize>,
}

/// Analyse games or positions with a backend, overnight if need be
///
/// Evaluates every position of a file, prints a table and draws each game. With --cache, results are stored on disk after every batch: the same
/// command continues after an interruption, and later runs reuse the results, as does `nnue eval --backend \"cached(BACKEND, file=FILE)\"`.
#[derive(Args, Debug)]
#[command(after_help = ANALYZE_HELP)]
pub(crate) struct AnalyzeArgs {
    /// Games in PGN, or positions, one FEN per line; `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The backend (see `nnue backends`)
    #[arg(long, value_name = "TEXT", default_value = "nnue")]
    pub(crate) backend: String,
    #[command(flatten)]
    pub(crate) net: NetArgs,
    #[command(flatten)]
    pub(crate) declared: DeclarationArgs,
    /// Store results in FILE.1, FILE.2 and so on, and reuse them
    #[arg(long, value_name = "FILE")]
    pub(crate) cache: Option<PathBuf>,
    /// The batch size; without it the one that the backend recommends
    #[arg(long, value_name = "N")]
    pub(crate) batch: Option<usize>,
    /// Number of batches to compute at once, each on its own thread
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) threads: usize,
    /// The file for the table, which appears when it is complete; without it standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Print tab-separated values with a header line
    #[arg(long)]
    pub(crate) tsv: bool,
    /// Draw the value along each game, as SVG files in this folder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) plots: Option<PathBuf>,
}

const ANALYZE_HELP: &str = "\
Examples:
  nnue analyze games.pgn
  nnue analyze games.pgn --net nn-ad9b42354671.nnue --cache games.cache --plots plots -o games.txt
  nnue analyze openings.fen --backend 'lc0(weights=net.pb.gz)' --cache book --tsv

Columns:
  white    expected result for White, from -1 (loss) to 1 (win)
  draw     probability of a draw, 0 to 1; left: plies to the end of the game; `-` if the backend has none
  best     the most probable move and its probability; played: the probability of the move of the game
  loss     how much the expected result of the side to move drops by the move of the game

A backend that reads a history gets the earlier positions of the game. If a game has an illegal move, the moves before it are analysed, and a
note says so.";

/// Inspect a cache
#[derive(Args, Debug)]
pub(crate) struct CacheArgs {
    #[command(subcommand)]
    pub(crate) what: CacheCommand,
}

/// What to do with it.
#[derive(Debug, Subcommand)]
pub(crate) enum CacheCommand {
    Stats(StatsArgs),
}

/// Show the contents of a cache, and the size of its policies in each encoding
///
/// Reads all files of the cache, FILE.1, FILE.2 and so on, without changing them. It may run while other programs use the cache.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  nnue analyze games.pgn --cache games.cache\n  nnue cache stats games.cache"
)]
pub(crate) struct StatsArgs {
    /// The name of the cache, as in `cached(.., file=FILE)`
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}
