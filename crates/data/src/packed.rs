//! The packed board that several formats share: a bitboard of the occupied squares, and 4 bits for the piece
//! on each of them, in ascending order, the lower half of each byte first.

use cozy_chess::{BitBoard, Square};

/// The occupied squares, and the code of the piece on each.
pub(crate) type Packed = (BitBoard, [u8; 16]);

/// The most pieces that fit.
pub(crate) const MAX_PIECES: u32 = 32;

/// The occupied squares with their codes.
///
/// # Panics
///
/// If more than [`MAX_PIECES`] squares are occupied.
#[inline]
pub(crate) fn unpack((occupied, codes): &Packed) -> impl Iterator<Item = (Square, u8)> {
    occupied
        .iter()
        .enumerate()
        .map(|(index, square)| (square, codes[index / 2] >> (index % 2 * 4) & 15))
}

/// Packs the codes of the occupied squares, at most [`MAX_PIECES`].
#[inline]
pub(crate) fn pack(occupied: BitBoard, code: impl Fn(Square) -> u8) -> Packed {
    let mut codes = [0; 16];
    for (index, square) in occupied.iter().enumerate() {
        codes[index / 2] |= code(square) << (index % 2 * 4);
    }
    (occupied, codes)
}
