//! Positions of FENs.
#![expect(
    unsafe_code,
    reason = "a function that C calls by its name, with pointers"
)]

use std::ffi::c_char;

use nnue::spec::Fen;

use super::pointer::{place, text};
use super::position::Position;
use crate::failure::{Failure, Status, at_border};

impl From<Fen> for Position {
    fn from(fen: Fen) -> Self {
        let mut position = Self {
            by_color: [0; 2],
            by_kind: [0; 6],
            side_to_move: fen.black_to_move.into(),
        };
        for (black, kind, square) in fen.pieces {
            position.by_color[usize::from(black)] |= 1 << square;
            position.by_kind[kind] |= 1 << square;
        }
        position
    }
}

/// Reads the pieces and the side to move of a FEN; its other fields are ignored. There is one king of each colour, and at most 32 pieces: any other text
/// is `NNUE_STATUS_BAD_ARGUMENT`, and leaves `*position` as it was.
///
/// # Safety
///
/// Each pointer is null or valid; the text ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_position_from_fen(
    fen: *const c_char,
    position: *mut Position,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let position = unsafe { place(position, "position") }?;
        // SAFETY: the caller's obligation.
        let fen = unsafe { text(fen, "fen") }?;
        let read = Fen::parse(fen).map_err(|error| {
            let start: String = fen.chars().take(100).collect();
            Failure::new(
                Status::BadArgument,
                format!("`{}` is no FEN: {error}", start.escape_debug()),
            )
        })?;
        position.write(read.into());
        Ok(())
    })
}
