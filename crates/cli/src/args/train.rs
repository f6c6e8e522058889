//! Arguments of `nnue train` and `nnue data`.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args, Subcommand, ValueEnum};
use nnue_data::Format;
use nnue_train::run;

/// A network, and where it is declared.
#[derive(Args, Debug)]
pub(crate) struct NetworkArgs {
    /// The network's file
    #[arg(long, value_name = "FILE")]
    pub(crate) net: PathBuf,
    /// The file that declares it, as the `net.rs` of a run, or `src/stockfish.rs` of this project for networks of Stockfish
    #[arg(long, value_name = "FILE")]
    pub(crate) declaration: PathBuf,
    /// Which of the networks declared there; without it the only one
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
}

/// Make positions to learn from: games of a network against itself
///
/// Each game begins with random moves, and is then played by a search of so many nodes a move. Positions are written with the value that the
/// search has found, the move and the outcome. Games depend on the seed and on their number alone: the same arguments write the same
/// bytes, however many threads work and however often it was stopped.
#[derive(Args, Debug)]
#[command(arg_required_else_help = true, after_help = GENERATE_EXAMPLES)]
pub(crate) struct GenerateArgs {
    #[command(flatten)]
    pub(crate) network: NetworkArgs,
    /// The file to write: a binpack, or in another format by its name
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// How many positions, as 50000 or 20M, rounded up to a whole game
    #[arg(long, value_name = "N", value_parser = many)]
    pub(crate) positions: u64,
    /// Go on where an earlier call was stopped; begin where there is nothing yet
    #[arg(long)]
    pub(crate) resume: bool,
    /// Threads, each of which plays a game; without it one for each core
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
    /// Nodes of a search, after which no further depth is begun; it ends within a depth after eight times as many
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub(crate) nodes: u64,
    /// A file with a FEN or EPD in each line, with which games begin; without it the start position
    #[arg(long, value_name = "FILE")]
    pub(crate) openings: Option<PathBuf>,
    /// Random moves at the beginning of a game; every second game has one more
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(..=1000))]
    pub(crate) random_plies: u32,
    /// Begin another game where the first search says more than N
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(i32).range(0..))]
    pub(crate) opening_limit: i32,
    /// A game is won after --win-count values of at least N in turn, for the same side
    #[arg(long, value_name = "N", default_value_t = 2500, value_parser = clap::value_parser!(i32).range(1..))]
    pub(crate) win_score: i32,
    /// See --win-score; 0 plays until mate
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub(crate) win_count: u32,
    /// A game is drawn after --draw-count values of at most N in turn, for either side
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(i32).range(0..))]
    pub(crate) draw_score: i32,
    /// See --draw-score; 0 plays on
    #[arg(long, value_name = "N", default_value_t = 12)]
    pub(crate) draw_count: u32,
    /// No draw by --draw-count before this ply
    #[arg(long, value_name = "N", default_value_t = 80)]
    pub(crate) draw_ply: u32,
    /// A game that lasts so many plies is drawn
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) max_plies: u32,
}

const GENERATE_EXAMPLES: &str = "\
Examples:
  nnue data generate --net first/net.bin --declaration first/net.rs --positions 20M -o games.binpack
  nnue data generate --net first/net.bin --declaration first/net.rs --positions 20M -o games.binpack --resume
  nnue data generate --net nn.nnue --declaration src/stockfish.rs --name Sfnnv5 --positions 1M -o games.vf --nodes 500

Values are in the unit of the network's evaluations. --quiet and the other rules that leave out positions leave them without a score in a
binpack, in which games stay whole, and out of other files.";

/// Train a network as a file says
///
/// The file declares the network and names the data; what else it can say is in docs/training.md. After each superbatch, the network is quantised
/// and judged exactly by games that it is not trained on, and a checkpoint is written.
#[derive(Args, Debug)]
#[command(arg_required_else_help = true, after_help = TRAIN_EXAMPLES)]
pub(crate) struct TrainArgs {
    /// What to do
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Go on from the last checkpoint, as if the run had not been stopped; begin where there is none
    #[arg(long)]
    pub(crate) resume: bool,
    /// Resume also where a file of data is not the one that the run was begun with
    #[arg(long, requires = "resume")]
    pub(crate) changed_data: bool,
    /// What computes gradients and steps, whatever the file says: a GPU of NVIDIA needs a build with `--features cuda`
    #[arg(long, value_enum, value_name = "DEVICE")]
    pub(crate) device: Option<Device>,
}

/// Computes gradients and steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Device {
    /// The cores of this machine; the same run gives the same bytes
    Cpu,
    /// The first GPU; sums have no fixed order, so that two runs differ in their last bits
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
  nnue train first.toml --device cuda   on a GPU";

/// Make, convert, filter, shuffle, split, count and show training data
///
/// Data are positions with a score, the outcome of their game, and in some formats the ply and the move. The usual way, of which each step
/// may be left out: split (while games are whole), filter, shuffle.
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
  pgn           .pgn          games with comments [%eval ..]        plies, moves
  policy        .policy       visits of moves, for policies         plies, moves
  marlinformat  .marlin       32 bytes a position                   plies
  text          .txt          FEN | score | outcome, for White      plies
  bulletformat  .bf .bullet   32 bytes a position";

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
    /// The files to read, one after the other; `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Their format; without it that of each file's name
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<FormatArg>,
    /// Leave out what is damaged and read on, instead of stopping there
    #[arg(long)]
    pub(crate) keep_going: bool,
}

/// The file that is written.
#[derive(Args, Debug)]
pub(crate) struct OutputArgs {
    /// The file to write; `-` for standard output. It appears when it is complete
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Its format; without it that of its name
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Option<FormatArg>,
}

/// The seed of what is left to chance.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct SeedArgs {
    /// Chooses among all that chance could do; the same seed does the same
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// Write data in another format, or several files as one
///
/// Positions without a score or a move are left out where a format needs one; how many is told.
#[derive(Args, Debug)]
#[command(after_help = CONVERT_EXAMPLES)]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Mix the files by game instead of reading one after the other: each game comes from a file drawn by its size
    #[arg(long)]
    pub(crate) interleave: bool,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
}

const CONVERT_EXAMPLES: &str = "\
Examples:
  nnue data convert games.binpack -o games.plain
  nnue data convert 2023.binpack 2024.binpack -o all.binpack --interleave
  nnue data convert - --from pgn -o games.binpack < games.pgn";

/// Keep the positions that are worth training on
///
/// A network evaluates positions in which nothing is hanging; a search takes care of the others. Positions without a score are always left
/// out. How many each rule has left out is told; a position counts for the first rule that applies.
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
    /// --no-check, --no-captures and --no-promotions
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Leave out positions with the side to move in check
    #[arg(long)]
    pub(crate) no_check: bool,
    /// Leave out positions whose move captures
    #[arg(long)]
    pub(crate) no_captures: bool,
    /// Leave out positions whose move promotes
    #[arg(long)]
    pub(crate) no_promotions: bool,
    /// Leave out scores above N or below -N
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i16).range(0..))]
    pub(crate) max_score: Option<i16>,
    /// Leave out earlier plies (counted from 0)
    #[arg(long, value_name = "N")]
    pub(crate) min_ply: Option<u32>,
    /// Leave out later plies
    #[arg(long, value_name = "N")]
    pub(crate) max_ply: Option<u32>,
    /// Leave out positions with fewer pieces, kings included
    #[arg(long, value_name = "N")]
    pub(crate) min_pieces: Option<u32>,
    /// Leave out positions with more pieces
    #[arg(long, value_name = "N")]
    pub(crate) max_pieces: Option<u32>,
    /// Keep a position with the probability that its score gives the outcome of the game: a win has 1 / (1 + exp((270 - score) / 380))
    #[arg(long)]
    pub(crate) win_rate: bool,
    /// Keep one position in N, at random
    #[arg(long, value_name = "N")]
    pub(crate) one_in: Option<NonZeroU32>,
}

const FILTER_EXAMPLES: &str = "\
Examples:
  nnue data filter games.binpack --quiet --max-score 10000 -o quiet.binpack
  nnue data filter games.vf --quiet --min-ply 16 --min-pieces 4 --win-rate --one-in 3 -o quiet.bf";

/// Put positions in random order
///
/// Every order is as likely as every other, however large the files are. What exceeds the memory is kept in at most 200 temporary
/// files, 36 bytes a position. Games are lost: split before.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  nnue data shuffle a.binpack b.binpack --memory 8G -o all.bf")]
pub(crate) struct ShuffleArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// How much memory to use, as 500M or 4G
    #[arg(long, value_name = "BYTES", default_value = "1G", value_parser = bytes)]
    pub(crate) memory: usize,
    /// Where to put temporary files; without it beside the output
    #[arg(long, value_name = "FOLDER")]
    pub(crate) temporary: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
}

/// Hold out games, to judge a network by positions that it has not seen
///
/// Whole games: positions of a game are alike and share its outcome. Needs plies, by which games are told apart.
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  nnue data split games.binpack -o train.binpack --held-out test.binpack --fraction 0.02"
)]
pub(crate) struct SplitArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// The file for the games that are held out
    #[arg(long, value_name = "FILE")]
    pub(crate) held_out: PathBuf,
    /// How many of the games, from 0 to 1
    #[arg(long, value_name = "X", default_value_t = 0.05, value_parser = fraction)]
    pub(crate) fraction: f64,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
}

/// Give positions the scores of a network
///
/// The exact value of each position, or with --nodes that of a search. Positions without a score stay without one.
#[derive(Args, Debug)]
#[command(after_help = RESCORE_EXAMPLES)]
pub(crate) struct RescoreArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) network: NetworkArgs,
    /// Search about so many nodes from each position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub(crate) nodes: Option<u64>,
    /// Threads; without it one for each core
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
}

const RESCORE_EXAMPLES: &str = "\
Examples:
  nnue data rescore games.binpack --net nn.nnue --declaration src/stockfish.rs --name Sfnnv5 -o rescored.binpack
  nnue data rescore games.binpack --net first/net.bin --declaration first/net.rs --nodes 1000 -o rescored.binpack";

/// Count what data hold
///
/// Positions, games, outcomes, scores, plies, checks, captures, pieces.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  nnue data stats train.binpack")]
pub(crate) struct StatsArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

/// Show positions
///
/// One line each, separated by tabs: number, ply, score and outcome for the side to move, move, FEN. `-` stands for what a position does
/// not have.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  nnue data inspect games.binpack\n  nnue data inspect games.binpack --skip 100000 --count 20"
)]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Pass over so many positions
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) skip: u64,
    /// Show so many
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
