//! Records over lists of rows in Parquet and Arrow.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::types::{Int32Type, Int64Type, UInt16Type, UInt32Type};
use arrow_array::{
    ArrayRef, BooleanArray, FixedSizeListArray, Float32Array, Float64Array, Int8Array,
    LargeListArray, ListArray, RecordBatch, StringArray,
};
use arrow_ipc::writer::FileWriter;
use nnue_data::ReadError;
use nnue_data::rows::{Checked, Checker, Format, Part, RowsRecord, Targets, open};
use nnue_spec::RowsShape;
use parquet::arrow::ArrowWriter;

type Columns = Vec<(&'static str, ArrayRef)>;

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("rows-{name}"))
}

/// Columns as a file of Parquet or Arrow, in several groups of rows.
fn table(name: &str, columns: Columns) -> (PathBuf, Format) {
    let path = path(name);
    let batch = RecordBatch::try_from_iter(columns).expect("columns of one length");
    let half = batch.num_rows() / 2;
    let parts = [
        batch.slice(0, half),
        batch.slice(half, batch.num_rows() - half),
    ];
    let file = File::create(&path).expect("a file");
    let format = Format::of_input(&path).expect("a format");
    if format == Format::Parquet {
        let mut writer = ArrowWriter::try_new(file, batch.schema(), None).expect("a writer");
        for part in &parts {
            writer
                .write(part)
                .and_then(|()| writer.flush())
                .expect("rows");
        }
        writer.close().expect("a footer");
    } else {
        let mut writer = FileWriter::try_new(file, &batch.schema()).expect("a writer");
        parts
            .iter()
            .for_each(|part| writer.write(part).expect("rows"));
        writer.finish().expect("a footer");
    }
    (path, format)
}

fn lists(rows: &[&[u32]]) -> ArrayRef {
    let rows = rows
        .iter()
        .map(|row| Some(row.iter().map(|&row| Some(row))));
    Arc::new(ListArray::from_iter_primitive::<UInt32Type, _, _>(rows))
}

fn targets(numbers: &[f32]) -> ArrayRef {
    Arc::new(Float32Array::from(numbers.to_vec()))
}

fn read((path, format): &(PathBuf, Format)) -> Result<Vec<RowsRecord>, ReadError> {
    open(path, *format, &Part::All)?.collect()
}

fn refused(file: &(PathBuf, Format)) -> String {
    read(file).expect_err("it is wrong").to_string()
}

const NAMES: [&str; 2] = ["t.parquet", "t.arrow"];

#[test]
fn one_list_has_any_type_of_integers() {
    let rows: [&[u32]; 3] = [&[3, 17, 40], &[], &[5]];
    let numbers = |row: &&[u32]| Some(row.iter().map(|&row| Some(row as i64)).collect::<Vec<_>>());
    let large = LargeListArray::from_iter_primitive::<Int64Type, _, _>(rows.iter().map(numbers));
    let small = rows.map(|row| Some(row.iter().map(|&row| Some(row as u16)).collect::<Vec<_>>()));
    let small = ListArray::from_iter_primitive::<UInt16Type, _, _>(small);
    let expected = [
        RowsRecord::new(vec![3, 17, 40], 1.0),
        RowsRecord::new(vec![], 0.0),
        RowsRecord::new(vec![5], 1.0),
    ];
    let targets: ArrayRef = Arc::new(Int8Array::from(vec![1, 0, 1]));
    for (number, array) in [Arc::new(large) as ArrayRef, Arc::new(small), lists(&rows)]
        .into_iter()
        .enumerate()
    {
        for name in NAMES {
            let columns = vec![
                (
                    "note",
                    Arc::new(StringArray::from(vec!["a", "b", "c"])) as ArrayRef,
                ),
                ("rows", array.clone()),
                ("target", targets.clone()),
            ];
            let file = table(&format!("one-{number}-{name}"), columns);
            assert_eq!(read(&file).expect("records"), expected);
        }
    }
}

#[test]
fn two_lists_have_weights_and_a_side_to_move() {
    for name in NAMES {
        let columns = vec![
            (
                "weight",
                Arc::new(Float64Array::from(vec![0.5, 2.0])) as ArrayRef,
            ),
            ("black", lists(&[&[8, 9], &[]])),
            ("white", lists(&[&[3], &[4]])),
            (
                "black_to_move",
                Arc::new(BooleanArray::from(vec![true, false])),
            ),
            ("target", targets(&[0.25, 1.0])),
        ];
        let found = read(&table(&format!("two-{name}"), columns)).expect("records");
        let expected = [
            RowsRecord {
                black_to_move: true,
                weight: 0.5,
                ..RowsRecord::new([vec![3], vec![8, 9]], 0.25)
            },
            RowsRecord {
                weight: 2.0,
                ..RowsRecord::new([vec![4], vec![]], 1.0)
            },
        ];
        assert_eq!(found, expected);
    }
}

#[test]
fn a_column_says_which_records_are_held_out() {
    let columns = vec![
        ("rows", lists(&[&[0], &[1], &[2], &[3]])),
        ("target", targets(&[0.0; 4])),
        (
            "test",
            Arc::new(BooleanArray::from(vec![false, true, true, false])) as ArrayRef,
        ),
    ];
    let (path, format) = table("part.parquet", columns);
    for (is, expected) in [(true, [1, 2]), (false, [0, 3])] {
        let part = Part::Where {
            column: "test".into(),
            is,
        };
        let found = open(&path, format, &part).expect("a table");
        let lists = found.map(|record| record.expect("a record").lists.as_slice()[0][0]);
        assert_eq!(lists.collect::<Vec<_>>(), expected);
    }
    let part = Part::Where {
        column: "held".into(),
        is: true,
    };
    let error = open(&path, format, &part).err().expect("no such column");
    let said = "no column `held`: it has `rows`, `target`, `test`";
    assert_eq!(error.to_string(), said);
}

#[test]
fn wrong_columns_are_named() {
    let [rows, target] = [lists(&[&[0]]), targets(&[1.0])];
    let text: ArrayRef = Arc::new(StringArray::from(vec!["1"]));
    let fixed = [Some(vec![Some(1_i32), Some(2)])];
    let fixed = FixedSizeListArray::from_iter_primitive::<Int32Type, _, _>(fixed, 2);
    let fixed: ArrayRef = Arc::new(fixed);
    for (columns, said) in [
        (
            vec![("target", target.clone())],
            "no column `rows`: it has `target`",
        ),
        (
            vec![("rows", rows.clone())],
            "no column `target`: it has `rows`",
        ),
        (
            vec![("rows", text.clone()), ("target", target.clone())],
            "the column `rows` has the type Utf8 instead of lists of integers",
        ),
        (
            vec![("rows", fixed), ("target", text)],
            "the column `target` has the type Utf8 instead of numbers",
        ),
        (
            vec![("white", rows.clone()), ("target", target.clone())],
            "no column `black`: it has `white`, `target`",
        ),
        (
            vec![
                ("white", rows.clone()),
                ("black", rows.clone()),
                ("target", target.clone()),
            ],
            "no column `black_to_move`: it has `white`, `black`, `target`",
        ),
        (
            vec![("white", rows.clone()), ("rows", rows), ("target", target)],
            "both `rows` and `white`: a position has one list, or two",
        ),
    ] {
        for name in NAMES {
            assert_eq!(
                refused(&table(&format!("columns-{name}"), columns.clone())),
                said
            );
        }
    }
}

#[test]
fn wrong_rows_are_named_by_their_numbers() {
    let shape = RowsShape {
        rows: 48,
        most_active: 3,
        lists: 1,
        groups: &[],
    };
    let missing: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>([
        Some(vec![Some(1)]),
        Some(vec![Some(-4)]),
        Some(vec![None]),
        None,
    ]));
    let wrong = [0.5, f32::NAN, 1.0, 2.0];
    for name in NAMES {
        let file = table(
            &format!("rows-{name}"),
            vec![("rows", missing.clone()), ("target", targets(&[1.0; 4]))],
        );
        let said: Vec<String> = open(&file.0, file.1, &Part::All)
            .expect("a table")
            .filter_map(|record| record.err().map(|error| error.to_string()))
            .collect();
        let expected = [
            "row 2: `-4` instead of the number of a row",
            "row 3: a number of the list is missing",
            "row 4: `rows` is missing",
        ];
        assert_eq!(said, expected);
        let rows = lists(&[&[1, 1], &[2], &[48], &[1, 2, 3, 4]]);
        let weights: ArrayRef =
            Arc::new(Float32Array::from(vec![Some(1.0), None, Some(1.0), None]));
        let file = table(
            &format!("checked-{name}"),
            vec![("rows", rows), ("target", targets(&wrong))],
        );
        let records = open(&file.0, file.1, &Part::All).expect("a table");
        let checked = Checked::new(records, Checker::new(&shape, Targets::Expected));
        let said: Vec<String> = checked
            .map(|record| record.expect_err("all are wrong").to_string())
            .collect();
        let expected = [
            "row 1: row 1 is listed twice",
            "row 2: the target is NaN, expected a number from 0 to 1",
            "row 3: row 48: there are only 48 rows",
            "row 4: 4 rows are active, the declaration allows 3 (`active 3`)",
        ];
        assert_eq!(said, expected);
        let file = table(
            &format!("weights-{name}"),
            vec![
                ("rows", lists(&[&[], &[], &[], &[]])),
                ("target", targets(&[0.0; 4])),
                ("weight", weights),
            ],
        );
        assert_eq!(refused(&file), "row 2: `weight` is missing");
    }
}

/// Neither a panic nor an endless sequence, whatever byte is wrong or missing.
#[test]
fn damaged_tables_are_refused_or_read() {
    for name in NAMES {
        let rows: Vec<Vec<u32>> = (0..40).map(|row| (0..row % 7).collect()).collect();
        let rows: Vec<&[u32]> = rows.iter().map(Vec::as_slice).collect();
        let columns = vec![("rows", lists(&rows)), ("target", targets(&[0.5; 40]))];
        let (path, format) = table(&format!("damaged-{name}"), columns);
        let whole = fs::read(&path).expect("a file");
        let mut refused = 0;
        for at in (0..whole.len()).step_by(3) {
            for damaged in [
                [&whole[..at], &[whole[at] ^ 0xA5], &whole[at + 1..]].concat(),
                whole[..at].to_vec(),
            ] {
                fs::write(&path, damaged).expect("a file");
                match open(&path, format, &Part::All) {
                    Ok(records) => {
                        assert!(records.take(1000).count() < 1000);
                    }
                    Err(_) => refused += 1,
                }
            }
        }
        assert!(refused > 0);
    }
}
