//! Threats (`docs/threats.md`): the rows by definition, counted square by square.

use alloc::vec::Vec;

use super::board::{Board, Piece};
use super::place::{Place, view_of_pairs};
use crate::threats::ThreatPairs;

const PAWN: usize = 0;
const KNIGHT: usize = 1;
const BISHOP: usize = 2;
const ROOK: usize = 3;
const QUEEN: usize = 4;

/// The rows of all attacks in the set, in any order.
pub(super) fn active_threats(pairs: ThreatPairs, board: &Board, black: bool) -> Vec<usize> {
    let view = view_of_pairs(board, black);
    let numbering = Numbering::new(pairs);
    let mut rows = Vec::new();
    for attacker in &board.pieces {
        for attacked in board
            .pieces
            .iter()
            .filter(|attacked| attacks(pairs.pushes(), board, attacker, attacked))
        {
            let side = |piece: &Piece| Side {
                kind: piece.kind,
                enemy: piece.black != black,
            };
            let (from, to) = (
                view(attacker.square).square(),
                view(attacked.square).square(),
            );
            rows.extend(numbering.row(side(attacker), from, side(attacked), to));
        }
    }
    rows
}

/// 1 if the other side attacks the piece, plus 2 if its own side defends it.
pub(super) fn standing(board: &Board, piece: Piece) -> usize {
    let by = |black: bool| {
        board
            .pieces
            .iter()
            .any(|other| other.black == black && attacks(false, board, other, &piece))
    };
    usize::from(by(!piece.black)) + 2 * usize::from(by(piece.black))
}

/// Whether one piece attacks another on this board. `pushes`: pawns also attack a pawn on the square ahead of
/// them.
fn attacks(pushes: bool, board: &Board, attacker: &Piece, attacked: &Piece) -> bool {
    let (from, to) = (Place::of(attacker.square), Place::of(attacked.square));
    let is_push = attacked.kind == PAWN && pushes;
    if !reaches(is_push, attacker.kind, attacker.black, from, to) {
        return false;
    }
    attacker.kind == KNIGHT
        || board
            .pieces
            .iter()
            .all(|piece| !is_between(from, to, Place::of(piece.square)))
}

/// Whether a piece of this kind attacks a square on an empty board. `down`: pawns move toward the first rank.
fn reaches(pushes: bool, kind: usize, down: bool, from: Place, to: Place) -> bool {
    let (files, ranks) = (from.file.abs_diff(to.file), from.rank.abs_diff(to.rank));
    let (straight, diagonal) = ((files == 0) != (ranks == 0), files == ranks && files > 0);
    match kind {
        PAWN => {
            let ahead = if down {
                to.rank + 1 == from.rank
            } else {
                to.rank == from.rank + 1
            };
            ahead && (1..=6).contains(&from.rank) && (files == 1 || pushes && files == 0)
        }
        KNIGHT => files * ranks == 2,
        BISHOP => diagonal,
        ROOK => straight,
        QUEEN => straight || diagonal,
        _ => files.max(ranks) == 1,
    }
}

/// Whether `place` is strictly between two squares on one line.
fn is_between(from: Place, to: Place, place: Place) -> bool {
    let delta = |to: Place| {
        (
            to.file as i32 - from.file as i32,
            to.rank as i32 - from.rank as i32,
        )
    };
    let ((x, y), (px, py)) = (delta(to), delta(place));
    let on_line = x * py == y * px;
    let ahead = x * px + y * py > 0;
    on_line && ahead && px.abs().max(py.abs()) < x.abs().max(y.abs())
}

/// A kind of piece, own or enemy.
#[derive(Clone, Copy)]
struct Side {
    kind: usize,
    enemy: bool,
}

/// Squares below `limit` that the piece attacks from `from` on an empty board.
fn empty_attacks(pairs: ThreatPairs, attacker: Side, from: usize, limit: usize) -> usize {
    let from = Place::of(from);
    let squares = (0..limit).map(Place::of);
    squares
        .filter(|&to| reaches(pairs.pushes(), attacker.kind, attacker.enemy, from, to))
        .count()
}

/// The order of the rows.
struct Numbering {
    pairs: ThreatPairs,
    /// attacks on an empty board by enemy, kind and square
    counts: [[[usize; 64]; 6]; 2],
}

impl Numbering {
    fn new(pairs: ThreatPairs) -> Self {
        let count = |enemy, kind, square| empty_attacks(pairs, Side { kind, enemy }, square, 64);
        let of_kind = |enemy, kind| core::array::from_fn(|square| count(enemy, kind, square));
        Self {
            pairs,
            counts: [false, true].map(|enemy| core::array::from_fn(|kind| of_kind(enemy, kind))),
        }
    }

    /// The row of an attack between oriented squares, if it has one.
    fn row(&self, attacker: Side, from: usize, attacked: Side, to: usize) -> Option<usize> {
        let slot = self.pairs.slot(attacker.kind, attacked.kind)?;
        // Of two mutual attacks between pieces of one kind, only one has a row.
        let mutual = attacker.kind == attacked.kind
            && (attacker.enemy != attacked.enemy || attacker.kind != PAWN);
        if mutual && from < to {
            return None;
        }
        let block = usize::from(attacked.enemy) * self.pairs.slots(attacker.kind) + slot;
        let counts = &self.counts[usize::from(attacker.enemy)][attacker.kind];
        let in_block =
            counts[..from].iter().sum::<usize>() + empty_attacks(self.pairs, attacker, from, to);
        Some(self.base(attacker) + block * counts.iter().sum::<usize>() + in_block)
    }

    /// First row of an attacker: own pawn to king, then enemy pawn to king.
    fn base(&self, attacker: Side) -> usize {
        let rows = |enemy: usize, kind| {
            2 * self.pairs.slots(kind) * self.counts[enemy][kind].iter().sum::<usize>()
        };
        let own: usize = if attacker.enemy {
            (0..6).map(|kind| rows(0, kind)).sum()
        } else {
            0
        };
        own + (0..attacker.kind)
            .map(|kind| rows(usize::from(attacker.enemy), kind))
            .sum::<usize>()
    }
}
