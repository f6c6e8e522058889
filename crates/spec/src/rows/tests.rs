//! Lists of rows: what is refused, and that refusals change nothing.

use alloc::string::{String, ToString};

use super::*;

const GROUPS: [RowGroup<'static>; 2] = [
    RowGroup {
        name: "features",
        rows: 6,
    },
    RowGroup {
        name: "history",
        rows: 4,
    },
];

const ONE: RowsShape<'static> = RowsShape {
    rows: 10,
    most_active: 3,
    lists: 1,
    groups: &GROUPS,
};

const TWO: RowsShape<'static> = RowsShape {
    lists: 2,
    groups: &[],
    ..ONE
};

fn refused(
    sets: &mut RowSets,
    change: impl FnOnce(&mut RowSets) -> Result<(), RowsError>,
) -> String {
    let before = sets.clone();
    let error = change(sets).expect_err("it is wrong");
    assert_eq!(*sets, before, "{error}");
    error.to_string()
}

#[test]
fn wrong_lists_are_refused_and_change_nothing() {
    let mut sets = RowSets::of(&ONE, &[4, 2]).expect("rows");
    assert_eq!(
        refused(&mut sets, |sets| sets.set(&[1, 10])),
        "row 10: there are only 10 rows"
    );
    assert_eq!(
        refused(&mut sets, |sets| sets.set(&[7, 1, 7])),
        "row 7 (row 1 of `history`) is listed twice"
    );
    assert_eq!(
        refused(&mut sets, |sets| sets.set(&[1, 2, 3, 4])),
        "4 rows are active, the declaration allows 3 (`active 3`)"
    );
    assert_eq!(
        refused(&mut sets, |sets| sets.set([&[1][..], &[2]])),
        "a position of this network has 1 list of rows, found 2"
    );
    sets.set(&[9, 0, 5]).expect("as many as are allowed");
    sets.set(&[]).expect("none");
    assert!(sets.list(0).is_empty());
}

#[test]
fn wrong_changes_are_refused_and_change_nothing() {
    let mut sets = RowSets::of(&ONE, &[4, 2]).expect("rows");
    let mut wrong =
        |added: &[u32], removed: &[u32]| refused(&mut sets, |sets| sets.change(added, removed));
    assert_eq!(
        wrong(&[5], &[4, 3]),
        "row 3 (row 3 of `features`) is not active, it cannot be removed"
    );
    assert_eq!(
        wrong(&[], &[4, 4]),
        "row 4 (row 4 of `features`) is not active, it cannot be removed"
    );
    assert_eq!(wrong(&[], &[4, 11]), "row 11: there are only 10 rows");
    assert_eq!(
        wrong(&[1, 2], &[4]),
        "row 2 (row 2 of `features`) is active already, it cannot be added"
    );
    assert_eq!(
        wrong(&[1, 1], &[]),
        "row 1 (row 1 of `features`) is active already, it cannot be added"
    );
    assert_eq!(
        wrong(&[1, u32::MAX], &[]),
        "row 4294967295: there are only 10 rows"
    );
    assert_eq!(
        wrong(&[0, 1], &[]),
        "4 rows are active, the declaration allows 3 (`active 3`)"
    );
    sets.change(&[0, 4], &[4]).expect("removed, then added");
    assert_eq!(sets, RowSets::of(&ONE, &[0, 2, 4]).expect("rows"));
}

#[test]
fn an_error_in_the_second_list_leaves_the_first() {
    let mut sets = RowSets::of(&TWO, [&[1, 2][..], &[2, 3]]).expect("rows");
    assert_eq!(
        refused(&mut sets, |sets| sets.set([&[5][..], &[6, 6]])),
        "row 6 of the second list is listed twice"
    );
    assert_eq!(
        refused(&mut sets, |sets| sets
            .change([&[5][..], &[2]], [&[1][..], &[]])),
        "row 2 of the second list is active already, it cannot be added"
    );
    assert_eq!(
        refused(&mut sets, |sets| sets.change(&[5], [&[1][..], &[]])),
        "a position of this network has 2 lists of rows, found 1"
    );
    let (added, removed) = (RowLists::Two([&[5], &[9]]), RowLists::Two([&[1], &[2]]));
    let before = sets.clone();
    sets.change(added, removed).expect("a change");
    assert_eq!(
        sets,
        RowSets::of(&TWO, [&[5, 2][..], &[9, 3]]).expect("rows")
    );
    sets.undo(added, removed);
    assert_eq!(sets, before);
}

#[test]
fn lists_are_read_as_they_are_written() {
    for (shape, text) in [
        (ONE, "0 3 9"),
        (ONE, ""),
        (ONE, "3 b"),
        (TWO, "1 2 | 7"),
        (TWO, " | 7 b"),
        (TWO, " |"),
    ] {
        let mut sets = RowSets::new(&shape);
        sets.set_text(text).expect(text);
        assert_eq!(sets.to_string(), text);
    }
    let mut sets = RowSets::new(&ONE);
    sets.set_text("\t9,3, 0 w\r\n").expect("commas");
    assert_eq!(sets, RowSets::of(&ONE, &[0, 3, 9]).expect("rows"));
}

#[test]
fn texts_that_are_no_lists_are_refused() {
    let mut sets = RowSets::of(&ONE, &[4]).expect("rows");
    for (text, message) in [
        ("3 x", "expected the number of a row, found `x`"),
        ("+3", "expected the number of a row, found `+3`"),
        ("3 -1", "expected the number of a row, found `-1`"),
        ("b 3", "expected the number of a row, found `b`"),
        (
            "99999999999",
            "expected a number of 32 bits, found `99999999999`",
        ),
        (
            "1 | 2",
            "a position of this network has 1 list of rows, found 2",
        ),
        ("1 | 2 | 3", "expected at most two lists, found `|`"),
        ("3 3", "row 3 (row 3 of `features`) is listed twice"),
    ] {
        assert_eq!(
            refused(&mut sets, |sets| sets.set_text(text)),
            message,
            "{text}"
        );
    }
    let mut sets = RowSets::new(&TWO);
    assert_eq!(
        refused(&mut sets, |sets| sets.set_text("3")),
        "a position of this network has 2 lists of rows, found 1"
    );
}

#[test]
fn changes_are_read_with_their_signs() {
    let change = RowsChange::parse("+3 -17,+4").expect("a change");
    assert_eq!(change.added(), RowLists::One(&[3, 4]));
    assert_eq!(change.removed(), RowLists::One(&[17]));
    assert_eq!(change.black_to_move, None);
    let change = RowsChange::parse("-1 | +2 b").expect("a change");
    assert_eq!(change.added(), RowLists::Two([&[], &[2]]));
    assert_eq!(change.removed(), RowLists::Two([&[1], &[]]));
    assert_eq!(change.black_to_move, Some(true));
    for (text, word) in [("+", "+"), ("+3 4", "4"), ("+-3", "+-3"), ("-é", "-é")] {
        assert_eq!(
            RowsChange::parse(text).expect_err(text),
            RowsError::Text {
                expected: "`+` or `-` and the number of a row",
                found: word.into()
            }
        );
    }
    let next = ["+3", " | -3", "3 +4", ""].map(RowsChange::is_next);
    assert_eq!(next, [true, true, false, false]);
}

#[test]
fn long_words_are_cut() {
    let text = "x".repeat(1000);
    let error = RowSets::new(&ONE).set_text(&text).expect_err("a word");
    assert_eq!(
        error.to_string().len(),
        "expected the number of a row, found ``".len() + 32
    );
}
