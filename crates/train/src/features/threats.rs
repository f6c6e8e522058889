//! Threats: attacks between pieces (`docs/threats.md`).
//!
//! ```text
//!   row = block[attacker][attacked] + before[attacker][from][to]
//!         first row of the pair       attacks on an empty board from squares below `from`, and from `from` on squares below `to`
//! ```
//!
//! Pieces are numbered `2 * kind + enemy`. Squares are from the perspective, whose own pieces are White's.

use nnue_data::{BitBoard, Color, Piece, Position, Square, attacks};
use nnue_spec::ThreatPairs;

use super::placed::{PLANES, Placed, color_and_piece};
use super::rows::List;

#[derive(Clone, Debug)]
pub(super) struct ThreatTables {
    pushes: bool,
    /// for each kind of attacker and attacked piece: all squares if the pair has rows, else none
    pairs: [[BitBoard; Piece::NUM]; Piece::NUM],
    blocks: [[Block; PLANES]; PLANES],
    before: [[[u16; Square::NUM]; Square::NUM]; PLANES],
}

/// The rows of an attacker and an attacked piece.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    first: i32,
    /// the pieces attack each other; only the attack from the higher square has a row
    is_mutual: bool,
}

impl ThreatTables {
    /// The tables of a set whose first row is `first`.
    pub(super) fn new(pairs: ThreatPairs, first: i32) -> Self {
        let has_rows = |attacker, attacked| pairs.slot(attacker, attacked).is_some();
        let squares = |attacker, attacked| {
            if has_rows(attacker, attacked) {
                BitBoard::FULL
            } else {
                BitBoard::EMPTY
            }
        };
        Self {
            pushes: pairs.pushes(),
            pairs: std::array::from_fn(|attacker| {
                std::array::from_fn(|attacked| squares(attacker, attacked))
            }),
            blocks: blocks(pairs, first),
            before: std::array::from_fn(|attacker| before(attacker, pairs.pushes())),
        }
    }

    #[inline]
    pub(super) fn find(&self, placed: &Placed<'_>, rows: &mut [List<'_>; 2]) {
        let planes = placed.planes_by_square();
        let attackable = self.attackable(placed.position);
        let (turns, colors) = (
            placed.turns(),
            placed.perspectives.map(|color| color as usize),
        );
        for (attacker, from) in placed.pieces() {
            let views =
                [0, 1].map(|side| View::new(self, attacker ^ colors[side], from ^ turns[side]));
            for to in self.attacks(placed.position, attacker, Square::index(from))
                & attackable[attacker / 2]
            {
                let attacked = usize::from(planes[to as usize]);
                for side in 0..2 {
                    views[side].put(
                        attacked ^ colors[side],
                        to as usize ^ turns[side],
                        &mut rows[side],
                    );
                }
            }
        }
    }

    /// For each kind of piece, the pieces whose attack by it has a row.
    fn attackable(&self, position: &Position) -> [BitBoard; Piece::NUM] {
        self.pairs.map(|kinds| {
            let pieces = Piece::ALL.map(|piece| position.pieces(piece) & kinds[piece as usize]);
            pieces
                .into_iter()
                .fold(BitBoard::EMPTY, |all, squares| all | squares)
        })
    }

    /// The squares that a piece attacks; with pushes, also that of a pawn directly ahead of a pawn.
    #[inline]
    fn attacks(&self, position: &Position, plane: usize, from: Square) -> BitBoard {
        let (color, piece) = color_and_piece(plane);
        let attacked = attacks(piece, color, from, position.occupied());
        if self.pushes && piece == Piece::Pawn {
            attacked | ahead(color, from) & position.pieces(Piece::Pawn)
        } else {
            attacked
        }
    }
}

/// An attacker from a perspective.
#[derive(Clone, Copy)]
struct View<'a> {
    blocks: &'a [Block; PLANES],
    before: &'a [u16; Square::NUM],
    from: usize,
}

impl<'a> View<'a> {
    #[inline]
    fn new(tables: &'a ThreatTables, attacker: usize, from: usize) -> Self {
        Self {
            blocks: &tables.blocks[attacker],
            before: &tables.before[attacker][from],
            from,
        }
    }

    #[inline]
    fn put(&self, attacked: usize, to: usize, rows: &mut List<'_>) {
        let block = self.blocks[attacked];
        rows.put(
            block.first + i32::from(self.before[to]),
            !block.is_mutual || self.from > to,
        );
    }
}

/// Blocks in order: attackers from own pawn to own king, then enemy pawn to enemy king; for each, attacked
/// own pieces, then enemy pieces.
fn blocks(pairs: ThreatPairs, first: i32) -> [[Block; PLANES]; PLANES] {
    let mut blocks = [[Block::default(); PLANES]; PLANES];
    let mut next = first;
    for (enemy, kind) in (0..2).flat_map(|enemy| (0..Piece::NUM).map(move |kind| (enemy, kind))) {
        for (other_enemy, other_kind) in
            (0..2).flat_map(|enemy| (0..Piece::NUM).map(move |kind| (enemy, kind)))
        {
            if pairs.slot(kind, other_kind).is_some() {
                let is_mutual =
                    kind == other_kind && (kind != Piece::Pawn as usize || enemy != other_enemy);
                blocks[2 * kind + enemy][2 * other_kind + other_enemy] = Block {
                    first: next,
                    is_mutual,
                };
                next += pairs.total(kind) as i32;
            }
        }
    }
    blocks
}

/// For each pair of squares, the number of earlier attacks of the piece on an empty board.
fn before(attacker: usize, pushes: bool) -> [[u16; Square::NUM]; Square::NUM] {
    let mut count = 0;
    Square::ALL.map(|from| {
        let attacked = on_empty_board(attacker, from, pushes);
        Square::ALL.map(|to| {
            let before = count;
            count += u16::from(attacked.has(to));
            before
        })
    })
}

fn on_empty_board(attacker: usize, from: Square, pushes: bool) -> BitBoard {
    let (color, piece) = color_and_piece(attacker);
    let attacked = attacks(piece, color, from, BitBoard::EMPTY);
    match piece {
        Piece::Pawn if matches!(from as usize / 8, 0 | 7) => BitBoard::EMPTY,
        Piece::Pawn if pushes => attacked | ahead(color, from),
        _ => attacked,
    }
}

fn ahead(color: Color, from: Square) -> BitBoard {
    match color {
        Color::White => BitBoard(from.bitboard().0 << 8),
        Color::Black => BitBoard(from.bitboard().0 >> 8),
    }
}
