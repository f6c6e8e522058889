//! 10: another game: ataxx.
//!
//! Shows: a board, a change and a feature set of your own; the network of bullet's example `ataxx` with them; a search that evaluates
//! incrementally while stones flip.
//!
//! In ataxx, a stone is placed beside one of its own colour, or jumps two squares; the enemy's stones around it change sides. The
//! features are 3 x 49: own stones, enemy stones, blocked squares.
//!
//! Run: `cargo run --example 10_ataxx`
//!
//! ```text
//! Ataxx: Ataxx147[147] -> 256x2 @ 255 screlu -> 1: i16
//! 76864 bytes in the layout of the trainer
//! depth 1:     16 positions, value 2602
//! depth 2:    256 positions, value -834
//! depth 3:   5948 positions, value 2074
//! ```

use nnue::game::{ChangedRows, Inputs, Rows};
use nnue::spec::TensorMut;
use nnue::{AccumulatorStack, Color, Model, Network, Parameters, nnue};

/// Squares of a board of 7 x 7, from the first to the last rank.
pub(crate) const SQUARES: u32 = 49;

/// A position. Bit `s` of a bitboard is square `s`.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    /// by colour
    pub(crate) stones: [u64; 2],
    /// squares that nobody may enter
    pub(crate) blocked: u64,
    pub(crate) to_move: Color,
}

/// The change of a move: a stone of `mover` is placed on a square, a jump removes it from another, and the stones on `flipped` change sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(crate) mover: Color,
    pub(crate) put: u64,
    pub(crate) lifted: u64,
    pub(crate) flipped: u64,
}

/// The squares of a bitboard.
pub(crate) fn squares(board: u64) -> impl Iterator<Item = u32> {
    (0..SQUARES).filter(move |square| board >> square & 1 == 1)
}

/// The squares at most `distance` away from one, including that one.
fn around(square: u32, distance: u32) -> u64 {
    let near = |other: &u32| {
        (other % 7).abs_diff(square % 7) <= distance && (other / 7).abs_diff(square / 7) <= distance
    };
    (0..SQUARES)
        .filter(near)
        .fold(0, |all, other| all | 1 << other)
}

impl Board {
    /// Stones in the four corners, four blocked squares around the middle.
    pub(crate) fn start() -> Self {
        let bits = |squares: &[u32]| squares.iter().fold(0, |all, square| all | 1 << square);
        let stones = [bits(&[42, 6]), bits(&[0, 48])];
        Self {
            stones,
            blocked: bits(&[17, 23, 25, 31]),
            to_move: Color::White,
        }
    }

    /// All moves. A stone that is placed beside several others is one move.
    pub(crate) fn moves(&self) -> Vec<Change> {
        let mover = self.to_move;
        let [own, enemy] = [mover, mover.other()].map(|side| self.stones[side.index()]);
        let empty = !(own | enemy | self.blocked);
        let mut moves = Vec::new();
        for to in squares(empty) {
            let (near, far) = (around(to, 1), around(to, 2));
            let change = Change {
                mover,
                put: 1 << to,
                lifted: 0,
                flipped: near & enemy,
            };
            moves.extend((near & own != 0).then_some(change));
            moves.extend(squares(far & !near & own).map(|from| Change {
                lifted: 1 << from,
                ..change
            }));
        }
        moves
    }

    /// Makes a move.
    pub(crate) fn play(&mut self, change: &Change) {
        let Change {
            mover,
            put,
            lifted,
            flipped,
        } = *change;
        let (own, enemy) = (mover.index(), mover.other().index());
        self.stones[own] = self.stones[own] & !lifted | put | flipped;
        self.stones[enemy] &= !flipped;
        self.to_move = mover.other();
    }
}

/// The 147 inputs of bullet's example.
pub(crate) struct Ataxx147;

impl Inputs for Ataxx147 {
    type Position = Board;
    type Change = Change;
    /// Both sides see the board as it is.
    type View = ();
    const ROWS: usize = 147;

    fn side_to_move(board: &Board) -> Color {
        board.to_move
    }

    fn view(_: &Board, _: Color) {}

    fn active(board: &Board, side: Color, (): (), rows: &mut Rows) {
        let planes = [
            board.stones[side.index()],
            board.stones[side.other().index()],
            board.blocked,
        ];
        for (plane, first) in planes.into_iter().zip((0..).step_by(49)) {
            squares(plane).for_each(|square| rows.add(first + square));
        }
    }

    fn changed(change: &Change, side: Color, (): (), rows: &mut ChangedRows) {
        let (mover, other) = if change.mover == side {
            (0, 49)
        } else {
            (49, 0)
        };
        squares(change.put | change.flipped).for_each(|square| rows.add(mover + square));
        squares(change.lifted).for_each(|square| rows.remove(mover + square));
        squares(change.flipped).for_each(|square| rows.remove(other + square));
    }
}

nnue! {
    /// `147 -> 256 SCReLU -> 512 -> 1`: 147 inputs, of which at most 49 are active at once.
    pub(crate) struct Ataxx = self::Ataxx147[147, active 49] -> 256x2 @ 255 screlu -> 1: i16 { format raw };
}

/// A file as the trainer saves it, with random weights.
fn file() -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let mut params = AtaxxParams::zeroed();
    let mut state = 1_u64;
    for tensor in params.tensors_mut() {
        if let TensorMut::I16(weights) = tensor {
            for weight in weights {
                state = state
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                *weight = (state >> 33) as i16 % 60;
            }
        }
    }
    let mut file = Vec::new();
    AtaxxNetwork::from_params(params).write(&mut file)?;
    Ok(file)
}

/// A search to a fixed depth: the best value for the side to move, and how many positions were evaluated.
fn search(
    network: &AtaxxNetwork,
    board: &Board,
    stack: &mut AccumulatorStack<Ataxx>,
    depth: u32,
) -> (i32, usize) {
    let moves = board.moves();
    if depth == 0 || moves.is_empty() {
        let value = network.evaluate(board, stack).value;
        assert_eq!(
            value,
            network.evaluate_fresh(board).value,
            "incremental or from scratch: the same"
        );
        return (value, 1);
    }
    let (mut best, mut count) = (-i32::MAX, 0);
    for change in moves {
        let mut child = board.clone();
        child.play(&change);
        stack.push(change); // recorded; nothing is computed until an evaluation needs it
        let (value, evaluated) = search(network, &child, stack, depth - 1);
        stack.pop();
        (best, count) = (best.max(-value), count + evaluated);
    }
    (best, count)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("{}: {}", Ataxx::SPEC.name, Ataxx::SPEC.notation);
    let file = file()?;
    println!("{} bytes in the layout of the trainer", file.len());
    let network = Network::<Ataxx>::from_bytes(&file)?;
    let (board, mut stack) = (Board::start(), AccumulatorStack::new());
    for depth in 1..=3 {
        let (value, count) = search(&network, &board, &mut stack, depth);
        println!("depth {depth}: {count:6} positions, value {value}");
    }
    Ok(())
}
