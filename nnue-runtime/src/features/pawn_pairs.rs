//! Pawn pairs: two pawns, of any colours, on the same or neighbouring files. See `docs/feature-sets.md`.

use super::changed_rows::ChangedRows;
use super::pair_set::PairSet;
use super::pair_view::PairView;
use super::piece_map::PieceMap;
use super::row_change::RowChange;
use crate::board::{Color, Piece, PieceKind, Placed, squares_of};
use crate::both::both;
use crate::simd::{AvailableLevel, Simd, Task, dispatch_family};

/// Every unordered pair of pawns whose files differ by at most one: 4560 rows.
///
/// `row = high * (high - 1) / 2 + low` of the numbers `48 * enemy + o(square) - 8` of both pawns.
#[derive(Clone, Copy, Debug)]
pub struct PawnPairs;

/// The squares on which pawns can be.
const PAWN_RANKS: u64 = 0x00FF_FFFF_FFFF_FF00;

/// The squares on the same and the neighbouring files, by file.
const NEAR: [u64; 8] = {
    let (mut near, mut file) = ([0; 8], 0);
    while file < 8 {
        let a = 0x0101_0101_0101_0101_u64;
        near[file] = a << file;
        if file > 0 {
            near[file] |= a << (file - 1);
        }
        if file < 7 {
            near[file] |= a << (file + 1);
        }
        file += 1;
    }
    near
};

impl PawnPairs {
    /// Rows of the weight matrix.
    pub const ROWS: usize = 96 * 95 / 2;

    /// The row of a pair of pawns as `view` sees it, below [`Self::ROWS`]. The pawns must be
    /// different and on ranks 2 to 7; for other arguments the result is unspecified.
    #[inline(always)]
    pub fn row(view: PairView, pair: [Placed; 2]) -> u32 {
        let [first, second] = pair.map(|pawn| {
            let enemy = (pawn.piece.color() != view.perspective) as u32;
            48 * enemy + (pawn.square.xor(view.orientation).index() as u32).wrapping_sub(8) % 48
        });
        let (low, high) = (first.min(second), first.max(second));
        high * high.saturating_sub(1) / 2 + low
    }

    /// Calls `found` with every pair on a board, in no particular order.
    #[inline(always)]
    pub fn for_each(board: &PieceMap, mut found: impl FnMut([Placed; 2])) {
        Self::pairs_of(board, PAWN_RANKS, &mut found);
    }

    /// Calls `found` with every pair that has a pawn on `among`.
    #[inline(always)]
    fn pairs_of(board: &PieceMap, among: u64, found: &mut impl FnMut([Placed; 2])) {
        let pawns = both(Color::ALL, |color| {
            board.pieces(Piece::new(color, PieceKind::Pawn)) & PAWN_RANKS
        });
        let mut done = 0;
        for square in squares_of((pawns[0] | pawns[1]) & among) {
            done |= square.bit();
            let near = NEAR[usize::from(square.file())] & !done;
            let pawn = |at: crate::board::Square| {
                let color = if pawns[0] & at.bit() != 0 {
                    Color::White
                } else {
                    Color::Black
                };
                Placed::new(Piece::new(color, PieceKind::Pawn), at)
            };
            for other in squares_of((pawns[0] | pawns[1]) & near) {
                found([pawn(square), pawn(other)]);
            }
        }
    }
}

impl PairSet for PawnPairs {
    const NAME: &'static str = "PawnPairs";
    const ROWS: usize = Self::ROWS;

    #[inline(always)]
    fn active(board: &PieceMap, view: PairView, mut found: impl FnMut(u32)) {
        Self::for_each(board, |pair| found(Self::row(view, pair)));
    }

    #[cfg_attr(feature = "described", inline(never))]
    #[cfg_attr(not(feature = "described"), inline)]
    fn collect(
        level: AvailableLevel,
        board: &PieceMap,
        view: PairView,
        first: u32,
        rows: &mut ChangedRows,
    ) {
        dispatch_family(
            level,
            Collect {
                board,
                view,
                first,
                rows,
            },
        );
    }

    /// The pairs with a pawn that was added or removed.
    #[cfg_attr(feature = "described", inline(never))]
    #[cfg_attr(not(feature = "described"), inline)]
    fn changes(
        _: AvailableLevel,
        boards: [&PieceMap; 2],
        views: &[PairView],
        first: u32,
        rows: &mut ChangedRows,
    ) {
        let changed = boards[0].differing(boards[1]);
        if changed & (boards[0].both(PieceKind::Pawn) | boards[1].both(PieceKind::Pawn)) == 0 {
            return;
        }
        for (board, change) in boards.into_iter().zip(RowChange::ALL) {
            Self::pairs_of(board, changed, &mut |pair| {
                views.iter().for_each(|&view| {
                    rows.push(change, view.perspective, first + Self::row(view, pair))
                });
            });
        }
    }
}

/// Finds all pairs with the instructions of a level, for its bit counts.
struct Collect<'a> {
    board: &'a PieceMap,
    view: PairView,
    first: u32,
    rows: &'a mut ChangedRows,
}

impl Task for Collect<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Self {
            board,
            view,
            first,
            rows,
        } = self;
        PawnPairs::active(board, view, |row| {
            rows.push(RowChange::Added, view.perspective, first + row)
        });
    }
}
