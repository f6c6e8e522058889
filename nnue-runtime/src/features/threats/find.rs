//! Finds threats at a level. These functions are compiled once per family of levels and shared by
//! all sets.

use super::change;
use super::table::Table;
use crate::features::changed_rows::ChangedRows;
use crate::features::pair_view::PairView;
use crate::features::piece_map::PieceMap;
use crate::features::row_change::RowChange;
use crate::simd::{AvailableLevel, Simd, Task, dispatch_family};

/// [`PairSet::collect`](crate::features::PairSet::collect) for the set that has this table.
#[cfg_attr(feature = "described", inline(never))]
#[cfg_attr(not(feature = "described"), inline)]
pub(in crate::features) fn collect(
    level: AvailableLevel,
    table: &Table,
    board: &PieceMap,
    view: PairView,
    first: u32,
    rows: &mut ChangedRows,
) {
    dispatch_family(
        level,
        Collect {
            table,
            board,
            view,
            first,
            rows,
        },
    );
}

/// [`PairSet::changes`](crate::features::PairSet::changes) for the set that has this table.
#[cfg_attr(feature = "described", inline(never))]
#[cfg_attr(not(feature = "described"), inline)]
pub(in crate::features) fn changes(
    level: AvailableLevel,
    table: &Table,
    boards: [&PieceMap; 2],
    views: &[PairView],
    first: u32,
    rows: &mut ChangedRows,
) {
    match *views {
        [one, other] => dispatch_family(
            level,
            Changes {
                table,
                boards,
                views: [one, other],
                first,
                rows,
            },
        ),
        _ => views.iter().for_each(|&view| {
            dispatch_family(
                level,
                Changes {
                    table,
                    boards,
                    views: [view],
                    first,
                    rows,
                },
            );
        }),
    }
}

struct Collect<'a> {
    table: &'a Table,
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
            table,
            board,
            view,
            first,
            rows,
        } = self;
        table.active(board, view, |row| {
            rows.push(RowChange::Added, view.perspective, first + row)
        });
    }
}

struct Changes<'a, const N: usize> {
    table: &'a Table,
    boards: [&'a PieceMap; 2],
    views: [PairView; N],
    first: u32,
    rows: &'a mut ChangedRows,
}

impl<const N: usize> Task for Changes<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        change::find(simd, self.table, self.boards, &mut self.rows.attacks);
        self.rows.number(simd, self.table, self.views, self.first);
    }
}
