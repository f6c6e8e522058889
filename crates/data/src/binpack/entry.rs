//! An entry of a chain: the move of a record, and the score of its position.
//!
//! A piece is numbered among those of its side, ascending by square; a destination among those that the piece
//! could move to. So a move takes as many bits as the two counts need, about seven.

use cozy_chess::{BitBoard, Color, Piece, Rank, Square, get_pawn_attacks, get_pawn_quiets};

use super::bits::{BitReader, BitWriter, unzigzag, width, zigzag};
use super::stem::PROMOTIONS;
use crate::{Fault, ImpossibleMove, Move, MoveKind, Position, attacks};

/// The moves of a piece, in the order of their numbers: destinations ascending, each four times for a pawn
/// that promotes, then castling, long before short.
struct Destinations {
    from: Square,
    squares: BitBoard,
    promotes: bool,
    en_passant: Option<Square>,
    /// the rooks with castling rights
    rooks: BitBoard,
}

impl Destinations {
    #[inline]
    fn of(position: &Position, piece: Piece, from: Square) -> Self {
        let us = position.side_to_move();
        let none = Self {
            from,
            squares: BitBoard::EMPTY,
            promotes: false,
            en_passant: None,
            rooks: BitBoard::EMPTY,
        };
        let own = position.color(us);
        match piece {
            Piece::Pawn => {
                let passed = position
                    .en_passant()
                    .map_or(BitBoard::EMPTY, Square::bitboard);
                let captures = get_pawn_attacks(from, us) & (position.color(!us) | passed);
                let squares = captures | get_pawn_quiets(from, us, position.occupied());
                let promotes = from.rank() == Rank::Seventh.relative_to(us);
                Self {
                    squares,
                    promotes,
                    en_passant: position.en_passant(),
                    ..none
                }
            }
            Piece::King => Self {
                squares: targets(position, piece, us, from),
                rooks: position.castling() & own,
                ..none
            },
            _ => Self {
                squares: targets(position, piece, us, from),
                ..none
            },
        }
    }

    #[inline]
    fn count(&self) -> u32 {
        let each = if self.promotes { 4 } else { 1 };
        self.squares.len() * each + self.rooks.len()
    }

    /// The move with this number, which must be below the count.
    #[inline]
    fn get(&self, index: u32) -> Move {
        let mv = |to, kind| Move {
            from: self.from,
            to,
            kind,
        };
        if self.promotes {
            return mv(
                nth(self.squares, index / 4),
                MoveKind::Promotion(PROMOTIONS[index as usize % 4]),
            );
        }
        match index.checked_sub(self.squares.len()) {
            Some(rook) => mv(nth(self.rooks, rook), MoveKind::Castling),
            None => {
                let to = nth(self.squares, index);
                let is_en_passant = self.en_passant == Some(to) && to.file() != self.from.file();
                mv(
                    to,
                    if is_en_passant {
                        MoveKind::EnPassant
                    } else {
                        MoveKind::Normal
                    },
                )
            }
        }
    }

    /// The number of a move, if it is one of these.
    fn index(&self, mv: Move) -> Option<u32> {
        let below = |squares: BitBoard| squares.has(mv.to).then(|| rank(squares, mv.to));
        let index = match mv.kind {
            MoveKind::Castling => self.squares.len() + below(self.rooks)?,
            MoveKind::Promotion(piece) => {
                below(self.squares)? * 4 + (piece as u32).checked_sub(Piece::Knight as u32)?
            }
            MoveKind::Normal | MoveKind::EnPassant => below(self.squares)?,
        };
        (index < self.count() && self.get(index) == mv).then_some(index)
    }
}

#[inline]
fn targets(position: &Position, piece: Piece, us: Color, from: Square) -> BitBoard {
    attacks(piece, us, from, position.occupied()) & !position.color(us)
}

/// The square with this number among `squares`, which must have more.
#[inline]
fn nth(squares: BitBoard, index: u32) -> Square {
    let mut left = squares.0;
    for _ in 0..index {
        left &= left - 1;
    }
    Square::ALL[left.trailing_zeros() as usize % Square::NUM]
}

/// The number of a square among `squares`.
fn rank(squares: BitBoard, square: Square) -> u32 {
    (squares & BitBoard(square.bitboard().0 - 1)).len()
}

/// Reads a move of `position`, and the piece that moves.
#[inline]
pub(super) fn read_move(
    bits: &mut BitReader,
    bytes: &[u8],
    position: &Position,
) -> Result<(Move, Piece), Fault> {
    let own = position.color(position.side_to_move());
    let from = nth(own, index(bits, bytes, "piece", own.len())?);
    let piece = position.piece_on(from).expect("an occupied square");
    let destinations = Destinations::of(position, piece, from);
    let mv = destinations.get(index(bits, bytes, "destination", destinations.count())?);
    if is_possible(position, mv) {
        Ok((mv, piece))
    } else {
        Err(ImpossibleMove { mv }.into())
    }
}

/// Whether a numbered move can be made: castling is possible, or no king is captured.
#[inline]
fn is_possible(position: &Position, mv: Move) -> bool {
    match mv.kind {
        MoveKind::Castling => position.can_castle(mv.from, mv.to),
        _ => !position.pieces(Piece::King).has(mv.to),
    }
}

/// Reads a number below `count`.
#[inline]
fn index(bits: &mut BitReader, bytes: &[u8], what: &'static str, count: u32) -> Result<u32, Fault> {
    let found = bits.take(bytes, width(count)).ok_or(Fault::ChainCut)?;
    if found < count {
        Ok(found)
    } else {
        Err(Fault::Index { what, found, count })
    }
}

/// Reads the score of a record that follows one with the score `before`, as its difference from `-before`.
/// The difference comes in groups of four bits, the lowest first, each after a bit that says whether another
/// follows.
#[inline]
pub(super) fn read_score(bits: &mut BitReader, bytes: &[u8], before: i16) -> Result<i16, Fault> {
    let mut difference = 0;
    for shift in (0..u16::BITS).step_by(4) {
        let group = bits.take(bytes, 5).ok_or(Fault::ChainCut)?;
        difference |= (group as u16 & 15) << shift;
        if group < 16 {
            break;
        }
    }
    Ok(unzigzag(difference).wrapping_sub(before))
}

/// The piece that moves, and number and width in bits of the piece and of the destination. `None` if the move
/// cannot be made or has no number.
pub(super) fn indices(position: &Position, mv: Move) -> Option<(Piece, [(u32, u32); 2])> {
    let own = position.color(position.side_to_move());
    let piece = position.piece_on(mv.from).filter(|_| own.has(mv.from))?;
    let destinations = Destinations::of(position, piece, mv.from);
    let destination = destinations.index(mv)?;
    let indices = [
        (rank(own, mv.from), width(own.len())),
        (destination, width(destinations.count())),
    ];
    is_possible(position, mv).then_some((piece, indices))
}

pub(super) fn write(
    bits: &mut BitWriter,
    bytes: &mut Vec<u8>,
    indices: [(u32, u32); 2],
    score: i16,
    before: i16,
) {
    for (index, width) in indices {
        bits.put(bytes, index, width);
    }
    let mut difference = u32::from(zigzag(score.wrapping_add(before)));
    loop {
        let follows = u32::from(difference > 15);
        bits.put(bytes, follows << 4 | difference & 15, 5);
        difference >>= 4;
        if difference == 0 {
            return;
        }
    }
}
