//! `taskset -c 1 cargo bench --bench capi`: what it costs to call the library as C does instead of in Rust.
//!
//! A leaf of a search is three calls: push a change, evaluate, pop. Both ways run them from the same positions, on the same network, in turn; the
//! values are compared first. The network is small, so that the calls are a part of the time that can be seen.

use std::hint::black_box;
use std::mem::MaybeUninit;
use std::ptr;
use std::time::{Duration, Instant};

use nnue::shakmaty::change_of;
use nnue::{AccumulatorStack, Color, Network, Piece, PieceKind};
use nnue_capi::{self as capi, Status};
use shakmaty::Position;

nnue::nnue! {
    pub(crate) struct Material = Chess768[..] -> 32x2 -> 1;
}
nnue_capi::export! { Material }

/// How often every leaf is evaluated in a repetition, and how many repetitions there are.
const LEAVES: usize = 50;
const REPETITIONS: usize = 31;

/// A move: the position after it, and what it changes, for both ways.
struct Ply {
    before: capi::Position,
    after: capi::Position,
    change: nnue::Change,
    as_c: capi::Change,
}

fn main() {
    let repetitions = if std::env::args().any(|it| it == "--bench") {
        REPETITIONS
    } else {
        1
    };
    let plies = plies();
    let network = Network::<Material>::random(1);
    let bytes = network.to_bytes().expect("a file");
    let mut rust = InRust {
        network,
        stack: AccumulatorStack::new(),
    };
    let mut c = InC::open(&bytes);
    for ply in &plies {
        assert_eq!(
            rust.leaves(ply, 1).0,
            c.leaves(ply, 1).0,
            "C and Rust say different things"
        );
    }
    let mut ratios: Vec<[f64; 2]> = Vec::new();
    for _ in 0..repetitions {
        let mut times = [Duration::ZERO; 2];
        for ply in &plies {
            times[0] += rust.leaves(ply, LEAVES).1;
            times[1] += c.leaves(ply, LEAVES).1;
        }
        ratios.push(times.map(|time| time.as_secs_f64() * 1e9 / (plies.len() * LEAVES) as f64));
    }
    let median = |of: fn(&[f64; 2]) -> f64| {
        let mut all: Vec<f64> = ratios.iter().map(of).collect();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    };
    println!(
        "push, evaluate, pop: {:.1} ns in Rust, {:.1} ns as C calls",
        median(|it| it[0]),
        median(|it| it[1])
    );
    println!(
        "a call from C takes {:.1} ns longer (aim: 5)",
        median(|it| (it[1] - it[0]) / 3.0)
    );
}

/// One ply in ten of the games of the vectors.
fn plies() -> Vec<Ply> {
    let mut plies = Vec::new();
    for game in nnue_testkit::games::vector_games() {
        let positions = game.positions();
        for (pair, next) in positions.windows(2).zip(&game.moves).step_by(10) {
            let change = change_of(&pair[0], next);
            plies.push(Ply {
                before: position(&pair[0]),
                after: position(&pair[1]),
                change,
                as_c: as_c(&change),
            });
        }
    }
    plies
}

fn position(board: &shakmaty::Chess) -> capi::Position {
    let of = |piece: Piece| nnue::Position::pieces(board, piece.color(), piece.kind());
    let squares = |wanted: &dyn Fn(Piece) -> bool| {
        Piece::ALL
            .into_iter()
            .filter(|&it| wanted(it))
            .fold(0, |all, it| all | of(it))
    };
    capi::Position {
        by_color: Color::ALL.map(|color| squares(&|piece| piece.color() == color)),
        by_kind: PieceKind::ALL.map(|kind| squares(&|piece| piece.kind() == kind)),
        side_to_move: u8::from(board.turn() == shakmaty::Color::Black),
    }
}

fn as_c(change: &nnue::Change) -> capi::Change {
    let list = |placed: &[nnue::Placed]| {
        let mut list = [capi::Placed {
            piece: 0,
            square: 0,
        }; 2];
        for (to, from) in list.iter_mut().zip(placed) {
            *to = capi::Placed {
                piece: from.piece.index() as u8,
                square: from.square.index() as u8,
            };
        }
        (list, placed.len() as u8)
    };
    let ((removed, removed_count), (added, added_count)) =
        (list(change.removed()), list(change.added()));
    capi::Change {
        removed,
        added,
        removed_count,
        added_count,
    }
}

struct InRust {
    network: Network<Material>,
    stack: AccumulatorStack<Material>,
}

impl InRust {
    /// The sum of the values of so many leaves, and their time.
    fn leaves(&mut self, ply: &Ply, count: usize) -> (i64, Duration) {
        self.stack.reset();
        self.network.evaluate(&ply.before, &mut self.stack);
        let start = Instant::now();
        let mut sum = 0;
        for _ in 0..count {
            self.stack.push(*black_box(&ply.change));
            sum += i64::from(
                self.network
                    .evaluate(black_box(&ply.after), &mut self.stack)
                    .value,
            );
            self.stack.pop();
        }
        (sum, start.elapsed())
    }
}

struct InC {
    network: *mut capi::Network,
    stack: *mut capi::Stack,
}

impl InC {
    fn open(bytes: &[u8]) -> Self {
        let (mut network, mut stack) = (ptr::null_mut(), ptr::null_mut());
        let name = c"Material".as_ptr();
        // SAFETY: the name ends with a zero, the bytes are as many as is said, and the network has a place.
        let opened = unsafe {
            capi::nnue_network_open_bytes(
                name,
                bytes.as_ptr(),
                bytes.len(),
                ptr::null(),
                &raw mut network,
            )
        };
        assert_eq!(opened, Status::Ok);
        // SAFETY: the network was opened just now, and the stack has a place.
        let made = unsafe { capi::nnue_stack_new(network, &raw mut stack) };
        assert_eq!(made, Status::Ok);
        Self { network, stack }
    }

    fn evaluate(&mut self, position: &capi::Position) -> i64 {
        let mut said = MaybeUninit::<capi::Evaluation>::uninit();
        // SAFETY: the stack lives as long as this, and the others are references.
        let status = unsafe {
            black_box(capi::nnue_stack_evaluate)(self.stack, position, said.as_mut_ptr())
        };
        assert_eq!(status, Status::Ok);
        // SAFETY: it was written, since all went well.
        i64::from(unsafe { said.assume_init() }.value)
    }

    /// As [`InRust::leaves`].
    fn leaves(&mut self, ply: &Ply, count: usize) -> (i64, Duration) {
        // SAFETY: the stack lives as long as this.
        assert_eq!(unsafe { capi::nnue_stack_reset(self.stack) }, Status::Ok);
        self.evaluate(&ply.before);
        let start = Instant::now();
        let mut sum = 0;
        for _ in 0..count {
            // SAFETY: the stack lives as long as this, and the change is a reference.
            let pushed =
                unsafe { black_box(capi::nnue_stack_push)(self.stack, black_box(&ply.as_c)) };
            sum += self.evaluate(black_box(&ply.after));
            // SAFETY: the stack lives as long as this.
            let popped = unsafe { black_box(capi::nnue_stack_pop)(self.stack) };
            assert_eq!((pushed, popped), (Status::Ok, Status::Ok));
        }
        (sum, start.elapsed())
    }
}

impl Drop for InC {
    fn drop(&mut self) {
        // SAFETY: it was made by `open`, and is freed once.
        unsafe { capi::nnue_stack_free(self.stack) };
        // SAFETY: the same.
        unsafe { capi::nnue_network_free(self.network) };
    }
}
