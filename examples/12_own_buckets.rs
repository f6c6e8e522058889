//! 12: buckets of inputs by a rule of your own.
//!
//! Shows: a feature set of chess with four copies of its rows, of which the enemy's queen chooses one, with boards of `cozy-chess` and the
//! crate's own `Change`. No rule for refreshes is needed.
//!
//! ```
//! row = 768 * bucket + 384 * enemy + 64 * kind + square          the second player sees the board flipped
//! bucket: the enemy has no queen 0, on its own half 1, on ours 2, several 3
//! ```
//!
//! Run: `cargo run --example 12_own_buckets`
//!
//! ```text
//! ByQueen: QueenBuckets[3072] -> 64x2 @ 255 screlu -> 1: i16
//! ply  0: buckets [1, 1], value -467
//! ply 20: buckets [1, 1], value -120
//! ply 40: buckets [1, 1], value -1593
//! ply 60: buckets [2, 2], value -1488
//! ply 80: buckets [0, 0], value -1639
//! ```

use cozy_chess::{Board, Move};
use nnue::cozy_chess::change_of;
use nnue::game::{ChangedRows, Inputs, Rows};
use nnue::spec::TensorMut;
use nnue::{
    AccumulatorStack, Change, Color, Model, Network, Parameters, PieceKind, Placed, Position, nnue,
};

/// (bucket, piece, square).
pub(crate) struct QueenBuckets;

/// The row of a piece, as `side` sees it.
fn row(Placed { piece, square }: Placed, side: Color, bucket: u32) -> u32 {
    let enemy = u32::from(piece.color() != side);
    let square = square.xor(if side == Color::White { 0 } else { 56 });
    768 * bucket + 384 * enemy + 64 * piece.kind().index() as u32 + square.index() as u32
}

impl Inputs for QueenBuckets {
    type Position = Board;
    type Change = Change;
    /// The bucket. When a move changes the bucket of a side, its accumulator is computed from an earlier one with that bucket.
    type View = u32;
    const ROWS: usize = 4 * 768;
    const SLOTS: usize = 4;

    fn side_to_move(board: &Board) -> Color {
        Position::side_to_move(board)
    }

    fn view(board: &Board, side: Color) -> u32 {
        let queens = Position::pieces(board, side.other(), PieceKind::Queen);
        let own_half = if side == Color::White {
            0xFFFF_FFFF
        } else {
            !0xFFFF_FFFF
        };
        match queens.count_ones() {
            0 => 0,
            1 if queens & own_half == 0 => 1,
            1 => 2,
            _ => 3,
        }
    }

    fn slot(bucket: u32) -> usize {
        bucket as usize
    }

    fn active(board: &Board, side: Color, bucket: u32, rows: &mut Rows) {
        for piece in nnue::Piece::ALL {
            let mut squares = Position::pieces(board, piece.color(), piece.kind());
            while squares != 0 {
                let square = nnue::Square::wrapping(squares.trailing_zeros());
                rows.add(row(Placed::new(piece, square), side, bucket));
                squares &= squares - 1;
            }
        }
    }

    fn changed(change: &Change, side: Color, bucket: u32, rows: &mut ChangedRows) {
        change
            .removed()
            .iter()
            .for_each(|placed| rows.remove(row(*placed, side, bucket)));
        change
            .added()
            .iter()
            .for_each(|placed| rows.add(row(*placed, side, bucket)));
    }
}

nnue! {
    /// Like bullet's examples, with other buckets.
    pub(crate) struct ByQueen = self::QueenBuckets[3072, active 32] -> 64x2 @ 255 screlu -> 1: i16 { format raw };
}

/// Random weights.
fn network() -> Network<ByQueen> {
    let mut params = ByQueenParams::zeroed();
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
    Network::from_params(params)
}

/// All legal moves.
pub(crate) fn moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|of_piece| {
        moves.extend(of_piece);
        false
    });
    moves
}

fn main() {
    println!("{}: {}", ByQueen::SPEC.name, ByQueen::SPEC.notation);
    let (network, mut stack, mut board) = (network(), AccumulatorStack::new(), Board::default());
    for ply in 0..=80 {
        let evaluation = network.evaluate(&board, &mut stack);
        assert_eq!(
            evaluation,
            network.evaluate_fresh(&board),
            "incremental or from scratch: the same"
        );
        if ply % 20 == 0 {
            let buckets = Color::ALL.map(|side| QueenBuckets::view(&board, side));
            println!(
                "ply {ply:2}: buckets {buckets:?}, value {}",
                evaluation.value
            );
        }
        let moves = moves(&board);
        let Some(chosen) = moves.get((31 * ply + 7) % moves.len().max(1)).copied() else {
            break;
        };
        stack.push(change_of(&board, chosen));
        board.play(chosen);
    }
}
