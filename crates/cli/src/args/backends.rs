//! The command line of backends.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{DeclarationArgs, NetArgs};

/// List the backends and their options
///
/// A backend evaluates positions in batches: a network, a file of weights of Leela Chess Zero, or several backends that an adapter compares,
/// combines, records or keeps in a cache. The options --backend of other commands take the text of one.
#[derive(Args, Debug)]
#[command(after_help = BACKENDS_HELP)]
pub(crate) struct BackendsArgs {
    /// Only these; without names all of them
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
}

const BACKENDS_HELP: &str = "\
The text of a backend:
  random                                    a name
  random(seed=7, delay=5)                   with options
  check(nnue, reference, freq=0.01)         with backends inside, in this order
  multiplexing(nnue, nnue), threads=2       options outside of a backend hold for all inside
  nnue(net='my net.nnue')                   quotes around what has blanks, commas or parentheses

Examples:
  nnue backends
  nnue backends check cached
  nnue eval --backend 'check(nnue, reference, freq=1, exact=true)'
  nnue eval --backend 'check(nnue, nnue(level=scalar), freq=1, exact=true)' --fens positions.txt --tsv
  nnue eval --backend 'cached(reference)' --declaration network.rs --net quantised.bin
  nnue bench --backend 'cached(nnue)' --net nn-ad9b42354671.nnue
  nnue analyze games.pgn --backend nnue --cache games.cache

Every option must be one that a backend reads: another one is an error that says where it is and what was perhaps meant.";

/// `nnue eval` with a backend.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct EvalBackend {
    /// Evaluate by this backend (see `nnue backends`), which says value, draws, moves left and a policy, as far as it has them. Positions
    /// must be legal
    #[arg(long = "backend", value_name = "TEXT", conflicts_with_all = ["level", "refresh"])]
    pub(crate) text: Option<String>,
}

/// `nnue bench` of a backend.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct BenchBackend {
    /// Measure positions a second of this backend (see `nnue backends`), over sizes of batches and numbers of clients, instead of the
    /// workloads
    #[arg(
        long = "backend",
        value_name = "TEXT",
        group = "instead",
        conflicts_with = "level"
    )]
    pub(crate) text: Option<String>,
    /// With --backend: positions of a batch; may be given several times; without it 1, 16, 256 and what the backend recommends
    #[arg(long, value_name = "N", requires = "text")]
    pub(crate) size: Vec<usize>,
}

/// Analyse games or positions with a backend, overnight if need be
///
/// Evaluates every position of a file and writes a table, and a drawing of each game. With --cache each answer is kept in files as soon as its
/// batch is computed: after an interruption the same command goes on where it was, and later runs find all answers. Such a cache is
/// also a book: `nnue eval --backend \"cached(BACKEND, file=FILE)\"` answers from it at once.
#[derive(Args, Debug)]
#[command(after_help = ANALYZE_HELP)]
pub(crate) struct AnalyzeArgs {
    /// Games in PGN, or positions, one FEN per line; `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The backend (see `nnue backends`); without it the network
    #[arg(long, value_name = "TEXT", default_value = "nnue")]
    pub(crate) backend: String,
    #[command(flatten)]
    pub(crate) net: NetArgs,
    #[command(flatten)]
    pub(crate) declared: DeclarationArgs,
    /// Keep answers in files of this name, to which numbers are added
    #[arg(long, value_name = "FILE")]
    pub(crate) cache: Option<PathBuf>,
    /// Positions of a batch; without it what the backend recommends
    #[arg(long, value_name = "N")]
    pub(crate) batch: Option<usize>,
    /// Threads that hold a batch each, for backends that want several at once
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) threads: usize,
    /// The file of the table, whole or not at all; without it standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Tab-separated, with a header line
    #[arg(long)]
    pub(crate) tsv: bool,
    /// Draw the value along each game: an SVG each, in this folder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) plots: Option<PathBuf>,
}

const ANALYZE_HELP: &str = "\
Examples:
  nnue analyze games.pgn
  nnue analyze games.pgn --net nn-ad9b42354671.nnue --cache games.cache --plots plots -o games.txt
  nnue analyze openings.fen --backend 'lc0(weights=net.pb.gz)' --cache book --tsv

Columns:
  white    expected result for White, from -1 (he loses) to 1 (he wins)
  draw     share of draws, 0 to 1; left: plies that are left; both `-` if the backend does not know them
  best     the most probable move and its probability; played: the probability of the move of the game
  loss     what the move of the game gave away: how much less the next position is worth for its mover

A position counts with the positions of its game before it, as far as the backend reads them. A game with a move that cannot be is analysed up to
it, and a note says so.";

/// Look into the files of a cache
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

/// What is in a cache, and what each way to write policies would take
///
/// Reads all files of the cache, FILE.1, FILE.2 and so on, and changes nothing: it may run while others use the cache.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  nnue analyze games.pgn --cache games.cache\n  nnue cache stats games.cache"
)]
pub(crate) struct StatsArgs {
    /// The name of the cache, as in `cached(.., file=FILE)`
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}
