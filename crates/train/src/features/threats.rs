//! Threats: attacks between pieces (`docs/threats.md`).
//!
//! ```text
//!   row = block[attacker][attacked] + before[attacker][from][to]
//!         first row of the pair       attacks on an empty board from squares below `from`, and from `from` on squares below `to`
//! ```
//!
//! Pieces are numbered `2 * kind + enemy` and squares are turned to the perspective, so own pieces are White's of a board seen by White.

use nnue_data::{BitBoard, Color, Piece, Position, Square, attacks};
use nnue_spec::ThreatPairs;

use super::placed::{PLANES, Placed, color_and_piece};
use super::rows::List;

/// The rows of a set of threats.
#[derive(Clone, Debug)]
pub(super) struct ThreatTables {
    pushes: bool,
    /// by kinds of attacker and attacked piece: all squares if the pair has rows, else none
    pairs: [[BitBoard; Piece::NUM]; Piece::NUM],
    blocks: [[Block; PLANES]; PLANES],
    before: [[[u16; Square::NUM]; Square::NUM]; PLANES],
}

/// The rows of an attacker and the piece that it attacks.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    first: i32,
    /// each attacks the other, and the attack from the higher square stands for both
    is_mutual: bool,
}

impl ThreatTables {
    /// The tables of a set whose rows begin with `first`.
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

    /// The pieces that each kind of piece attacks in this set.
    fn attackable(&self, position: &Position) -> [BitBoard; Piece::NUM] {
        self.pairs.map(|kinds| {
            let pieces = Piece::ALL.map(|piece| position.pieces(piece) & kinds[piece as usize]);
            pieces
                .into_iter()
                .fold(BitBoard::EMPTY, |all, squares| all | squares)
        })
    }

    /// The squares that a piece attacks; of pawns with pushes also that of a pawn directly ahead.
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

/// An attacker as a perspective sees it.
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

    /// Appends the row of an attack.
    #[inline]
    fn put(&self, attacked: usize, to: usize, rows: &mut List<'_>) {
        let block = self.blocks[attacked];
        rows.put(
            block.first + i32::from(self.before[to]),
            !block.is_mutual || self.from > to,
        );
    }
}

/// Own pawn to own king, then enemy pawn to enemy king; of each, one block for each own and then each enemy piece that it attacks.
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

/// By both squares, how many attacks of a piece come before this one on an empty board.
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

/// The square ahead of a pawn.
fn ahead(color: Color, from: Square) -> BitBoard {
    match color {
        Color::White => BitBoard(from.bitboard().0 << 8),
        Color::Black => BitBoard(from.bitboard().0 >> 8),
    }
}
