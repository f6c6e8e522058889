//! What pieces are worth together: one neuron per pattern.
//!
//! A neuron adds a weight for each piece that takes part and is clipped below at zero, so that it can ask for several pieces at
//! once: with a bias of minus the weight of the king, nothing happens unless the king is there.
//!
//! ```text
//!   shelter:   80 * [king in its corner] + 16 * pawns in front of it - 80      0 without the king, else 16 per pawn
//!   isolated:  16 * pawns on a file - 32 * pawns on the files beside it        0 with a neighbour, else 16 per pawn
//! ```
//!
//! 16 is the unit: a pattern is worth its number of centipawns per unit. The side to move has each pattern with a plus, the other side with a minus.

use super::phase::Phased;
use super::pieces::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK};

/// What a neuron shows for one occurrence of its pattern.
pub(crate) const UNIT: i32 = 16;

/// A piece that takes part in a pattern.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    /// of the other side
    pub(crate) enemy: bool,
    /// kind of piece
    pub(crate) kind: usize,
    /// square, seen from the own side
    pub(crate) square: usize,
    /// what it adds
    pub(crate) weight: i32,
}

/// A pattern.
pub(crate) struct Pattern {
    /// what is added always
    pub(crate) bias: i32,
    /// the pieces
    pub(crate) parts: Vec<Part>,
    /// worth per unit
    pub(crate) worth: Phased,
}

impl Pattern {
    fn new(bias: i32, early: i32, late: i32) -> Self {
        Self { bias, parts: Vec::new(), worth: Phased::new(early, late) }
    }

    fn own(self, kind: usize, squares: impl IntoIterator<Item = usize>, weight: i32) -> Self {
        self.with(false, kind, squares, weight)
    }

    fn enemy(self, kind: usize, squares: impl IntoIterator<Item = usize>, weight: i32) -> Self {
        self.with(true, kind, squares, weight)
    }

    fn with(mut self, enemy: bool, kind: usize, squares: impl IntoIterator<Item = usize>, weight: i32) -> Self {
        self.parts.extend(squares.into_iter().map(|square| Part { enemy, kind, square, weight }));
        self
    }
}

/// All patterns.
pub(crate) fn all() -> Vec<Pattern> {
    let mut patterns = vec![bishop_pair(), king_in_the_middle(), rooks_on_the_seventh()];
    for wing in [[0, 1, 2], [5, 6, 7]] {
        patterns.extend([shelter(wing), attack(wing)]);
    }
    for file in 0..8 {
        patterns.extend([half_open(file), open(file), doubled(file), isolated(file)]);
        patterns.extend((2..7).map(|rank| passed(file, rank)));
    }
    patterns.extend((2..6).flat_map(|file| (3..6).map(move |rank| outpost(file, rank))));
    patterns
}

fn bishop_pair() -> Pattern {
    Pattern::new(-UNIT, 28, 48).own(BISHOP, 0..64, UNIT)
}

/// The king on the files d and e, or beyond its second rank, while the enemy has a queen.
fn king_in_the_middle() -> Pattern {
    let exposed = (0..64).filter(|square| (3..=4).contains(&(square % 8)) || *square >= 16);
    Pattern::new(-UNIT, -24, -4).own(KING, exposed, UNIT).enemy(QUEEN, 0..64, UNIT)
}

/// The enemy king is cut off on its last rank.
fn rooks_on_the_seventh() -> Pattern {
    Pattern::new(-3 * UNIT, 12, 20).own(ROOK, 48..56, UNIT).enemy(KING, 56..64, 3 * UNIT)
}

/// Pawns before the king that has castled.
fn shelter(wing: [usize; 3]) -> Pattern {
    Pattern::new(-5 * UNIT, 12, 0)
        .own(KING, wing.into_iter().chain(wing.map(|file| file + 8)), 5 * UNIT)
        .own(PAWN, wing.map(|file| file + 8), UNIT)
        .own(PAWN, wing.map(|file| file + 16), UNIT / 2)
}

/// At least two pieces near the enemy king.
fn attack(wing: [usize; 3]) -> Pattern {
    let zone = || (4..8).flat_map(move |rank| wing.map(|file| 8 * rank + file));
    let home = (6..8).flat_map(|rank| wing.map(|file| 8 * rank + file));
    Pattern::new(-5 * UNIT - UNIT / 2, 14, 4)
        .enemy(KING, home, 5 * UNIT)
        .own(QUEEN, zone(), UNIT)
        .own(ROOK, zone(), UNIT / 2)
        .own(BISHOP, zone(), UNIT / 2)
        .own(KNIGHT, zone(), UNIT / 2)
}

fn squares_of_file(file: usize) -> impl Iterator<Item = usize> {
    (0..8).map(move |rank| 8 * rank + file)
}

fn files_beside(file: usize) -> impl Iterator<Item = usize> {
    [file.wrapping_sub(1), file + 1].into_iter().filter(|file| *file < 8)
}

/// Rooks on a file without own pawns.
fn half_open(file: usize) -> Pattern {
    Pattern::new(0, 12, 6).own(ROOK, squares_of_file(file), UNIT).own(PAWN, squares_of_file(file), -2 * UNIT)
}

/// Rooks on a file without pawns.
fn open(file: usize) -> Pattern {
    let mut pattern = half_open(file).enemy(PAWN, squares_of_file(file), -2 * UNIT);
    pattern.worth = Phased::new(14, 4);
    pattern
}

fn doubled(file: usize) -> Pattern {
    Pattern::new(-UNIT, -8, -18).own(PAWN, squares_of_file(file), UNIT)
}

fn isolated(file: usize) -> Pattern {
    let neighbours = files_beside(file).flat_map(squares_of_file);
    Pattern::new(0, -10, -14).own(PAWN, squares_of_file(file), UNIT).own(PAWN, neighbours, -3 * UNIT)
}

/// A pawn that no enemy pawn can stop.
fn passed(file: usize, rank: usize) -> Pattern {
    const WORTH: [(i32, i32); 5] = [(4, 10), (6, 18), (14, 36), (30, 62), (48, 96)];
    let (early, late) = WORTH[rank - 2];
    let in_the_way = files_beside(file).chain([file]).flat_map(squares_of_file).filter(move |s| s / 8 > rank);
    Pattern::new(0, early, late).own(PAWN, [8 * rank + file], UNIT).enemy(PAWN, in_the_way, -UNIT)
}

/// A knight that a pawn protects, far up the board.
fn outpost(file: usize, rank: usize) -> Pattern {
    let protectors = files_beside(file).map(|file| 8 * (rank - 1) + file);
    Pattern::new(-2 * UNIT, 9, 5).own(KNIGHT, [8 * rank + file], 2 * UNIT).own(PAWN, protectors, UNIT)
}
