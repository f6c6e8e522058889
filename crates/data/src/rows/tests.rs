use super::*;
use nnue_spec::rows::{RowGroup, RowsError, RowsShape};

const TWO: RowsShape<'_> = RowsShape {
    rows: 48,
    most_active: 3,
    lists: 2,
    groups: &[
        RowGroup {
            name: "users",
            rows: 40,
        },
        RowGroup {
            name: "items",
            rows: 8,
        },
    ],
};

fn record(first: &[u32], second: &[u32]) -> RowsRecord {
    RowsRecord::new([first.to_vec(), second.to_vec()], 0.5)
}

#[test]
fn rows_targets_and_weights_are_checked() {
    let mut checker = Checker::new(&TWO, Targets::Expected);
    let right = record(&[3, 47, 0], &[]);
    assert_eq!(*checker.check(right.clone()).unwrap(), right);
    for (wrong, said) in [
        (
            record(&[3], &[48]),
            "row 48 of the second list: there are only 48 rows",
        ),
        (
            record(&[3, 41, 41], &[]),
            "row 41 (row 1 of `items`) of the first list is listed twice",
        ),
        (
            record(&[], &[0, 1, 2, 3]),
            "4 rows are active, the declaration allows 3 (`active 3`)",
        ),
        (
            RowsRecord::new(vec![3], 0.5),
            "a position of this network has 2 lists of rows, found 1",
        ),
        (
            RowsRecord {
                target: f32::NAN,
                ..right.clone()
            },
            "the target is NaN, expected a number from 0 to 1",
        ),
        (
            RowsRecord {
                target: 1.5,
                ..right.clone()
            },
            "the target is 1.5, expected a number from 0 to 1",
        ),
        (
            RowsRecord {
                weight: -1.0,
                ..right.clone()
            },
            "the weight is -1, expected a number from 0 up",
        ),
        (
            RowsRecord {
                weight: f32::INFINITY,
                ..right.clone()
            },
            "the weight is inf, expected a number from 0 up",
        ),
    ] {
        assert_eq!(checker.check(wrong).unwrap_err().to_string(), said);
        // A refused record changes nothing.
        assert!(checker.check(right.clone()).is_ok());
    }
    let error = checker.check(record(&[3, 48], &[])).unwrap_err();
    assert!(matches!(
        error,
        RecordError::Rows(RowsError::OutOfRange { .. })
    ));
}

#[test]
fn each_loss_has_its_targets() {
    let accepted = |targets: Targets| {
        let mut checker = Checker::new(&TWO, targets);
        let numbers = [
            -300.0,
            -0.1,
            0.0,
            0.3,
            0.5,
            1.0,
            2.5,
            f32::NAN,
            f32::INFINITY,
        ];
        numbers.map(|target| {
            let record = RowsRecord {
                target,
                ..record(&[1], &[2])
            };
            u8::from(checker.check(record).is_ok())
        })
    };
    assert_eq!(accepted(Targets::Scores), [1, 1, 1, 1, 1, 1, 1, 0, 0]);
    assert_eq!(accepted(Targets::Expected), [0, 0, 1, 1, 1, 1, 0, 0, 0]);
    assert_eq!(accepted(Targets::Outcomes), [0, 0, 1, 0, 1, 1, 0, 0, 0]);
}

#[test]
fn records_are_counted() {
    let mut counted = stats::Stats::default();
    for (list, target) in [(vec![3, 70], 1.0), (vec![], 0.0), (vec![3], 0.5)] {
        let record = RowsRecord {
            weight: 2.0,
            ..RowsRecord::new(list, target)
        };
        counted.add(&record).unwrap();
    }
    assert_eq!((counted.records, counted.lists), (3, 1));
    assert_eq!((counted.rows(), counted.greatest_row()), (2, Some(70)));
    assert_eq!(counted.active.range(), Some((0.0, 2.0)));
    assert_eq!(counted.targets.mean(), Some(0.5));
    let deviation = counted.targets.deviation().unwrap();
    assert!((deviation - (1.0_f64 / 6.0).sqrt()).abs() < 1e-12);
    for (wrong, said) in [
        (
            record(&[1], &[2]),
            "2 lists, where the records before have 1",
        ),
        (RowsRecord::new(vec![7, 8, 7], 0.0), "row 7 is listed twice"),
        (
            RowsRecord::new(vec![u32::MAX], 0.0),
            "row 4294967295: there are only 268435456 rows",
        ),
        (
            RowsRecord::new(vec![7], f32::NAN),
            "the target is NaN, expected a finite number",
        ),
    ] {
        assert_eq!(counted.add(&wrong).unwrap_err().to_string(), said);
    }
    assert_eq!((counted.records, counted.rows()), (3, 2));
}
