//! Parquet and Arrow: columns of any type, damaged files, parts, resuming.

use std::fs::{self, File};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex};

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, DictionaryArray, Int8Array, Int16Array, Int64Array, LargeStringArray, RecordBatch,
    StringArray, StringViewArray, UInt32Array,
};
use arrow_ipc::CompressionType;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_ipc::writer::{FileWriter, IpcWriteOptions};
use nnue_data::rescore::{FileFormat, Input, Job, Scorer, Watch, Worker, rescore};
use nnue_data::{Format, Outcome, Position, ReadError, Record};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::common::{Folder, failure_of, games, output_of, read, scorer, value, written};
use crate::resume::survives;

const NAMES: [&str; 3] = ["t.parquet", "t.arrow", "t.arrows"];

/// The rows of a file, read by the libraries.
fn rows(path: &Path) -> Vec<RecordBatch> {
    let file = File::open(path).expect("a file");
    match path.extension().and_then(|name| name.to_str()) {
        Some("parquet") => {
            let builder =
                ParquetRecordBatchReaderBuilder::try_new(file).expect("a file of Parquet");
            builder
                .build()
                .expect("columns")
                .collect::<Result<_, _>>()
                .expect("rows")
        }
        Some("arrow") => FileReader::try_new(file, None)
            .expect("a file of Arrow")
            .collect::<Result<_, _>>()
            .expect("rows"),
        _ => StreamReader::try_new(file, None)
            .expect("a stream of Arrow")
            .collect::<Result<_, _>>()
            .expect("rows"),
    }
}

/// Columns as a file of Parquet in one row group, or as a compressed file of Arrow.
fn table(folder: &Folder, name: &str, columns: &[(&str, ArrayRef)]) -> Input {
    let path = folder.path(name);
    let batch = RecordBatch::try_from_iter(columns.iter().cloned()).expect("columns of one length");
    let file = File::create(&path).expect("a file");
    if name.ends_with(".parquet") {
        let mut writer = ArrowWriter::try_new(file, batch.schema(), None).expect("a writer");
        writer
            .write(&batch)
            .and_then(|()| writer.close())
            .expect("rows");
    } else {
        let options = IpcWriteOptions::default()
            .try_with_compression(Some(CompressionType::LZ4_FRAME))
            .expect("LZ4");
        let mut writer =
            FileWriter::try_new_with_options(file, &batch.schema(), options).expect("a writer");
        writer
            .write(&batch)
            .and_then(|()| writer.finish())
            .expect("rows");
    }
    Input {
        format: FileFormat::of_path(&path).expect("a format"),
        path,
    }
}

fn text(values: &[Option<&str>]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

/// A job whose output is read again, as records.
fn records_of(folder: &Folder, input: &Input) -> Vec<Record> {
    let mut job = folder.job(std::slice::from_ref(input), "records.plain");
    job.outcome = Some(Outcome::Draw);
    let report = rescore(&job, &scorer(), &()).unwrap_or_else(|error| panic!("{error}"));
    assert!(report.damaged.is_none(), "{:?}", report.damaged);
    read(&job.output)
}

const BLACK: &str = "4k3/4p3/8/8/8/8/8/4K3 b - - 0 31";
const WHITE: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

#[test]
fn records_become_rows_and_rows_records() {
    let (folder, games) = (Folder::new("tables"), games(21, 12));
    let input = folder.records("games.binpack", &games);
    for name in NAMES {
        let mut job = folder.job(std::slice::from_ref(&input), name);
        let bytes = output_of(&job);
        job.threads = NonZeroUsize::new(3).expect("a number");
        assert!(output_of(&job) == bytes, "{name}: threads change the bytes");
        let batches = rows(&job.output);
        assert_eq!(
            batches.iter().map(RecordBatch::num_rows).sum::<usize>(),
            games.len(),
            "{name}"
        );
        assert_eq!(batches[0].schema().fields().len(), 5);
        let back = Input {
            path: job.output.clone(),
            format: job.format,
        };
        let found = records_of(&folder, &back);
        for (found, game) in found.iter().zip(&games) {
            assert_eq!(
                *found,
                Record {
                    score: i16::try_from(value(game)).expect("small weights"),
                    ..*game
                },
                "{name}"
            );
        }
        assert_eq!(found.len(), games.len(), "{name}");
    }
}

#[test]
fn a_table_without_rows_is_one() {
    let folder = Folder::new("no-rows");
    let input = folder.input("none.txt", b"\n");
    for name in NAMES {
        let job = folder.job(std::slice::from_ref(&input), name);
        output_of(&job);
        assert_eq!(
            rows(&job.output)
                .iter()
                .map(RecordBatch::num_rows)
                .sum::<usize>(),
            0,
            "{name}"
        );
        let back = Input {
            path: job.output.clone(),
            format: job.format,
        };
        assert!(records_of(&folder, &back).is_empty(), "{name}");
    }
}

#[test]
fn columns_may_have_any_type_of_texts_and_whole_numbers() {
    let folder = Folder::new("types");
    let fens = || vec![WHITE, BLACK, WHITE];
    let dictionary: DictionaryArray<Int32Type> = fens().into_iter().collect();
    let kinds: [ArrayRef; 4] = [
        Arc::new(StringArray::from(fens())),
        Arc::new(LargeStringArray::from(fens())),
        Arc::new(StringViewArray::from(fens())),
        Arc::new(dictionary),
    ];
    for (number, fen) in kinds.into_iter().enumerate() {
        for ending in ["parquet", "arrow"] {
            let columns: [(&str, ArrayRef); 6] = [
                ("site", text(&[Some("a"), None, Some("b")])),
                (
                    "score",
                    Arc::new(Int64Array::from(vec![Some(7), None, Some(-9)])),
                ),
                ("fen", fen.clone()),
                ("result", text(&[Some("1-0"), Some("1-0"), Some("1/2-1/2")])),
                ("move", text(&[Some("e2e4"), None, Some("e1d1")])),
                (
                    "ply",
                    Arc::new(UInt32Array::from(vec![Some(5), None, Some(8)])),
                ),
            ];
            let input = table(&folder, &format!("{number}.{ending}"), &columns);
            let found = records_of(&folder, &input);
            let said = |record: &Record| {
                (
                    record.fen(),
                    record.outcome,
                    record.ply,
                    record.mv.map(|mv| mv.to_string()),
                )
            };
            assert_eq!(found.len(), 3);
            assert_eq!(found[0].position, WHITE.parse().expect("a FEN"));
            assert_eq!(said(&found[0]).1, Outcome::Win);
            assert_eq!(
                (said(&found[0]).2, said(&found[0]).3),
                (5, Some("e2e4".into()))
            );
            // the game was won by White, and Black is to move; without a ply it is that of the FEN
            assert_eq!(said(&found[1]), (BLACK.into(), Outcome::Loss, 61, None));
            assert_eq!(
                found[1].score(),
                None,
                "a null stays one unless it is asked for"
            );
            assert_eq!((said(&found[2]).1, said(&found[2]).2), (Outcome::Draw, 8));
            assert_eq!(i32::from(found[2].score), value(&found[2]));
        }
    }
}

/// Notes what is told.
#[derive(Default)]
struct Told(Mutex<Vec<String>>);

impl Watch for Told {
    fn leaves_out(&self, _: &Path, columns: &[&str]) {
        self.0.lock().expect("no panic").push(columns.join(" "));
    }

    fn passed_over(&self, _: &Path, damage: &ReadError) {
        self.0.lock().expect("no panic").push(damage.to_string());
    }
}

#[test]
fn rows_that_are_wrong_are_told_with_their_number() {
    let folder = Folder::new("wrong-rows");
    let columns: [(&str, ArrayRef); 5] = [
        (
            "fen",
            text(&[
                Some(WHITE),
                None,
                Some("8/8 w"),
                Some(BLACK),
                Some(WHITE),
                Some(WHITE),
                Some(WHITE),
            ]),
        ),
        (
            "score",
            Arc::new(Int64Array::from(vec![1, 1, 1, 40_000, 1, 1, 1])),
        ),
        (
            "outcome",
            Arc::new(Int8Array::from(vec![
                Some(1),
                Some(1),
                Some(1),
                Some(0),
                Some(2),
                None,
                Some(-1),
            ])),
        ),
        (
            "move",
            text(&[None, None, None, None, None, None, Some("e2e5")]),
        ),
        ("other", text(&[None; 7])),
    ];
    for name in ["wrong.parquet", "wrong.arrow"] {
        let input = table(&folder, name, &columns);
        let job = folder.job(std::slice::from_ref(&input), &format!("{name}.txt"));
        let report = rescore(&job, &scorer(), &()).expect("a file that can be read");
        assert_eq!(
            report.damaged.expect("damage").1.to_string(),
            "row 2: `fen` is missing"
        );
        let (mut job, told) = (
            folder.job(&[input], &format!("{name}.plain")),
            Told::default(),
        );
        job.keep_going = true;
        let report = rescore(&job, &scorer(), &told).expect("a file that can be read");
        assert_eq!(report.counts.written, 1);
        assert_eq!(
            told.0.into_inner().expect("no panic"),
            [
                "other",
                "row 2: `fen` is missing",
                "row 3: a FEN has at least four fields, this has 2",
                "row 4: `40000` instead of a score from -32768 to 32767",
                "row 5: `outcome 2` instead of 1, 0 or -1",
                "row 6: `outcome` is missing",
                "row 7: the move e2e5 cannot be made in this position",
            ]
        );
    }
}

#[test]
fn tables_without_the_columns_are_refused() {
    let folder = Folder::new("no-columns");
    let one = || text(&[Some(WHITE)]);
    let number = || Arc::new(Int16Array::from(vec![1])) as ArrayRef;
    let cases: [(&[(&str, ArrayRef)], &str); 5] = [
        (&[("position", one())], "no column `fen`: it has `position`"),
        (
            &[("fen", number())],
            "the column `fen` has the type Int16 instead of text",
        ),
        (
            &[("fen", one()), ("score", one())],
            "the column `score` has the type Utf8 instead of whole numbers",
        ),
        (&[("fen", one()), ("fen", one())], "two columns `fen`"),
        (
            &[("fen", one())],
            "no column `outcome` (1, 0, -1 for the side to move) or `result` (1-0, 1/2-1/2, 0-1): name the outcome that all positions are to have",
        ),
    ];
    for (columns, expected) in cases {
        for name in ["a.parquet", "a.arrow"] {
            let said = failure_of(&folder.job(&[table(&folder, name, columns)], "out.plain"));
            assert!(said.ends_with(expected), "{said}");
        }
    }
    let said = failure_of(&folder.job(
        &[folder.input("text.parquet", b"no table at all")],
        "out.plain",
    ));
    assert!(said.contains("not a file of Parquet"), "{said}");
    let said = failure_of(&folder.job(
        &[folder.input("text.arrows", b"no table at all")],
        "out.plain",
    ));
    assert!(
        said.contains("neither a file nor a stream of Arrow"),
        "{said}"
    );
    let standard = Input {
        path: "-".into(),
        format: FileFormat::of_path("a.parquet".as_ref()).expect("a format"),
    };
    assert!(failure_of(&folder.job(&[standard], "out.plain")).contains("read from its end"));
}

/// Says nothing about positions.
struct Nothing;

impl Scorer for Nothing {
    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Self)
    }

    fn identity(&self) -> u128 {
        0
    }
}

impl Worker for Nothing {
    fn evaluate(&mut self, _: &[Position], values: &mut [i32]) {
        values.fill(0);
    }
}

/// Cuts, and every byte with another in its place: an error or records, and no panic that anybody sees.
#[cfg(unix)]
#[test]
fn damaged_tables_are_errors() {
    let folder = Folder::new("damaged-tables");
    let input = folder.records("games.binpack", &games(22, 1)[..20]);
    for name in NAMES {
        let mut job = folder.job(std::slice::from_ref(&input), name);
        job.block = NonZeroUsize::new(10).expect("a number");
        let bytes = output_of(&job);
        let damaged = Input {
            path: folder.path(&format!("damaged-{name}")),
            format: job.format,
        };
        let again = Job {
            inputs: vec![damaged.clone()],
            output: "/dev/null".into(),
            keep_going: true,
            ..job
        };
        let read = |bytes: &[u8]| {
            fs::write(&damaged.path, bytes).expect("a file");
            match rescore(&again, &Nothing, &()) {
                Ok(report) => assert!(report.counts.written <= 20),
                Err(error) => assert!(error.to_string().contains("damaged-"), "{error}"),
            }
        };
        (0..bytes.len())
            .step_by(11)
            .for_each(|length| read(&bytes[..length]));
        for at in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[at] ^= [0xFF, 0x80, 0x01][at % 3];
            read(&bytes);
        }
    }
}

#[test]
fn tables_are_resumed() {
    let (folder, games) = (Folder::new("resumed-tables"), games(23, 12));
    let input = folder.records("games.binpack", &games);
    for name in NAMES {
        survives(&folder, folder.job(std::slice::from_ref(&input), name));
    }
}

#[test]
fn of_a_damaged_file_there_is_a_whole_table() {
    let (folder, games) = (Folder::new("before-damage"), games(24, 12));
    let text = String::from_utf8(written(Format::Plain, &games)).expect("text");
    let at = text.match_indices("fen ").nth(333).expect("a record").0;
    let damaged = folder.input(
        "games.plain",
        format!("{}x{}", &text[..at], &text[at..]).as_bytes(),
    );
    for name in NAMES {
        let mut job = folder.job(std::slice::from_ref(&damaged), name);
        let report = rescore(&job, &scorer(), &()).expect("what is before it is written");
        assert!(report.damaged.is_some());
        let count = |job: &Job| {
            rows(&job.output)
                .iter()
                .map(RecordBatch::num_rows)
                .sum::<usize>()
        };
        assert_eq!(count(&job), 333, "{name}");
        (job.resume, job.keep_going) = (true, true);
        output_of(&job);
        assert_eq!(count(&job), games.len() - 1, "{name}");
    }
}

#[test]
fn parts_of_a_file_are_all_of_it() {
    let (folder, games) = (Folder::new("parts"), games(24, 20));
    let source = folder.records("games.binpack", &games);
    for name in [
        "in.parquet",
        "in.arrow",
        "in.txt",
        "in.marlin",
        "in.bf",
        "in.binpack",
    ] {
        let convert = folder.job(std::slice::from_ref(&source), name);
        output_of(&convert);
        let input = Input {
            path: convert.output.clone(),
            format: convert.format,
        };
        let whole = output_of(&folder.job(std::slice::from_ref(&input), "whole.txt"));
        let part = |number| {
            let mut job = folder.job(std::slice::from_ref(&input), "part.txt");
            job.share = Some(format!("{number}/3").parse().expect("a part"));
            output_of(&job)
        };
        let parts: Vec<Vec<u8>> = (1..=3).map(part).collect();
        assert!(parts.concat() == whole, "{name}");
        assert!(
            parts.iter().filter(|part| !part.is_empty()).count() > 1,
            "{name} is not shared"
        );
    }
    let job = |inputs: &[Input]| Job {
        share: "1/2".parse().ok(),
        ..folder.job(inputs, "part.txt")
    };
    let plain = folder.records("games.plain", &games);
    let said = failure_of(&job(std::slice::from_ref(&plain)));
    assert!(
        said.starts_with("part 1/2: where a game of plain begins"),
        "{said}"
    );
    assert_eq!(
        failure_of(&job(&[plain, source])),
        "part 1/2: of one file, not of 2"
    );
}
