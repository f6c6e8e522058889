//! A side's view of squares in the sets of pairs of pieces.

use crate::board::{Color, Square};

/// A side's view of squares in the sets of pairs of pieces: the board is mirrored so that the
/// side's own king is on files a to d, and Black's view is flipped. Nothing else depends on the
/// king, so a view stays until the own king crosses between files d and e.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairView {
    /// the side
    pub perspective: Color,
    /// the view's square for `s` is `s ^ orientation`; below 64
    pub orientation: u8,
}

impl PairView {
    /// The view of `perspective` if its own king is on `king`.
    #[inline(always)]
    pub fn new(perspective: Color, king: Square) -> Self {
        let mirror = if king.file() > 3 { 7 } else { 0 };
        Self {
            perspective,
            orientation: [0, 56][perspective.index()] ^ mirror,
        }
    }
}
