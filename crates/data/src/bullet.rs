//! `ChessBoard`, the format of the trainer bullet (the crate `bulletformat`).
//!
//! ```text
//!   0  u64 LE   occupied squares, ranks flipped if Black is to move
//!   8  [u8;16]  4 bits a piece: P 0 N 1 B 2 R 3 Q 4 K 5, 8 more for a piece of the opponent
//!  24  i16 LE   score of the side to move
//!  26  u8       outcome for the side to move: 0 loss, 1 draw, 2 win
//!  27  u8       square of the own king
//!  28  u8       square of the opponent's king, its rank flipped
//!  29  [u8;3]   0
//! ```
//!
//! A board is seen by the side to move, which becomes White. The real side to move, castling rights, en
//! passant, the clocks and the move are lost: positions are read with White to move, without rights, at ply
//! 0.

use cozy_chess::{BitBoard, Color, Piece, Square};

use crate::fixed::{self, Codec, SIZE};
use crate::packed::{self, MAX_PIECES};
use crate::{Fault, Outcome, Placement, PositionError, Record, WriteError};

/// The codec of this format.
#[derive(Debug)]
pub struct ChessBoard;

/// Reads this format.
pub type Reader<R> = fixed::Reader<R, ChessBoard>;

/// Writes this format.
///
/// ```
/// use nnue_data::{Outcome, Record, bullet};
///
/// let position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse()?;
/// let record = Record { position, score: 120, outcome: Outcome::Win, ply: 0, mv: None };
/// let mut writer = bullet::Writer::new(Vec::new());
/// writer.write(&record)?;
/// let bytes = writer.finish()?;
/// assert_eq!(bytes.len(), 32);
/// assert_eq!(bullet::Reader::new(&bytes[..]).next().expect("a record")?, record);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Writer<W> = fixed::Writer<W, ChessBoard>;

/// Added to the codes of the opponent's pieces.
const OPPONENT: u8 = 8;

impl Codec for ChessBoard {
    fn decode(bytes: &[u8; SIZE]) -> Result<Record, Fault> {
        let (occupied, rest) = bytes.split_first_chunk().expect("32 bytes begin with 8");
        let packed = (
            BitBoard(u64::from_le_bytes(*occupied)),
            *rest.first_chunk().expect("24 bytes begin with 16"),
        );
        if packed.0.len() > MAX_PIECES {
            return Err(PositionError::TooManyPieces(packed.0.len()).into());
        }
        let mut placement = Placement::EMPTY;
        for (square, code) in packed::unpack(&packed) {
            let color = if code < OPPONENT {
                Color::White
            } else {
                Color::Black
            };
            let piece = Piece::try_index((code % OPPONENT).into()).ok_or(Fault::Piece {
                square: square as u8,
                code,
            })?;
            placement.put(square, color, piece);
        }
        let position = placement.check()?;
        let kings = [
            ("own", position.king(Color::White), bytes[27]),
            (
                "opponent's",
                position.king(Color::Black).flip_rank(),
                bytes[28],
            ),
        ];
        for (whose, expected, found) in kings {
            if expected as u8 != found {
                return Err(Fault::KingSquare {
                    whose,
                    found,
                    expected: expected as u8,
                });
            }
        }
        let score = i16::from_le_bytes([bytes[24], bytes[25]]);
        Ok(Record {
            position,
            score,
            outcome: Outcome::from_code(bytes[26])?,
            ply: 0,
            mv: None,
        })
    }

    fn encode(record: &Record) -> Result<[u8; SIZE], WriteError> {
        let score = record.score().ok_or(WriteError::NoScore("bulletformat"))?;
        let position = &record.position;
        let us = position.side_to_move();
        let seen = |square: Square| {
            if us == Color::White {
                square
            } else {
                square.flip_rank()
            }
        };
        let occupied = if us == Color::White {
            position.occupied()
        } else {
            position.occupied().flip_ranks()
        };
        let (occupied, codes) = packed::pack(occupied, |square| {
            let square = seen(square);
            let piece = position.piece_on(square).expect("an occupied square") as u8;
            if position.color(us).has(square) {
                piece
            } else {
                piece + OPPONENT
            }
        });
        let mut bytes = [0; SIZE];
        bytes[..8].copy_from_slice(&occupied.0.to_le_bytes());
        bytes[8..24].copy_from_slice(&codes);
        bytes[24..26].copy_from_slice(&score.to_le_bytes());
        bytes[26] = record.outcome as u8;
        bytes[27] = seen(position.king(us)) as u8;
        bytes[28] = seen(position.king(!us)).flip_rank() as u8;
        Ok(bytes)
    }
}
