//! Arguments of `nnue train` and `nnue data`.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args, Subcommand, ValueEnum};
use nnue_data::Format;
use nnue_train::run;

/// A network and its declaration.
#[derive(Args, Debug)]
pub(crate) struct NetworkArgs {
    /// The network file
    #[arg(long, value_name = "FILE")]
    pub(crate) net: PathBuf,
    /// The file with its declaration: the `net.rs` of a training run, or this project's `src/stockfish.rs` for a Stockfish network
    #[arg(long, value_name = "FILE")]
    pub(crate) declaration: PathBuf,
    /// Which network of that file, if it declares several
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
}

/// Generate training data: games of a network against itself
///
/// Each game begins with random moves; then a search of --nodes nodes chooses each move. Every position is written with the score of the
/// search, the move and the outcome of the game. Game N depends only on N and the seed: the same arguments write the same bytes, with any
/// number of threads and after any number of interruptions.
#[derive(Args, Debug)]
#[command(arg_required_else_help = true, after_help = GENERATE_EXAMPLES)]
pub(crate) struct GenerateArgs {
    #[command(flatten)]
    pub(crate) network: NetworkArgs,
    /// The file to write; its name decides the format
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Number of positions, such as 50000 or 20M; the last game is finished
    #[arg(long, value_name = "N", value_parser = many)]
    pub(crate) positions: u64,
    /// Continue an interrupted run; start one if there is none
    #[arg(long)]
    pub(crate) resume: bool,
    /// Number of games played at once, each on its own thread [default: one per core]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) games: GameArgs,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
}

/// How games are played.
#[derive(Args, Clone, Debug)]
pub(crate) struct GameArgs {
    /// Nodes per move: after N the search starts no further depth, after 8 N it stops
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub(crate) nodes: u64,
    /// A file of start positions, one FEN or EPD per line; without it games begin at the start position
    #[arg(long, value_name = "FILE")]
    pub(crate) openings: Option<PathBuf>,
    /// Random moves at the start of a game; every second game has one more
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(..=1000))]
    pub(crate) random_plies: u32,
    /// Discard a game if its first search scores above N or below -N
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(i32).range(0..))]
    pub(crate) opening_limit: i32,
    /// A game is won when --win-count scores in a row are at least N for the same side
    #[arg(long, value_name = "N", default_value_t = 2500, value_parser = clap::value_parser!(i32).range(1..))]
    pub(crate) win_score: i32,
    /// See --win-score; 0: play until mate
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub(crate) win_count: u32,
    /// A game is drawn when --draw-count scores in a row are between -N and N
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(i32).range(0..))]
    pub(crate) draw_score: i32,
    /// See --draw-score; 0: never
    #[arg(long, value_name = "N", default_value_t = 12)]
    pub(crate) draw_count: u32,
    /// No draw by --draw-count before ply N
    #[arg(long, value_name = "N", default_value_t = 80)]
    pub(crate) draw_ply: u32,
    /// A game is drawn after N plies
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) max_plies: u32,
}

const GENERATE_EXAMPLES: &str = "\
Examples:
  nnue data generate --net first/net.bin --declaration first/net.rs --positions 20M -o games.binpack
  nnue data generate --net first/net.bin --declaration first/net.rs --positions 20M -o games.binpack --resume
  nnue data generate --net nn.nnue --declaration src/stockfish.rs --name Sfnnv5 --positions 1M -o games.vf --nodes 500

Scores are in the unit of the network. A binpack keeps games whole: positions that --quiet or another rule leaves out stay in it without a
score. Other formats omit them.";

/// Train a network
///
/// A configuration file declares the network and names the data; docs/training.md lists all its keys. After each superbatch the network is
/// quantised and validated on held-out games with its exact integer values, and a checkpoint is written.
#[derive(Args, Debug)]
#[command(arg_required_else_help = true, after_help = TRAIN_EXAMPLES)]
pub(crate) struct TrainArgs {
    /// The configuration file (TOML)
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Continue from the last checkpoint; start from the beginning if there is none
    #[arg(long)]
    pub(crate) resume: bool,
    /// Resume even if a data file has changed since the run began
    #[arg(long, requires = "resume")]
    pub(crate) changed_data: bool,
    /// The device that trains, instead of the one in the configuration file; `cuda` needs a build with `--features cuda`
    #[arg(long, value_enum, value_name = "DEVICE")]
    pub(crate) device: Option<Device>,
}

/// The device that trains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Device {
    /// The CPU: the same run gives the same bytes
    Cpu,
    /// The first NVIDIA GPU: sums have no fixed order, so two runs differ in their last bits
    Cuda,
}

impl From<Device> for run::Device {
    fn from(device: Device) -> Self {
        match device {
            Device::Cpu => Self::Cpu,
            Device::Cuda => Self::Cuda,
        }
    }
}

const TRAIN_EXAMPLES: &str = "\
Example of a file:
  output = \"first\"
  [network]
  declaration = \"pub struct First = (768 -> 32)x2 @ 255 screlu -> 1: i16 @ 64 { format raw };\"
  [data]
  files = [\"games.binpack\"]

Examples:
  nnue train first.toml
  nnue train first.toml --resume        after it was stopped or killed
  nnue train first.toml --device cuda   on a GPU

Without a board, a network over lists of rows learns from records as `3 17 40 | 0.75`, rows and a target:
  declaration = \"pub struct Likes = rows[4096, active 64] -> 64 -> 16 -> 1;\"
  files = [\"likes.rows\"]                or .txt, also .gz and .zst; .parquet and .arrow with a build `--features arrow`";

/// Generate, convert, filter, shuffle, split and inspect training data
///
/// A record is a position with a score and the outcome of its game; some formats also store the ply and the move. The usual order is split,
/// filter, shuffle: splitting needs whole games.
#[derive(Args, Debug)]
#[command(arg_required_else_help = true, after_help = DATA_EXAMPLES)]
pub(crate) struct DataArgs {
    #[command(subcommand)]
    pub(crate) command: DataCommand,
}

const DATA_EXAMPLES: &str = "\
Examples:
  nnue data stats games.binpack                               what is in it?
  nnue data inspect games.binpack --count 5                   its first positions
  nnue data split games.binpack -o train.binpack --held-out test.binpack
  nnue data filter train.binpack --quiet --max-score 3000 -o quiet.binpack
  nnue data shuffle quiet.binpack -o shuffled.bf              for a trainer that reads bulletformat
  nnue data convert games.pgn -o games.vf                     evaluations from the comments of a PGN

Formats, chosen by the name of a file or by --from and --to:
  binpack       .binpack      Stockfish's chains of positions       plies, moves
  viriformat    .vf .viri     games                                 plies, moves
  plain         .plain        Stockfish's text, six lines each      plies, moves
  pgn           .pgn          games with comments [%eval 0.31] or   plies, moves
                              +0.31/14 0.2s (of cutechess)
  policy        .policy       visits of moves, for policies         plies, moves
  marlinformat  .marlin       32 bytes a position                   plies
  text          .txt          FEN | score | outcome, for White      plies
  bulletformat  .bf .bullet   32 bytes a position

Records over lists of rows, which `nnue train` and `nnue data stats` read:
  rows          .rows         3 17 40 | 0.75 | 2: rows, target, weight
  parquet       .parquet      columns rows, target, weight; in a build with
  arrow         .arrow        `--features arrow`

Read only: .epd and .csv with labelled positions (c9 \"1-0\"; or fen,score,result), and all of them compressed as .zst or .gz.";

/// What to do with data.
#[derive(Debug, Subcommand)]
pub(crate) enum DataCommand {
    Generate(GenerateArgs),
    Convert(ConvertArgs),
    Filter(FilterArgs),
    Shuffle(ShuffleArgs),
    Split(SplitArgs),
    Rescore(RescoreArgs),
    Stats(StatsArgs),
    Inspect(InspectArgs),
}

/// Files that are read.
#[derive(Args, Debug)]
pub(crate) struct InputArgs {
    /// The input files, read one after the other; `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) inputs: Vec<PathBuf>,
    /// The format of the input; without it the file names decide
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<FormatArg>,
    /// Skip damaged records instead of stopping at the first one
    #[arg(long)]
    pub(crate) keep_going: bool,
}

/// The file that is written.
#[derive(Args, Debug)]
pub(crate) struct OutputArgs {
    /// The file to write; `-` for standard output. The file appears when it is complete
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// The format of the output; without it the file name decides
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Option<FormatArg>,
    /// Remove what a binpack cannot say of Chess960: castling rights, and positions whose move castles. The number of both is printed
    #[arg(long)]
    pub(crate) drop_castling: bool,
}

/// The seed of random choices.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct SeedArgs {
    /// Seed of random choices: the same seed gives the same result
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// Convert data to another format, or join files
///
/// A position without a score or a move is skipped if the output format needs one. The number of skipped positions is printed.
#[derive(Args, Debug)]
#[command(after_help = CONVERT_EXAMPLES)]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Mix the files game by game: the next game comes from a random file, larger files more often
    #[arg(long)]
    pub(crate) interleave: bool,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
}

const CONVERT_EXAMPLES: &str = "\
Examples:
  nnue data convert games.binpack -o games.plain
  nnue data convert chess960.vf -o chess960.binpack --drop-castling
  nnue data convert 2023.binpack 2024.binpack -o all.binpack --interleave
  nnue data convert - --from pgn -o games.binpack < games.pgn
  nnue data convert test80.binpack.zst -o - --to plain | zstd -o test80.plain.zst";

/// Keep the positions that are useful for training
///
/// A network needs to evaluate quiet positions; the search resolves the others. Positions without a score are always removed. The command
/// prints how many positions each rule removed; a position counts for the first rule that applies.
#[derive(Args, Debug)]
#[command(after_help = FILTER_EXAMPLES)]
pub(crate) struct FilterArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
}

/// The rules of a filter.
#[derive(Args, Debug)]
pub(crate) struct RuleArgs {
    /// The same as --no-check --no-captures --no-promotions
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Remove positions with the side to move in check
    #[arg(long)]
    pub(crate) no_check: bool,
    /// Remove positions whose move is a capture
    #[arg(long)]
    pub(crate) no_captures: bool,
    /// Remove positions whose move is a promotion
    #[arg(long)]
    pub(crate) no_promotions: bool,
    /// Remove positions with a score above N or below -N
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i16).range(0..))]
    pub(crate) max_score: Option<i16>,
    /// Remove positions before ply N (plies count from 0)
    #[arg(long, value_name = "N")]
    pub(crate) min_ply: Option<u32>,
    /// Remove positions after ply N
    #[arg(long, value_name = "N")]
    pub(crate) max_ply: Option<u32>,
    /// Remove positions with fewer than N pieces, kings included
    #[arg(long, value_name = "N")]
    pub(crate) min_pieces: Option<u32>,
    /// Remove positions with more than N pieces
    #[arg(long, value_name = "N")]
    pub(crate) max_pieces: Option<u32>,
    /// Keep a position with the probability of its game's outcome given its score: P(win) = 1 / (1 + exp((270 - score) / 380))
    #[arg(long)]
    pub(crate) win_rate: bool,
    /// Keep each position with probability 1/N
    #[arg(long, value_name = "N")]
    pub(crate) one_in: Option<NonZeroU32>,
}

const FILTER_EXAMPLES: &str = "\
Examples:
  nnue data filter games.binpack --quiet --max-score 10000 -o quiet.binpack
  nnue data filter games.vf --quiet --min-ply 16 --min-pieces 4 --win-rate --one-in 3 -o quiet.bf";

/// Shuffle positions
///
/// All orders are equally likely, for files of any size. Data that exceed --memory go into at most 200 temporary files, 36 bytes per
/// position. Shuffling breaks up games, so split first.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  nnue data shuffle a.binpack b.binpack --memory 8G -o all.bf")]
pub(crate) struct ShuffleArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Memory to use, such as 500M or 4G
    #[arg(long, value_name = "BYTES", default_value = "1G", value_parser = bytes)]
    pub(crate) memory: usize,
    /// The folder for temporary files; without it that of the output
    #[arg(long, value_name = "FOLDER")]
    pub(crate) temporary: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
}

/// Hold out games for validation
///
/// Splits by game, because the positions of one game are similar and share its outcome. The input must have plies: they mark where a game
/// begins.
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  nnue data split games.binpack -o train.binpack --held-out test.binpack --fraction 0.02"
)]
pub(crate) struct SplitArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// The file for the held-out games
    #[arg(long, value_name = "FILE")]
    pub(crate) held_out: PathBuf,
    /// The fraction of games to hold out, from 0 to 1
    #[arg(long, value_name = "X", default_value_t = 0.05, value_parser = fraction)]
    pub(crate) fraction: f64,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
}

/// Replace scores by those of a network
///
/// The new score is the network's exact evaluation, or with --nodes the score of a search. Positions without a score keep none.
#[derive(Args, Debug)]
#[command(after_help = RESCORE_EXAMPLES)]
pub(crate) struct RescoreArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) network: NetworkArgs,
    /// Search each position with about N nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub(crate) nodes: Option<u64>,
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
}

const RESCORE_EXAMPLES: &str = "\
Examples:
  nnue data rescore games.binpack --net nn.nnue --declaration src/stockfish.rs --name Sfnnv5 -o rescored.binpack
  nnue data rescore games.binpack --net first/net.bin --declaration first/net.rs --nodes 1000 -o rescored.binpack";

/// Show statistics of data
///
/// Counts positions, games, outcomes, scores, plies, checks, captures and pieces. Of records over lists of rows (.rows, .parquet, .arrow),
/// counts active rows, targets and weights.
#[derive(Args, Debug)]
#[command(after_help = STATS_EXAMPLES)]
pub(crate) struct StatsArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// The files have records over lists of rows, whatever their names: text, unless a name ends in .parquet, .arrow, .arrows or .feather
    #[arg(long)]
    pub(crate) rows: bool,
}

const STATS_EXAMPLES: &str = "\
Examples:
  nnue data stats train.binpack
  nnue data stats likes.rows.zst
  zcat likes.gz | nnue data stats --rows -";

/// Print positions
///
/// Prints one tab-separated line per position: number, ply, score and outcome for the side to move, move, FEN. `-` marks a missing value.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  nnue data inspect games.binpack\n  nnue data inspect games.binpack --skip 100000 --count 20"
)]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Skip the first N positions
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) skip: u64,
    /// Print at most N positions
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) count: u64,
}

/// A format as an argument.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FormatArg(pub(crate) Format);

impl ValueEnum for FormatArg {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [FormatArg; Format::ALL.len()] = {
            let mut all = [FormatArg(Format::Binpack); Format::ALL.len()];
            let mut index = 0;
            while index < all.len() {
                all[index] = FormatArg(Format::ALL[index]);
                index += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()))
    }
}

/// Reads `20M`, of thousands and millions.
fn many(text: &str) -> Result<u64, String> {
    let (number, factor) = match text.as_bytes().last() {
        Some(b'k' | b'K') => (&text[..text.len() - 1], 1000),
        Some(b'm' | b'M') => (&text[..text.len() - 1], 1_000_000),
        _ => (text, 1),
    };
    let number: Option<u64> = number.parse().ok().filter(|&number| number > 0);
    number
        .and_then(|number| number.checked_mul(factor))
        .ok_or_else(|| "write a number above 0, as 50000 or 20M".to_owned())
}

/// Reads `500M`.
fn bytes(text: &str) -> Result<usize, String> {
    let (number, unit) = match text.as_bytes().last() {
        Some(b'k' | b'K') => (&text[..text.len() - 1], 10),
        Some(b'm' | b'M') => (&text[..text.len() - 1], 20),
        Some(b'g' | b'G') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let number: usize = number
        .parse()
        .map_err(|_| "write a number of bytes, as 500M or 4G".to_owned())?;
    number
        .checked_mul(1 << unit)
        .ok_or_else(|| "more than this machine can address".to_owned())
}

fn fraction(text: &str) -> Result<f64, String> {
    let fraction: f64 = text
        .parse()
        .map_err(|_| "write a number from 0 to 1, as 0.05".to_owned())?;
    if (0.0..=1.0).contains(&fraction) {
        Ok(fraction)
    } else {
        Err("a fraction is from 0 to 1".to_owned())
    }
}
