//! Lists of rows, and feature sets that break their law. Whole networks are tested in `tests/own`.

use super::{ChangedRows, Inputs, Rows, check_change};
use crate::board::Color;

/// A row of lamps, seen from both ends; pressing a switch toggles two neighbours.
struct Lamps<const FORGETFUL: bool>;

impl<const FORGETFUL: bool> Inputs for Lamps<FORGETFUL> {
    type Position = [bool; 6];
    type Change = ([bool; 6], usize);
    type View = ();
    const ROWS: usize = 6;

    fn side_to_move(_: &[bool; 6]) -> Color {
        Color::White
    }

    fn view(_: &[bool; 6], _: Color) {}

    fn active(lamps: &[bool; 6], side: Color, (): (), rows: &mut Rows) {
        (0..6)
            .filter(|&lamp| lamps[lamp])
            .for_each(|lamp| rows.add(seen(lamp, side)));
    }

    fn changed(&(lamps, switch): &Self::Change, side: Color, (): (), rows: &mut ChangedRows) {
        for lamp in [switch, switch + 1]
            .into_iter()
            .take(if FORGETFUL { 1 } else { 2 })
        {
            if lamps[lamp] {
                rows.remove(seen(lamp, side))
            } else {
                rows.add(seen(lamp, side))
            }
        }
    }
}

fn seen(lamp: usize, side: Color) -> u32 {
    let lamp = lamp as u32;
    if side == Color::White { lamp } else { 5 - lamp }
}

fn press(lamps: [bool; 6], switch: usize) -> [bool; 6] {
    core::array::from_fn(|lamp| lamps[lamp] != (lamp == switch || lamp == switch + 1))
}

#[test]
fn the_law_holds_where_all_changes_are_reported() {
    let before = [true, false, true, true, false, false];
    for switch in 0..5 {
        check_change::<Lamps<false>>(&before, &(before, switch), &press(before, switch));
    }
}

#[test]
#[should_panic(expected = "the rows [1] are active afterwards or removed twice")]
fn a_row_that_nobody_added_is_named() {
    let before = [false; 6];
    check_change::<Lamps<true>>(&before, &(before, 0), &press(before, 0));
}

#[test]
#[should_panic(expected = "row 6 is not below 6, the number of inputs")]
fn a_row_that_is_not_there_is_refused() {
    Rows::new::<Lamps<false>>().add(6);
}

fn changed(removed: &[u32], added: &[u32]) -> ChangedRows {
    let mut rows = ChangedRows::new::<Lamps<false>>();
    removed.iter().for_each(|&row| rows.remove(row));
    added.iter().for_each(|&row| rows.add(row));
    rows
}

#[test]
fn what_is_removed_and_added_cancels() {
    let mut rows = changed(&[1, 2, 2, 5], &[2, 3, 1]);
    rows.cancel();
    assert_eq!((rows.removed(), rows.added()), (&[2, 5][..], &[3][..]));
}

#[test]
fn differences_of_lists_count_rows_that_stand_twice() {
    let mut rows = changed(&[0], &[0]);
    rows.set_to_difference(&[0, 1, 1, 3, 5], &[1, 2, 3, 3]);
    assert_eq!(
        (rows.removed(), rows.added()),
        (&[0, 1, 5][..], &[2, 3][..])
    );
    rows.set_to_difference(&[], &[4, 4]);
    assert_eq!((rows.removed(), rows.added()), (&[][..], &[4, 4][..]));
}
