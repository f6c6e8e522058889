//! Positions that climb: chess boards, or active rows where the program has the game.

use fastrand::Rng;
use nnue_spec::reference::{
    Board, CustomActivations, Piece, Trace, evaluate_custom, evaluate_rows,
};
use nnue_spec::{FeatureSetId, NetDesc, TensorRef};

/// What a network evaluates.
#[derive(Clone, Debug)]
pub(crate) enum Position {
    /// two kings and at most 30 other pieces, anywhere
    Chess(Board),
    /// the active rows of the first and the second perspective, and the layer stack
    Own([Vec<usize>; 2], usize),
}

const KING: usize = 5;

/// The letters of the kinds of piece, by number.
const LETTERS: &str = "PNBRQK";

/// 32 pieces with 169 active threats, if every kind attacks every kind: the most that simulated annealing found. A climb from a
/// random position stays far below.
const ATTACKS: [&str; 8] = [
    ".R.Q.r..", "q.bNb...", ".qNQNq..", "RNkNKQB.", ".QnQNQn.", "Q.Bnb...", ".r.q.r..", "........",
];

impl Position {
    /// Where the climb of this number starts: with threats, the first one starts from many of them.
    pub(crate) fn start(net: &NetDesc<'_>, number: usize, random: &mut Rng) -> Self {
        let has_threats = net
            .features
            .iter()
            .any(|feature| matches!(feature.set, FeatureSetId::Threats(_)));
        if has_threats && number == 0 {
            Self::Chess(attacks())
        } else {
            Self::random(net, random)
        }
    }

    /// Any position of the network's game.
    pub(crate) fn random(net: &NetDesc<'_>, random: &mut Rng) -> Self {
        if let FeatureSetId::Custom(set) = net.features[0].set {
            let mut rows = || {
                let count = random.usize(..=set.most_active as usize);
                random.choose_multiple(0..set.rows as usize, count)
            };
            return Self::Own([rows(), rows()], random.usize(..net.stacks.count));
        }
        let count = random.usize(2..=32);
        let squares = random.choose_multiple(0..64, count);
        let kind = |index, random: &mut Rng| {
            if index < 2 {
                KING
            } else {
                random.usize(..KING)
            }
        };
        let pieces = squares
            .into_iter()
            .enumerate()
            .map(|(index, square)| Piece {
                black: if index < 2 { index == 1 } else { random.bool() },
                kind: kind(index, random),
                square,
            });
        let pieces = pieces.collect();
        Self::Chess(Board {
            pieces,
            black_to_move: random.bool(),
        })
    }

    /// A position near this one.
    pub(crate) fn mutated(&self, net: &NetDesc<'_>, random: &mut Rng) -> Self {
        let mut position = self.clone();
        for _ in 0..random.usize(1..=2) {
            match (&mut position, net.features[0].set) {
                (Self::Chess(board), _) => mutate_board(board, random),
                (Self::Own(rows, bucket), FeatureSetId::Custom(set)) => {
                    mutate_rows(
                        &mut rows[random.usize(..2)],
                        set.rows as usize,
                        set.most_active as usize,
                        random,
                    );
                    *bucket = random.usize(..net.stacks.count);
                }
                (Self::Own(..), set) => panic!("{set:?} is a set of chess"),
            }
        }
        position
    }

    /// What the reference interpreter computes.
    pub(crate) fn evaluate(
        &self,
        net: &NetDesc<'_>,
        tensors: &[TensorRef<'_>],
        custom: CustomActivations<'_>,
    ) -> Trace {
        match self {
            Self::Chess(board) => evaluate_custom(net, tensors, board, custom),
            Self::Own(rows, bucket) => evaluate_rows(net, tensors, rows.clone(), *bucket),
        }
    }
}

/// The board of [`ATTACKS`]. The kings stand first and second.
fn attacks() -> Board {
    let ranks = ATTACKS
        .iter()
        .rev()
        .flat_map(|rank| rank.chars())
        .enumerate();
    let mut pieces: Vec<Piece> = ranks
        .filter_map(|(square, letter)| {
            let kind = LETTERS.find(letter.to_ascii_uppercase())?;
            Some(Piece {
                black: letter.is_lowercase(),
                kind,
                square,
            })
        })
        .collect();
    pieces.sort_by_key(|piece| (piece.kind != KING, piece.black));
    Board {
        pieces,
        black_to_move: false,
    }
}

/// The kings stand first and second.
fn mutate_board(board: &mut Board, random: &mut Rng) {
    let pieces = &mut board.pieces;
    let square = random.usize(..64);
    let empty = pieces.iter().all(|piece| piece.square != square);
    let any = random.usize(..pieces.len());
    match random.usize(..9) {
        0 => board.black_to_move = !board.black_to_move,
        1 if any > 1 => {
            pieces.swap_remove(any);
        }
        2 | 3 if any > 1 => {
            (pieces[any].black, pieces[any].kind) = (random.bool(), random.usize(..KING))
        }
        4 | 5 if empty => pieces[any].square = square,
        6 if random.u8(..4) == 0 => crowd(pieces, random),
        _ if empty && pieces.len() < 32 => {
            pieces.push(Piece {
                black: random.bool(),
                kind: random.usize(..KING),
                square,
            });
        }
        _ => {}
    }
}

/// A leap that single pieces take long for: 30 pieces of one kind and any colours beside each other, rank by rank, or file by file
/// where pawns may stand.
fn crowd(pieces: &mut Vec<Piece>, random: &mut Rng) {
    pieces.truncate(2);
    let (kind, first, by_file) = (random.usize(..KING), random.usize(..64), random.bool());
    for place in first..first + 32 {
        let square = if by_file {
            8 + place % 6 * 8 + place / 6 % 8
        } else {
            place % 64
        };
        if pieces.len() < 32 && pieces.iter().all(|piece| piece.square != square) {
            pieces.push(Piece {
                black: random.bool(),
                kind,
                square,
            });
        }
    }
}

fn mutate_rows(rows: &mut Vec<usize>, count: usize, most: usize, random: &mut Rng) {
    let row = random.usize(..count);
    match rows.iter().position(|active| *active == row) {
        Some(place) => drop(rows.swap_remove(place)),
        None if rows.len() < most => rows.push(row),
        None => {
            let place = random.usize(..rows.len());
            rows[place] = row;
        }
    }
}
