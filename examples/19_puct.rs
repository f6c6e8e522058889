//! 19: a tree search with a policy.
//!
//! Shows: how a search of the kind of AlphaZero uses a network with a value and a policy. Each playout walks down the tree by PUCT, to the move with
//! the greatest `Q + c * P * sqrt(N) / (1 + n)`, and asks the network once about the position that it comes to: for its value, and for the
//! probabilities of its legal moves alone, each a row of the policy. The stack follows the way down, so that accumulators are computed from those of
//! the root. Mates that are proved end the search.
//!
//! The network, `examples/nets/tree.bin`, was trained for a minute by `nnue train examples/nets/policy.toml`: it is there to be searched with, not to play well.
//!
//! Run: `cargo run --release --example 19_puct`; as an engine that speaks UCI: `cargo run --release --example 19_puct uci`
//!
//! ```text
//! mate in two    3r2k1/5ppp/8/8/8/8/4RPPP/4R1K1 w - - 0 1: e2e8
//! mate in two    kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1: a1a6
//! hanging queen  rnb1kbnr/pppp1ppp/8/4p1q1/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3: f3g5
//! ```
//!
//! Speed: `taskset -c 0 cargo run --release --example 19_puct bench`, in a position with 48 moves, accumulators at hand; medians of five runs in
//! turn on an AMD EPYC (Zen, two virtual cores, 2026-11-23). Nearly all of a playout is the way down the tree, in memory, and the moves.
//!
//! | ns | AVX-512 VNNI | AVX2 |
//! |---|---|---|
//! | value | 46 | 55 |
//! | value and policy, 48 rows of 128 bytes | 177 | 184 |
//! | a playout of 100,000 | 7,074 | 7,233 |
//!
//! Networks as wide as those of today's engines wait for memory: 3072 inputs, 16,384 neurons and 30 of 7840 rows, of which an eighth is new from
//! one position to the next (`RUSTFLAGS="-C target-cpu=native" taskset -c 1 cargo bench --bench mcts -- policy`, same machine).
//!
//! | us a position | AVX-512 VNNI | AVX2 |
//! |---|---|---|
//! | value and policy | 16.3 | 14.2 |
//! | the loop that such engines have, with AVX-512 | 41.0 | 41.6 |
//! | reading a word of each cache line of the same rows | 20.4 | 17.8 |

use std::io::BufRead;
use std::ops::Range;
use std::time::{Duration, Instant};

use cozy_chess::util::{display_uci_move, parse_uci_move};
use cozy_chess::{Board, GameStatus, Move};
use nnue::cozy_chess::{change_of, policy_move};
use nnue::{AccumulatorStack, Network, nnue, softmax};

nnue! {
    /// A value and a policy of one body.
    pub struct Tree {
        acc = accumulate(Chess768[mirrored], 128 @ 255) x 2;
        let x = pairwise(acc);
        let h = affine(x, 16);
        output value = affine(screlu(h), 1: f32);
        output policy = rows(x, 1880);
        format raw;
        weights "examples/nets/tree.bin";
    }
}

/// How much priors count beside what was found.
const EXPLORATION: f32 = 1.8;
/// Above 1, the policy is less sure of itself, so that moves are tried that it does not expect.
const TEMPERATURE: f32 = 1.6;
/// What a move that was never tried seems to be worth less than its position.
const UNTRIED: f32 = 0.3;

/// A move, and what is known of the position after it.
struct Node {
    mv: Move,
    /// what the policy says
    prior: f32,
    visits: u32,
    /// sum of all values found below, from -1 to 1 each, for the player who made the move
    worth: f32,
    /// whether it mates, or loses by force: proved, not only seen
    proved: Option<Proved>,
    /// the moves of the position, after it was visited once
    children: Range<usize>,
}

/// What is sure about a move, for the player who makes it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Proved {
    Win,
    Loss,
}

impl Node {
    fn new(mv: Move, prior: f32) -> Self {
        Self {
            mv,
            prior,
            visits: 0,
            worth: 0.0,
            proved: None,
            children: 0..0,
        }
    }

    fn mean(&self) -> f32 {
        self.worth / self.visits as f32
    }
}

/// A search of one thread from one position.
struct Search<'a> {
    network: &'a Network<Tree>,
    stack: AccumulatorStack<Tree>,
    root: Board,
    /// positions that were there before
    history: Vec<u64>,
    nodes: Vec<Node>,
}

impl<'a> Search<'a> {
    fn new(network: &'a Network<Tree>, root: Board, history: Vec<u64>) -> Self {
        let nothing = Move {
            from: cozy_chess::Square::A1,
            to: cozy_chess::Square::A1,
            promotion: None,
        };
        Self {
            network,
            stack: AccumulatorStack::new(),
            root,
            history,
            nodes: vec![Node::new(nothing, 1.0)],
        }
    }

    /// One way down the tree, to a position that was not visited yet or has no moves, and what is learnt there back up.
    fn playout(&mut self) {
        let (mut board, mut path, before) = (self.root.clone(), vec![0], self.history.len());
        let mut node = 0;
        while let Some(child) = self.choose(node) {
            self.stack.push(change_of(&board, self.nodes[child].mv));
            self.history.push(board.hash());
            board.play(self.nodes[child].mv);
            path.push(child);
            node = child;
        }
        let mut worth = self.visit(node, &board);
        for &node in path.iter().rev() {
            worth = -worth; // for the player who moved there
            self.nodes[node].visits += 1;
            self.nodes[node].worth += worth;
            self.prove(node);
        }
        path.iter().skip(1).for_each(|_| self.stack.pop());
        self.history.truncate(before);
    }

    /// A position in which some move wins was lost by the move that led to it; one in which all moves lose was won.
    fn prove(&mut self, node: usize) {
        let children = &self.nodes[self.nodes[node].children.clone()];
        if children
            .iter()
            .any(|child| child.proved == Some(Proved::Win))
        {
            self.nodes[node].proved = Some(Proved::Loss);
        } else if !children.is_empty()
            && children
                .iter()
                .all(|child| child.proved == Some(Proved::Loss))
        {
            self.nodes[node].proved = Some(Proved::Win);
        }
    }

    /// The child with the greatest sum of what was found and what the policy expects.
    fn choose(&self, node: usize) -> Option<usize> {
        let Node {
            visits, children, ..
        } = &self.nodes[node];
        let (here, root) = (-self.nodes[node].mean() - UNTRIED, (*visits as f32).sqrt());
        let score = |child: usize| {
            let child = &self.nodes[child];
            let found = match child.proved {
                Some(Proved::Win) => f32::INFINITY,
                Some(Proved::Loss) => f32::NEG_INFINITY,
                None if child.visits > 0 => child.mean(),
                None => here,
            };
            found + EXPLORATION * child.prior * root / (1 + child.visits) as f32
        };
        children
            .clone()
            .max_by(|&a, &b| score(a).total_cmp(&score(b)))
    }

    /// The value of a position for its mover, from -1 to 1. The moves of one that goes on become children.
    fn visit(&mut self, node: usize, board: &Board) -> f32 {
        match board.status() {
            GameStatus::Won => {
                self.nodes[node].proved = Some(Proved::Win);
                return -1.0;
            }
            GameStatus::Drawn => return 0.0,
            GameStatus::Ongoing if node > 0 && self.history.contains(&board.hash()) => return 0.0,
            GameStatus::Ongoing => {}
        }
        let mut moves = Vec::with_capacity(64);
        board.generate_moves(|of_a_piece| {
            moves.extend(of_a_piece);
            false
        });
        let rows: Vec<usize> = moves.iter().map(|&mv| row_of(board, mv)).collect();
        let mut priors = vec![0.0; rows.len()];
        let (evaluation, ()) = self
            .network
            .policy(board, &rows, &mut self.stack, &mut priors);
        softmax(&mut priors, TEMPERATURE);
        let first = self.nodes.len();
        self.nodes.extend(
            moves
                .into_iter()
                .zip(priors)
                .map(|(mv, prior)| Node::new(mv, prior)),
        );
        self.nodes[node].children = first..self.nodes.len();
        (evaluation.value as f32 / 800.0).tanh()
    }

    /// A move that wins for sure, or the one that was tried most often, after so many playouts or so much time.
    fn best(&mut self, playouts: u32, time: Duration) -> Option<Move> {
        let start = Instant::now();
        while self.nodes[0].visits < playouts
            && start.elapsed() < time
            && self.nodes[0].proved.is_none()
        {
            self.playout();
        }
        let children = self.nodes[0].children.clone();
        let rank = |child: &&Node| (child.proved == Some(Proved::Win), child.visits);
        self.nodes[children]
            .iter()
            .max_by_key(rank)
            .map(|child| child.mv)
    }
}

/// The row of a legal move. The network has the own king on files a to d, and so have its moves.
fn row_of(board: &Board, mv: Move) -> usize {
    let seen = policy_move(board, mv).expect("a piece moves");
    let right = board.king(board.side_to_move()).file() >= cozy_chess::File::E;
    let seen = if right { seen.mirrored() } else { seen };
    seen.squares.index_1880().expect("a legal move")
}

/// A position of UCI, `startpos` or `fen ..`, with the moves that were played.
fn position(words: &[&str]) -> Option<(Board, Vec<u64>)> {
    let moves = words
        .iter()
        .position(|word| *word == "moves")
        .unwrap_or(words.len());
    let mut board = match words.first()? {
        &"startpos" => Board::default(),
        _ => words[1..moves].join(" ").parse().ok()?,
    };
    let mut history = Vec::new();
    for text in words.iter().skip(moves + 1) {
        history.push(board.hash());
        board.try_play(parse_uci_move(&board, text).ok()?).ok()?;
    }
    Some((board, history))
}

/// Playouts and time of `go nodes ..`, `go movetime ..` and `go wtime .. btime ..`.
fn limits(words: &[&str], board: &Board) -> (u32, Duration) {
    let number = |name: &str| {
        let at = words.iter().position(|word| *word == name)?;
        words.get(at + 1)?.parse::<u64>().ok()
    };
    let (clock, bonus) = match board.side_to_move() {
        cozy_chess::Color::White => (number("wtime"), number("winc")),
        cozy_chess::Color::Black => (number("btime"), number("binc")),
    };
    let share = clock.map(|clock| clock / 30 + bonus.unwrap_or(0) / 2);
    let time = number("movetime")
        .or(share)
        .map_or(Duration::from_secs(3600), Duration::from_millis);
    let playouts = number("nodes").unwrap_or(1_000_000);
    (u32::try_from(playouts).unwrap_or(u32::MAX).max(2), time)
}

/// Speaks UCI until `quit`.
fn uci(network: &Network<Tree>) {
    let (mut board, mut history) = (Board::default(), Vec::new());
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["uci"] => println!("id name puct example of nnue\nuciok"),
            ["isready"] => println!("readyok"),
            ["position", rest @ ..] => match position(rest) {
                Some(found) => (board, history) = found,
                None => println!("info string this is no position: {line}"),
            },
            ["go", rest @ ..] => {
                let (playouts, time) = limits(rest, &board);
                let mut search = Search::new(network, board.clone(), history.clone());
                let best = search.best(playouts, time);
                let root = &search.nodes[0];
                println!(
                    "info nodes {} score cp {:.0}",
                    root.visits,
                    -800.0 * root.mean().clamp(-0.999, 0.999).atanh()
                );
                println!(
                    "bestmove {}",
                    best.map_or("0000".into(), |mv| display_uci_move(&board, mv).to_string())
                );
            }
            ["quit"] => return,
            _ => {}
        }
    }
}

/// How long the parts of a search take, in a position of the middle game with 48 legal moves.
fn bench(network: &Network<Tree>) -> Result<(), Box<dyn std::error::Error>> {
    const TIMES: u32 = 100_000;
    let board: Board =
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1".parse()?;
    let mut rows = Vec::new();
    board.generate_moves(|of_a_piece| {
        rows.extend(of_a_piece.into_iter().map(|mv| row_of(&board, mv)));
        false
    });
    let (mut stack, mut logits, mut sum) = (AccumulatorStack::new(), vec![0.0; rows.len()], 0);
    let start = Instant::now();
    (0..TIMES).for_each(|_| sum += network.evaluate(&board, &mut stack).value);
    let value = start.elapsed();
    let start = Instant::now();
    (0..TIMES).for_each(|_| {
        sum += network
            .policy::<(), _>(&board, &rows, &mut stack, &mut logits)
            .0
            .value
    });
    let policy = start.elapsed();
    let start = Instant::now();
    let mut search = Search::new(network, board, Vec::new());
    search.best(TIMES, Duration::MAX);
    let playout = start.elapsed();
    println!(
        "level {}, {} moves, {} bytes of rows (sum {sum})",
        network.level(),
        rows.len(),
        128 * rows.len()
    );
    for (what, time) in [
        ("value", value),
        ("value and policy", policy),
        ("playout", playout),
    ] {
        println!("{what:<17} {:>6} ns", (time / TIMES).as_nanos());
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let network = Network::<Tree>::embedded();
    match std::env::args().nth(1).as_deref() {
        Some("uci") => {
            uci(&network);
            return Ok(());
        }
        Some("bench") => return bench(&network),
        _ => {}
    }
    for (name, fen) in [
        ("mate in two", "3r2k1/5ppp/8/8/8/8/4RPPP/4R1K1 w - - 0 1"),
        ("mate in two", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"),
        (
            "hanging queen",
            "rnb1kbnr/pppp1ppp/8/4p1q1/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        ),
    ] {
        let board: Board = fen.parse()?;
        let best = Search::new(&network, board.clone(), Vec::new()).best(20_000, Duration::MAX);
        println!(
            "{name:<14} {fen}: {}",
            best.map_or("none".into(), |mv| display_uci_move(&board, mv).to_string())
        );
    }
    Ok(())
}
