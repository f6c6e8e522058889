//! The stem of a chain: its first record, in 32 bytes.

use cozy_chess::{BitBoard, Color, File, Piece, Rank, Square};

use super::bits::{unzigzag, zigzag};
use crate::packed::{self, MAX_PIECES, Packed};
use crate::{
    Fault, Move, MoveKind, Outcome, Placement, Position, PositionError, Record, WriteError,
};

/// Bytes of a stem.
pub(super) const SIZE: usize = 32;

/// The largest ply that fits beside the outcome.
const MAX_PLY: u32 = (1 << 14) - 1;

/// A pawn that has just moved two squares. Lower codes are twice the piece, plus one for Black.
const PUSHED_PAWN: u8 = 12;
/// A white rook with a castling right; the next code is a black one.
const CASTLING_ROOK: u8 = 13;
/// The black king if Black is to move.
const BLACK_TO_MOVE: u8 = 15;

/// The pieces that a pawn can promote to, in the order of their codes.
pub(super) const PROMOTIONS: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

/// Reads a stem: the record, and the position after its move.
pub(super) fn read(bytes: &[u8; SIZE]) -> Result<(Record, Option<Position>), Fault> {
    let word = |at: usize| u16::from_be_bytes([bytes[at], bytes[at + 1]]);
    let (occupied, rest) = bytes.split_first_chunk().expect("32 bytes begin with 8");
    let codes = *rest.first_chunk().expect("24 bytes begin with 16");
    let mut placement = board(&(BitBoard(u64::from_be_bytes(*occupied)), codes))?;
    placement.halfmove_clock = word(30);
    let position = placement.check()?;
    if let Some(rook) = chess960_rook(&position) {
        return Err(PositionError::Castling(rook).into());
    }
    let mv = unpack_move(word(24));
    let after = mv.map(|mv| position.play(mv)).transpose()?;
    let outcome = match word(28) >> 14 {
        0 => Outcome::Draw,
        1 => Outcome::Loss,
        2 => Outcome::Win,
        code => return Err(Fault::Outcome(code as u8)),
    };
    let record = Record {
        position,
        score: unzigzag(word(26)),
        outcome,
        ply: u32::from(word(28)) & MAX_PLY,
        mv,
    };
    Ok((record, after))
}

/// Appends the stem of a chain that begins with `record`.
pub(super) fn write(record: &Record, bytes: &mut Vec<u8>) -> Result<(), WriteError> {
    if record.ply > MAX_PLY {
        return Err(WriteError::TooLarge {
            what: "ply",
            found: record.ply.into(),
            limit: MAX_PLY.into(),
        });
    }
    let (occupied, codes) = codes(&record.position)?;
    let outcome = match record.outcome {
        Outcome::Draw => 0,
        Outcome::Loss => 1,
        Outcome::Win => 2,
    };
    bytes.extend(occupied.0.to_be_bytes());
    bytes.extend(codes);
    let words = [
        record.mv.map_or(0, pack_move),
        zigzag(record.score),
        record.ply as u16 | outcome << 14,
        record.position.halfmove_clock(),
    ];
    bytes.extend(words.into_iter().flat_map(u16::to_be_bytes));
    Ok(())
}

fn board(packed: &Packed) -> Result<Placement, Fault> {
    if packed.0.len() > MAX_PIECES {
        return Err(PositionError::TooManyPieces(packed.0.len()).into());
    }
    let mut placement = Placement::EMPTY;
    for (square, code) in packed::unpack(packed) {
        match code {
            PUSHED_PAWN => {
                let color = if square.rank() == Rank::Fourth {
                    Color::White
                } else {
                    Color::Black
                };
                placement.put(square, color, Piece::Pawn);
                placement.en_passant =
                    square.try_offset(0, if color == Color::White { -1 } else { 1 });
            }
            CASTLING_ROOK.. if code < BLACK_TO_MOVE => {
                let color = if code == CASTLING_ROOK {
                    Color::White
                } else {
                    Color::Black
                };
                placement.put(square, color, Piece::Rook);
                placement.castling |= square.bitboard();
            }
            BLACK_TO_MOVE => {
                placement.put(square, Color::Black, Piece::King);
                placement.side_to_move = Color::Black;
            }
            _ => placement.put(
                square,
                Color::ALL[usize::from(code % 2)],
                Piece::ALL[usize::from(code / 2)],
            ),
        }
    }
    Ok(placement)
}

/// A rook with a castling right although it or its king is not on its usual file, which the format cannot
/// express.
pub(super) fn chess960_rook(position: &Position) -> Option<Square> {
    position.castling().iter().find(|&rook| {
        let color = if position.color(Color::White).has(rook) {
            Color::White
        } else {
            Color::Black
        };
        !matches!(rook.file(), File::A | File::H) || position.king(color).file() != File::E
    })
}

fn codes(position: &Position) -> Result<Packed, WriteError> {
    if chess960_rook(position).is_some() {
        return Err(WriteError::Chess960 {
            format: "binpack",
            fen: position.fen(1),
        });
    }
    // the pawn stands one rank beyond the en passant square
    let pushed = position.en_passant().map(|square| {
        Square::new(
            square.file(),
            Rank::Fourth.relative_to(!position.side_to_move()),
        )
    });
    Ok(packed::pack(position.occupied(), |square| {
        let piece = position.piece_on(square).expect("an occupied square");
        let black = u8::from(position.color(Color::Black).has(square));
        match piece {
            Piece::Pawn if pushed == Some(square) => PUSHED_PAWN,
            Piece::Rook if position.castling().has(square) => CASTLING_ROOK + black,
            Piece::King if black == 1 && position.side_to_move() == Color::Black => BLACK_TO_MOVE,
            _ => piece as u8 * 2 + black,
        }
    }))
}

/// Unpacks a move. Zero is none.
fn unpack_move(bits: u16) -> Option<Move> {
    let square = |shift: u16| Square::ALL[usize::from(bits >> shift & 63)];
    let kind = match bits >> 14 {
        0 => MoveKind::Normal,
        1 => MoveKind::Promotion(PROMOTIONS[usize::from(bits & 3)]),
        2 => MoveKind::Castling,
        _ => MoveKind::EnPassant,
    };
    (bits != 0).then(|| Move {
        from: square(8),
        to: square(2),
        kind,
    })
}

fn pack_move(mv: Move) -> u16 {
    let (kind, promotion) = match mv.kind {
        MoveKind::Normal => (0, 0),
        MoveKind::Promotion(piece) => (1, piece as u16 - Piece::Knight as u16),
        MoveKind::Castling => (2, 0),
        MoveKind::EnPassant => (3, 0),
    };
    kind << 14 | (mv.from as u16) << 8 | (mv.to as u16) << 2 | promotion
}
