//! Any sequence of changes: the accumulators of the stack equal those of the position alone, on every level of this processor.
//!
//! The bytes are a small program over a line of positions; see [`Walk::step`]. Pieces may move anywhere, but there is always one king of
//! each colour, at most one piece on a square, and at most 32 pieces.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use nnue::spec::TensorMut;
use nnue::{
    AccumulatorStack, Architecture, Change, Color, Level, Network, Parameters, Piece, PieceKind,
    Placed, Position, Square,
};

nnue::nnue! { struct Mirrored = HalfKAv2_hm[..] -> 32x2 pairwise, psqt 2 -> (8 -> 8 -> 1)x2; }
nnue::nnue! { struct Rotated = HalfKP[..] -> 32x2 -> 8 -> 1; }
nnue::nnue! { struct Plain = Chess768[..] -> 32x2 -> 8 -> 1; }
nnue::nnue! {
    struct Paired = HalfKAv2_hm[..] + Threats[..](P: PNRK, N: PNBRQK, Q: PNBQ, K: PR, pushes) + PawnPairs[..] -> 32x2 -> 8 -> 1;
}

/// A network for every level, all with the same weights, which have all magnitudes, so that sums wrap.
fn networks<A: Architecture>() -> Vec<Network<A>> {
    let network = |level| {
        let mut params = A::Params::zeroed();
        let mut state = 1u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as i32
        };
        for tensor in params.tensors_mut() {
            match tensor {
                TensorMut::I8(values) => {
                    values.iter_mut().for_each(|value| *value = random() as i8)
                }
                TensorMut::I16(values) => {
                    values.iter_mut().for_each(|value| *value = random() as i16)
                }
                TensorMut::I32(values) => values.iter_mut().for_each(|value| *value = random()),
                TensorMut::F32(values) => values
                    .iter_mut()
                    .for_each(|value| *value = f32::from_bits(random() as u32)),
            }
        }
        Network::from_params(params).with_level(level)
    };
    Level::available().map(network).collect()
}

static MIRRORED: LazyLock<Vec<Network<Mirrored>>> = LazyLock::new(networks);
static ROTATED: LazyLock<Vec<Network<Rotated>>> = LazyLock::new(networks);
static PLAIN: LazyLock<Vec<Network<Plain>>> = LazyLock::new(networks);
static PAIRED: LazyLock<Vec<Network<Paired>>> = LazyLock::new(networks);

/// The piece on each square.
#[derive(Clone)]
struct Board {
    squares: [Option<Piece>; 64],
    side_to_move: Color,
}

impl Position for Board {
    fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
        let here = |square: usize| {
            u64::from(self.squares[square] == Some(Piece::new(color, kind))) << square
        };
        (0..64).map(here).sum()
    }

    fn side_to_move(&self) -> Color {
        self.side_to_move
    }
}

impl Board {
    fn kings() -> Self {
        let mut squares = [None; 64];
        squares[4] = Some(Piece::new(Color::White, PieceKind::King));
        squares[60] = Some(Piece::new(Color::Black, PieceKind::King));
        Self {
            squares,
            side_to_move: Color::White,
        }
    }

    fn is_king(&self, square: usize) -> bool {
        self.squares[square].is_some_and(|piece| piece.kind() == PieceKind::King)
    }

    /// Moves the piece on `from` to `to` and captures what is there. `None` if there is no piece or a king would be captured.
    fn move_piece(&mut self, from: usize, to: usize) -> Option<(Vec<Placed>, Placed)> {
        let piece = self.squares[from].filter(|_| from != to && !self.is_king(to))?;
        let mut removed = vec![Placed::new(piece, square(from))];
        removed.extend(self.squares[to].map(|captured| Placed::new(captured, square(to))));
        (self.squares[from], self.squares[to]) = (None, Some(piece));
        Some((removed, Placed::new(piece, square(to))))
    }
}

fn square(index: usize) -> Square {
    Square::new(index as u8)
}

struct Walk<'a, A: Architecture> {
    networks: &'a [Network<A>],
    used: usize,
    line: Vec<Board>,
    stack: AccumulatorStack<A>,
}

impl<A: Architecture> Walk<'_, A> {
    fn push(&mut self, mut board: Board, change: Change) {
        board.side_to_move = board.side_to_move.other();
        self.line.push(board);
        self.stack.push(change);
    }

    /// One instruction: its number and two operands.
    fn step(&mut self, [code, a, b]: [u8; 3]) {
        let mut board = self.line[self.line.len() - 1].clone();
        let (from, to) = (usize::from(a % 64), usize::from(b % 64));
        match code % 8 {
            0 | 1 => {
                if let Some((removed, added)) = board.move_piece(from, to) {
                    self.push(
                        board,
                        Change::new(&removed, &[added]).expect("at most two and one"),
                    );
                }
            }
            2 => {
                let piece = Piece::new(
                    Color::ALL[usize::from(b / 64 % 2)],
                    PieceKind::ALL[usize::from(b % 5)],
                );
                if board.squares[from].is_none() && board.squares.iter().flatten().count() < 32 {
                    board.squares[from] = Some(piece);
                    self.push(board, Change::drop(piece, square(from)));
                }
            }
            3 => self.push(board, Change::null()),
            4 if self.line.len() > 1 => {
                self.line.pop();
                self.stack.pop();
            }
            5 => self.used = usize::from(a) % self.networks.len(),
            6 => {
                if b % 2 == 0 {
                    self.stack.reset()
                } else {
                    self.stack.clear()
                }
                self.line = vec![board];
            }
            _ => self.compare(),
        }
    }

    fn compare(&mut self) {
        let board = &self.line[self.line.len() - 1];
        let incremental = self.networks[self.used].evaluate(board, &mut self.stack);
        assert_eq!(self.stack.verify(&self.networks[self.used], board), Ok(()));
        for network in self.networks {
            assert_eq!(
                incremental,
                network.evaluate_fresh(board),
                "{}",
                network.level()
            );
        }
    }
}

fn run<A: Architecture>(networks: &[Network<A>], program: &[u8]) {
    let mut walk = Walk {
        networks,
        used: 0,
        line: vec![Board::kings()],
        stack: AccumulatorStack::new(),
    };
    program
        .as_chunks::<3>()
        .0
        .iter()
        .for_each(|&step| walk.step(step));
    walk.compare();
}

fuzz_target!(|data: &[u8]| {
    let [set, program @ ..] = data else { return };
    match set % 4 {
        0 => run(&MIRRORED, program),
        1 => run(&ROTATED, program),
        2 => run(&PAIRED, program),
        _ => run(&PLAIN, program),
    }
});
