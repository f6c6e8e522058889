//! Lists of rows: what is refused, and that refusals change nothing.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

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

/// Lists of up to two rows, repeated and non-existent ones among them, of a network with six.
fn short_lists() -> Vec<Vec<u32>> {
    let one = (0..=6).map(|row| vec![row]);
    let two = (0..=6).flat_map(|first| (0..=6).map(move |second| vec![first, second]));
    core::iter::once(Vec::new()).chain(one).chain(two).collect()
}

#[test]
fn a_check_says_what_the_change_would_say() {
    let shape = RowsShape {
        rows: 6,
        groups: &[],
        ..ONE
    };
    let lists = short_lists();
    for start in [&[][..], &[2, 4], &[0, 1, 5]] {
        let before = RowSets::of(&shape, start).expect("rows");
        for added in &lists {
            for removed in &lists {
                let mut sets = before.clone();
                let checked = sets.check(added.into(), removed.into());
                assert_eq!(sets, before);
                assert_eq!(
                    checked,
                    sets.change(added, removed),
                    "+{added:?} -{removed:?}"
                );
            }
        }
    }
    let mut one = RowSets::new(&ONE);
    let two = RowLists::Two([&[1], &[]]);
    assert_eq!(one.check(two, two), one.clone().change(two, two));
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

/// The lists of a matrix, or what refuses them.
fn lists_of(batch: &RowBatch<'_>, shape: &RowsShape<'_>) -> Result<Vec<String>, BatchError> {
    let (mut sets, mut lists) = (RowSets::new(shape), [Vec::new(), Vec::new()]);
    (0..batch.len())
        .map(|position| {
            batch.read(position, &mut sets, &mut lists)?;
            Ok(sets.to_string())
        })
        .collect()
}

#[test]
fn matrices_of_all_integers_have_the_same_lists() {
    let indptr = [0_i32, 2, 2, 5];
    let indices = [3_u32, 1, 9, 0, 4];
    let widened = (indptr.map(i64::from), indices.map(u64::from));
    for (indptr, indices) in [
        (Integers::I32(&indptr), Integers::U32(&indices)),
        (Integers::I64(&widened.0), Integers::U64(&widened.1)),
        (
            Integers::U32(&indptr.map(|at| at as u32)),
            Integers::I32(&indices.map(|row| row as i32)),
        ),
        (
            Integers::U64(&indptr.map(|at| at as u64)),
            Integers::I64(&indices.map(i64::from)),
        ),
    ] {
        let matrix = RowMatrix::new(indptr, indices).expect("lists");
        let lists = lists_of(&RowBatch::one(matrix), &ONE);
        assert_eq!(lists.expect("rows"), ["1 3", "", "0 4 9"]);
    }
}

#[test]
fn two_matrices_are_positions_of_two_lists() {
    let matrix = |indptr, indices| {
        RowMatrix::new(Integers::I32(indptr), Integers::U32(indices)).expect("lists")
    };
    let (white, black) = (matrix(&[0, 1, 2], &[5, 6]), matrix(&[1, 1, 3], &[9, 0, 2]));
    let batch = RowBatch::two(white, black).expect("as many lists");
    let moved = batch.with_black_to_move(&[0, 1]).expect("as many sides");
    assert_eq!(lists_of(&moved, &TWO).expect("rows"), ["5 |", "6 | 0 2 b"]);
    let errors = [
        RowBatch::two(white, matrix(&[0], &[])).map(drop),
        batch.with_black_to_move(&[1]).map(drop),
        batch.with_black_to_move(&[1, 2]).map(drop),
        lists_of(&batch, &ONE).map(drop),
        lists_of(&RowBatch::one(white), &TWO).map(drop),
    ];
    assert_eq!(
        errors.map(|error| error.expect_err("it is wrong").to_string()),
        [
            "0 lists in the second matrix for 2 positions",
            "1 sides to move for 2 positions",
            "position 1: the side to move is 2, expected 0 (White) or 1 (Black)",
            "position 0: a position of this network has 1 list of rows, found 2",
            "position 0: a position of this network has 2 lists of rows, found 1",
        ]
    );
}

#[test]
fn wrong_matrices_are_refused() {
    let indices = Integers::U32(&[3, 1, 9]);
    for (indptr, message) in [
        (
            &[][..],
            "`indptr` is empty: it has one number more than there are lists, the first is 0",
        ),
        (
            &[-1, 3],
            "`indptr[0]` is -1, expected 0 (the number before it) to 3 (the number of indices)",
        ),
        (
            &[0, 2, 1],
            "`indptr[2]` is 1, expected 2 (the number before it) to 3 (the number of indices)",
        ),
        (
            &[0, 2, i64::MAX],
            "`indptr[2]` is 9223372036854775807, expected 2 (the number before it) to 3 (the number of indices)",
        ),
    ] {
        let error = RowMatrix::new(Integers::I64(indptr), indices).expect_err(message);
        assert_eq!(error.to_string(), message);
    }
    for (indices, message) in [
        ([1, 2, -7, 9], "position 1: row -7: there are only 10 rows"),
        (
            [1, 2, 1 << 40, 9],
            "position 1: row 1099511627776: there are only 10 rows",
        ),
        ([1, 2, 10, 9], "position 1: row 10: there are only 10 rows"),
        (
            [1, 2, 9, 9],
            "position 1: row 9 (row 3 of `history`) is listed twice",
        ),
    ] {
        let matrix = RowMatrix::new(Integers::U32(&[0, 2, 4]), Integers::I64(&indices));
        let batch = RowBatch::one(matrix.expect("lists"));
        let mut sets = RowSets::of(&ONE, &[4]).expect("rows");
        let read = batch.read(1, &mut sets, &mut Default::default());
        assert_eq!(read.expect_err(message).to_string(), message);
        assert_eq!(sets.to_string(), "4");
    }
    let matrix = RowMatrix::new(Integers::U32(&[0, 1]), Integers::I64(&[-7])).expect("lists");
    let batch = RowBatch::two(matrix, matrix).expect("as many lists");
    assert_eq!(
        lists_of(&batch, &TWO).expect_err("negative").to_string(),
        "position 0: row -7 of the first list: there are only 10 rows"
    );
}

#[test]
fn rules_read_the_rows_of_their_group() {
    let groups = [("words", 60), ("phase", 4)].map(|(name, rows)| RowGroup { name, rows });
    let count = |minus, divide| RowMeasure::Count { minus, divide };
    let of_all = |by| RowRule {
        first: 0,
        rows: 64,
        by,
    };
    let of_phase = |by| RowRule {
        first: 60,
        rows: 4,
        by,
    };
    let active = [61, 3, 63, 59, 0];
    for (rule, stack, text) in [
        (of_all(count(0, 2)), 2, "row_count / 2"),
        (of_all(count(1, 4)), 1, "(row_count - 1) / 4"),
        (of_all(count(9, 1)), 0, "(row_count - 9) / 1"),
        (of_phase(count(0, 1)), 2, "row_count(phase) / 1"),
        (of_phase(RowMeasure::Row), 1, "row(phase)"),
    ] {
        assert_eq!(rule.select(&active), stack, "{text}");
        assert_eq!(rule.text(&groups), text);
    }
    assert_eq!(of_phase(RowMeasure::Row).select(&[3, 59]), 0);
    assert_eq!(of_phase(count(1, 1)).select(&[]), 0);
}

/// The candidates of a batch of changes of `position`, as they are written, or what refuses them.
fn candidates_of(
    batch: &CandidateBatch<'_>,
    which: Range<usize>,
    position: &RowSets,
) -> Result<Vec<String>, CandidateBatchError> {
    let mut copies = CandidateCopies::default();
    batch.read(which, position, &mut copies)?;
    let text = |Candidate { added, removed }: &Candidate<'_>| {
        format!("+{:?} -{:?}", added.as_slice(), removed.as_slice())
    };
    Ok(copies.candidates().iter().map(text).collect())
}

#[test]
fn candidates_are_lines_of_matrices() {
    let matrix = |indptr, indices| {
        RowMatrix::new(Integers::I32(indptr), Integers::I64(indices)).expect("lists")
    };
    let (added, removed) = (
        matrix(&[0, 2, 2, 3], &[5, 6, 7]),
        matrix(&[0, 0, 1, 1], &[4]),
    );
    let batch = CandidateBatch::one(added, removed).expect("as many lists");
    assert_eq!((batch.len(), batch.is_empty()), (3, false));
    let position = RowSets::new(&ONE);
    let read =
        |batch: &CandidateBatch<'_>, which| candidates_of(batch, which, &position).expect("rows");
    assert_eq!(
        read(&batch, 0..3),
        ["+[[5, 6]] -[[]]", "+[[]] -[[4]]", "+[[7]] -[[]]"]
    );
    assert_eq!(read(&batch, 1..2), ["+[[]] -[[4]]"]);
    let none = RowMatrix::none(3);
    let batch = CandidateBatch::one(none, removed).expect("as many lists");
    assert_eq!(read(&batch, 1..3), ["+[[]] -[[4]]", "+[[]] -[[]]"]);
    let batch = CandidateBatch::two([added, none], [none, removed]).expect("as many lists");
    assert_eq!(
        read(&batch, 0..2),
        ["+[[5, 6], []] -[[], []]", "+[[], []] -[[], [4]]"]
    );
    assert_eq!(read(&batch, 3..3), [""; 0]);
}

#[test]
fn wrong_candidates_are_refused() {
    let indptr = Integers::U32(&[0, 1, 2]);
    let of = |indices| RowMatrix::new(indptr, Integers::I64(indices)).expect("lists");
    let (right, none) = (of(&[1, 2]), RowMatrix::none(2));
    let short = RowMatrix::none(1);
    let lengths = [
        CandidateBatch::one(right, short),
        CandidateBatch::two([right, short], [none, none]),
        CandidateBatch::two([right, none], [short, none]),
    ];
    assert_eq!(
        lengths.map(|batch| batch.expect_err("it is wrong").to_string()),
        [
            "the matrix of removed rows has 1 lists, expected 2, one for each candidate",
            "the matrix of added rows of the second list has 1 lists, expected 2, one for each candidate",
            "the matrix of removed rows of the first list has 1 lists, expected 2, one for each candidate",
        ]
    );
    for (shape, batch, message) in [
        (
            ONE,
            CandidateBatch::one(of(&[1, -2]), none),
            "candidate 1: row -2: there are only 10 rows",
        ),
        (
            TWO,
            CandidateBatch::two([none, none], [none, of(&[1 << 40, 2])]),
            "candidate 0: row 1099511627776 of the second list: there are only 10 rows",
        ),
    ] {
        let batch = batch.expect("as many lists");
        let error = candidates_of(&batch, 0..2, &RowSets::new(&shape)).expect_err(message);
        assert_eq!(error.to_string(), message);
    }
}
