//! Complete records in a fixed number of bytes, for memory and temporary files.

use cozy_chess::BitBoard;

use crate::marlin::{decode_position, encode_pieces, encode_state};
use crate::viri::moves;
use crate::{Fault, Outcome, Record};

/// Bytes of a record.
pub(crate) const SIZE: usize = 36;

/// ```text
///   0 occupied: u64  8 pieces: 32 x 4 bits  24 state  25 outcome  26 clock: u16  28 score: i16  30 ply: u32  34 move: u16, 0 if none
/// ```
pub(crate) type Stored = [u8; SIZE];

pub(crate) fn store(record: &Record) -> Stored {
    let (occupied, codes) = encode_pieces(&record.position);
    let mut bytes = [0; SIZE];
    bytes[..8].copy_from_slice(&occupied.0.to_le_bytes());
    bytes[8..24].copy_from_slice(&codes);
    bytes[24] = encode_state(&record.position);
    bytes[25] = record.outcome as u8;
    bytes[26..28].copy_from_slice(&record.position.halfmove_clock().to_le_bytes());
    bytes[28..30].copy_from_slice(&record.score.to_le_bytes());
    bytes[30..34].copy_from_slice(&record.ply.to_le_bytes());
    bytes[34..].copy_from_slice(&record.mv.map_or(0, moves::pack).to_le_bytes());
    bytes
}

pub(crate) fn load(bytes: &Stored) -> Result<Record, Fault> {
    let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let (occupied, rest) = bytes.split_first_chunk().expect("36 bytes begin with 8");
    let codes = *rest.first_chunk().expect("28 bytes begin with 16");
    let position = decode_position(
        &(BitBoard(u64::from_le_bytes(*occupied)), codes),
        bytes[24],
        word(26),
    )?;
    Ok(Record {
        position,
        score: word(28) as i16,
        outcome: Outcome::from_code(bytes[25])?,
        ply: u32::from(word(30)) | u32::from(word(32)) << 16,
        mv: (word(34) != 0).then(|| moves::unpack(word(34))),
    })
}
