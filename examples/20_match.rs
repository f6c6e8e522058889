//! 20: a match.
//!
//! Shows: what a network is worth in play. Two networks play with the search of example 07 and equally many nodes a move. An opening is eight
//! random moves after which the first player's search finds at most a pawn of difference. It is played twice with colours changed, so that
//! nobody gains by it; errors are those of pairs of games, which depend on each other.
//!
//! Run: `cargo run --release --example 20_match -- OPPONENT PAIRS NODES [NETWORK]`. The first player is the network that the command `nnue`
//! contains, or the file NETWORK of the same shape, as `nnue train examples/nets/default.toml` writes it. OPPONENT is `material`, which counts
//! pieces, the file of another network of that shape, or of the network that the command had before, as
//! `git show f961974:crates/cli/nets/default.nnue > before.nnue` writes it. docs/training.md has results.
//!
//! A game is won by mate, or by nine pawns' worth of material for ten plies; it is drawn by the third repetition, fifty moves, too little
//! material, stalemate, and after 400 plies. The same arguments play the same games, with any number of threads.
//!
//! ```text
//! 6 games of 200 nodes a move: [..] won, [..] drawn, [..] lost
//! score [..] %, [..] Elo, between [..] and [..]
//! ```

// The search of example 07, whose own main is not called here.
#[path = "07_search.rs"]
#[expect(dead_code, reason = "its main is that of another program")]
mod search;

use std::error::Error;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use nnue::{Architecture, Network, nnue};
use nnue_testkit::random::Random;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, Color, EnPassantMode, Move, Position, Role};

use search::{Search, material};

nnue! {
    /// The network of the command: see `examples/nets/default.toml`.
    pub(crate) struct Default = Chess768[mirrored, buckets: [0 x 2, 1 x 2, 2 x 4, 3 x 24]] -> 128x2 pairwise, psqt 8 -> (16 -> 32 -> 1)x8 {
        format stockfish { encoding: leb128 };
        weights "crates/cli/nets/default.nnue";
    };

    /// The network that was in its place until November 2026: piece-square tables and 91 patterns, made by hand.
    pub(crate) struct HandMade = Chess768[..] -> 96x2, psqt 8 -> 1x8;
}

/// Whoever plays: the best move after the positions of a game, for so many nodes, and its value.
trait Player: Sync {
    fn choose(&self, position: &Chess, played: &[Zobrist64], nodes: u64) -> Option<(Move, i32)>;
}

impl<N: Architecture> Player for Network<N> {
    fn choose(&self, position: &Chess, played: &[Zobrist64], nodes: u64) -> Option<(Move, i32)> {
        Search::new(self, nodes, played)
            .best_within_limit(position)
            .map(|(chess_move, value, _)| (chess_move, value))
    }
}

/// Random moves from the start position, the first that are even; the number of a pair chooses them.
fn opening(pair: usize, judge: &dyn Player, nodes: u64) -> Chess {
    let mut random = Random::new(pair as u64);
    loop {
        let mut position = Chess::default();
        for _ in 0..8 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[random.below(moves.len())]);
        }
        if judge
            .choose(&position, &[], nodes)
            .is_some_and(|(_, value)| value.abs() <= 100)
        {
            return position;
        }
    }
}

/// How many pawns White's pieces are worth more than Black's.
fn balance(position: &Chess) -> i32 {
    let worth = |color| {
        let pieces = position.board().material_side(color);
        [
            (Role::Pawn, 1),
            (Role::Knight, 3),
            (Role::Bishop, 3),
            (Role::Rook, 5),
            (Role::Queen, 9),
        ]
        .map(|(role, worth)| worth * i32::from(pieces[role]))
        .iter()
        .sum::<i32>()
    };
    worth(Color::White) - worth(Color::Black)
}

/// Plays a game, and gives White's score: 1, a half or 0.
fn play(mut position: Chess, [white, black]: [&dyn Player; 2], nodes: u64) -> f64 {
    let (mut played, mut decided) = (Vec::new(), 0);
    while played.len() < 400 {
        let hash: Zobrist64 = position.zobrist_hash(EnPassantMode::Legal);
        played.push(hash);
        let is_third = played.iter().filter(|&&before| before == hash).count() == 3;
        let player = if position.turn() == Color::White {
            white
        } else {
            black
        };
        let Some((chess_move, _)) = player.choose(&position, &played, nodes) else {
            let mated = if position.turn() == Color::White {
                0.0
            } else {
                1.0
            };
            return if position.is_check() { mated } else { 0.5 };
        };
        if is_third || position.halfmoves() >= 100 || position.is_insufficient_material() {
            return 0.5;
        }
        position.play_unchecked(chess_move);
        let balance = balance(&position);
        decided = if balance.abs() >= 9 {
            decided + balance.signum()
        } else {
            0
        };
        if decided.abs() == 10 {
            return if decided > 0 { 1.0 } else { 0.0 };
        }
    }
    0.5
}

/// The first player's scores in the two games of each pair.
fn play_all(players: [&dyn Player; 2], pairs: usize, nodes: u64) -> Vec<[f64; 2]> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let pair = next.fetch_add(1, Ordering::Relaxed);
            if pair >= pairs {
                return done;
            }
            let [first, second] = players;
            let opening = opening(pair, first, nodes);
            let white = play(opening.clone(), [first, second], nodes);
            let black = 1.0 - play(opening, [second, first], nodes);
            done.push((pair, [white, black]));
            if done.len().is_multiple_of(20) {
                eprintln!("pair {} of {pairs}", pair + 1);
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut done: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().expect("games end"))
            .collect()
    });
    done.sort_by_key(|&(pair, _)| pair);
    done.into_iter().map(|(_, scores)| scores).collect()
}

/// The difference in Elo at which so great a share of the points is expected.
fn elo(share: f64) -> f64 {
    400.0 * (share / (1.0 - share)).log10()
}

/// Says who won, and how sure that is: 95 % of all matches have the true score within 1.96 standard errors.
fn report(pairs: &[[f64; 2]], nodes: u64) {
    let games = pairs.as_flattened();
    let count = |score: f64| games.iter().filter(|&&found| found == score).count();
    println!(
        "{} games of {nodes} nodes a move: {} won, {} drawn, {} lost",
        games.len(),
        count(1.0),
        count(0.5),
        count(0.0)
    );
    let means: Vec<f64> = pairs
        .iter()
        .map(|[first, second]| (first + second) / 2.0)
        .collect();
    let n = means.len() as f64;
    let mean = means.iter().sum::<f64>() / n;
    let variance = means
        .iter()
        .map(|score| (score - mean).powi(2))
        .sum::<f64>()
        / (n - 1.0);
    let error = 1.96 * (variance / n).sqrt();
    let [low, high] = [mean - error, mean + error].map(|share| elo(share.clamp(0.0, 1.0)));
    println!(
        "score {:.1} %, {:+.0} Elo, between {low:+.0} and {high:+.0}",
        100.0 * mean,
        elo(mean)
    );
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let opponent = arguments.next().unwrap_or_else(|| "material".into());
    let pairs = arguments.next().map_or(Ok(3), |text| text.parse())?;
    let nodes = arguments.next().map_or(Ok(200), |text| text.parse())?;
    if pairs < 2 {
        return Err("errors follow from how pairs differ: play at least 2".into());
    }
    let first = match arguments.next() {
        Some(path) => Network::open(path)?,
        None => Network::<Default>::embedded(),
    };
    let second: Box<dyn Player> = match opponent.as_str() {
        "material" => Box::new(material()),
        path => match Network::<Default>::open(path) {
            Ok(network) => Box::new(network),
            Err(_) => Box::new(Network::<HandMade>::open(path)?),
        },
    };
    report(&play_all([&first, &*second], pairs, nodes), nodes);
    Ok(())
}
