//! HalfKAv2 and HalfKAv2_hm: own king's square x (piece, square), both kings in one plane. See
//! `docs/feature-sets.md`.

use super::{FeatureSet, View};
use crate::board::{Color, Piece, Square};

/// Planes of 64 squares per king square: ten for pieces, one for both kings.
const PLANES: u32 = 11;

/// Own king square x (piece, square): 45056 rows.
///
/// `row = o(square) + 64 * plane + 704 * o(own king)`, where `plane` is `2 * kind + enemy`, 10 for
/// either king, and black's view `o` flips the board top to bottom.
#[derive(Clone, Copy, Debug)]
pub struct HalfKaV2;

/// [`HalfKaV2`] with the board mirrored so that the side's own king is on files e to h: 22528 rows.
///
/// `row = o(square) + 64 * plane + 704 * bucket`, `bucket = 4 * (7 - rank) + (7 - file)` of the
/// oriented own king.
#[derive(Clone, Copy, Debug)]
pub struct HalfKaV2Hm;

impl FeatureSet for HalfKaV2 {
    const NAME: &'static str = "HalfKAv2";
    const ROWS: usize = 45056;
    const SLOTS: usize = 64;

    #[inline(always)]
    fn view(perspective: Color, king: Square) -> View {
        let orientation = flip(perspective);
        bucket_view(
            perspective,
            orientation,
            king.xor(orientation).index() as u16,
        )
    }

    #[inline(always)]
    fn row(view: View, piece: Piece, square: Square) -> Option<u32> {
        Some(row(view, piece, square))
    }
}

impl FeatureSet for HalfKaV2Hm {
    const NAME: &'static str = "HalfKAv2_hm";
    const ROWS: usize = 22528;
    const SLOTS: usize = 32;

    #[inline(always)]
    fn view(perspective: Color, king: Square) -> View {
        let mirror = if king.file() < 4 { 7 } else { 0 };
        let orientation = flip(perspective) ^ mirror;
        let king = king.xor(orientation);
        bucket_view(
            perspective,
            orientation,
            4 * (7 - u16::from(king.rank())) + (7 - u16::from(king.file())),
        )
    }

    #[inline(always)]
    fn row(view: View, piece: Piece, square: Square) -> Option<u32> {
        Some(row(view, piece, square))
    }
}

/// Black's view flips the board top to bottom.
#[inline(always)]
fn flip(perspective: Color) -> u8 {
    [0, 56][perspective.index()]
}

#[inline(always)]
fn bucket_view(perspective: Color, orientation: u8, bucket: u16) -> View {
    View {
        perspective,
        orientation,
        slot: bucket,
        base: 64 * PLANES * u32::from(bucket),
    }
}

#[inline(always)]
fn row(view: View, piece: Piece, square: Square) -> u32 {
    let plane = (piece.relative_index(view.perspective) as u32).min(PLANES - 1);
    view.base + 64 * plane + square.xor(view.orientation).index() as u32
}
