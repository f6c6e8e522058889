//! Marlinformat (`PackedBoard`), from White's point of view. `viriformat` begins its games with it.
//!
//! ```text
//!   0  u64 LE   occupied squares
//!   8  [u8;16]  4 bits a piece: P 0 N 1 B 2 R 3 Q 4 K 5, 6 for a rook with its castling right; 8 more for a black one
//!  24  u8       bit 7: Black is to move; below: the en passant square, or 64
//!  25  u8       halfmove clock
//!  26  u16 LE   number of the move
//!  28  i16 LE   score for White
//!  30  u8       outcome for White: 0 loss, 1 draw, 2 win
//!  31  u8       0
//! ```
//!
//! There is no move. The ply follows from the move number.

use cozy_chess::{BitBoard, Color, Piece, Square};

use crate::fixed::{self, Codec, SIZE};
use crate::packed::{self, MAX_PIECES, Packed};
use crate::record::{ply_of, relative_score};
use crate::{Fault, Outcome, Placement, Position, PositionError, Record, WriteError};

/// The codec of this format.
#[derive(Debug)]
pub struct PackedBoard;

/// Reads this format.
pub type Reader<R> = fixed::Reader<R, PackedBoard>;

/// Writes this format.
pub type Writer<W> = fixed::Writer<W, PackedBoard>;

const FORMAT: &str = "marlinformat";

/// The code of a rook with a castling right.
const CASTLING_ROOK: u8 = 6;
/// Added to the codes of black pieces.
const BLACK: u8 = 8;
const BLACK_TO_MOVE: u8 = 0x80;
/// No en passant square.
const NO_SQUARE: u8 = 64;

impl Codec for PackedBoard {
    fn decode(bytes: &[u8; SIZE]) -> Result<Record, Fault> {
        let position = position(bytes)?;
        let color = position.side_to_move();
        let score = relative_score(i16::from_le_bytes([bytes[28], bytes[29]]), color)
            .ok_or(Fault::Score)?;
        let outcome = Outcome::from_code(bytes[30])?.relative_to(color);
        let ply = ply_of(u16::from_le_bytes([bytes[26], bytes[27]]).into(), color);
        Ok(Record {
            position,
            score,
            outcome,
            ply,
            mv: None,
        })
    }

    fn encode(record: &Record) -> Result<[u8; SIZE], WriteError> {
        record.score().ok_or(WriteError::NoScore(FORMAT))?;
        let score = record.white_score().ok_or(WriteError::Score(FORMAT))?;
        let mut bytes = encode_board(record)?;
        bytes[28..30].copy_from_slice(&score.to_le_bytes());
        Ok(bytes)
    }
}

/// Encodes the record without its score.
pub(crate) fn encode_board(record: &Record) -> Result<[u8; SIZE], WriteError> {
    let position = &record.position;
    let (occupied, codes) = encode_pieces(position);
    let (clock, number) = (position.halfmove_clock(), record.ply / 2 + 1);
    let mut bytes = [0; SIZE];
    bytes[..8].copy_from_slice(&occupied.0.to_le_bytes());
    bytes[8..24].copy_from_slice(&codes);
    bytes[24] = encode_state(position);
    bytes[25] = fit("halfmove clock", clock.into(), u8::MAX.into())? as u8;
    bytes[26..28]
        .copy_from_slice(&(fit("move number", number, u16::MAX.into())? as u16).to_le_bytes());
    bytes[30] = record.outcome.relative_to(position.side_to_move()) as u8;
    Ok(bytes)
}

fn fit(what: &'static str, found: u32, limit: u32) -> Result<u32, WriteError> {
    if found > limit {
        return Err(WriteError::TooLarge {
            what,
            found: found.into(),
            limit: limit.into(),
        });
    }
    Ok(found)
}

fn position(bytes: &[u8; SIZE]) -> Result<Position, Fault> {
    let (occupied, rest) = bytes.split_first_chunk().expect("32 bytes begin with 8");
    let codes = *rest.first_chunk().expect("24 bytes begin with 16");
    decode_position(
        &(BitBoard(u64::from_le_bytes(*occupied)), codes),
        bytes[24],
        bytes[25].into(),
    )
}

/// Encodes the pieces and castling rights.
pub(crate) fn encode_pieces(position: &Position) -> Packed {
    packed::pack(position.occupied(), |square| {
        let piece = position.piece_on(square).expect("an occupied square") as u8;
        let code = if position.castling().has(square) {
            CASTLING_ROOK
        } else {
            piece
        };
        if position.color(Color::Black).has(square) {
            code + BLACK
        } else {
            code
        }
    })
}

/// Encodes the side to move and the en passant square.
pub(crate) fn encode_state(position: &Position) -> u8 {
    let square = position
        .en_passant()
        .map_or(NO_SQUARE, |square| square as u8);
    if position.side_to_move() == Color::Black {
        square | BLACK_TO_MOVE
    } else {
        square
    }
}

/// Decodes a position from pieces, state and halfmove clock.
pub(crate) fn decode_position(
    packed: &Packed,
    state: u8,
    halfmove_clock: u16,
) -> Result<Position, Fault> {
    if packed.0.len() > MAX_PIECES {
        return Err(PositionError::TooManyPieces(packed.0.len()).into());
    }
    let mut placement = Placement {
        halfmove_clock,
        ..Placement::EMPTY
    };
    for (square, code) in packed::unpack(packed) {
        let color = if code < BLACK {
            Color::White
        } else {
            Color::Black
        };
        let piece = match code % BLACK {
            CASTLING_ROOK => {
                placement.castling |= square.bitboard();
                Piece::Rook
            }
            piece => Piece::try_index(piece.into()).ok_or(Fault::Piece {
                square: square as u8,
                code,
            })?,
        };
        placement.put(square, color, piece);
    }
    placement.side_to_move = if state & BLACK_TO_MOVE == 0 {
        Color::White
    } else {
        Color::Black
    };
    placement.en_passant = match state & !BLACK_TO_MOVE {
        NO_SQUARE => None,
        square => {
            let no_square = Fault::Index {
                what: "square",
                found: square.into(),
                count: 64,
            };
            Some(Square::try_index(square.into()).ok_or(no_square)?)
        }
    };
    Ok(placement.check()?)
}
