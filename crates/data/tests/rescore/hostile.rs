//! Tables of a few bytes that ask for gibibytes: each is refused, in less memory than it asks for.

use std::fs::{self, File};
use std::sync::Arc;

use arrow_array::{ArrayRef, DictionaryArray, Int32Array, RecordBatch, StringArray};
use nnue_data::Outcome;
use nnue_data::rescore::{FileFormat, Input, rescore};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader, ParquetMetaDataWriter};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};

use crate::common::{Folder, read, scorer};

/// The one test that runs in a process of its own, with little memory.
const INSIDE: &str = "hostile::small_tables_ask_for_much";

/// Kibibytes of address space for [`INSIDE`].
const MEMORY: usize = 1_000_000;

const FEN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

/// Runs [`INSIDE`] under `ulimit -v`: what is not refused in time is killed.
#[test]
#[cfg(target_os = "linux")]
fn little_memory_is_enough() {
    nnue_testkit::process::passes_in_little_memory(MEMORY, INSIDE);
}

/// A file of Parquet with this column `fen`.
fn parquet(folder: &Folder, name: &str, column: ArrayRef, properties: WriterProperties) -> Input {
    let path = folder.path(name);
    let batch = RecordBatch::try_from_iter([("fen", column)]).expect("a column");
    let file = File::create(&path).expect("a file");
    // what is a dictionary here is text in the file
    let options = ArrowWriterOptions::new()
        .with_properties(properties)
        .with_skip_arrow_metadata(true);
    let mut writer =
        ArrowWriter::try_new_with_options(file, batch.schema(), options).expect("a writer");
    writer
        .write(&batch)
        .and_then(|()| writer.close())
        .expect("rows");
    let format = FileFormat::of_path(&path).expect("a format");
    Input { path, format }
}

fn fens(rows: usize) -> ArrayRef {
    Arc::new(StringArray::from(vec![FEN; rows]))
}

fn zstd() -> WriterPropertiesBuilder {
    WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default()))
}

/// A number of 32 bits as the headers of pages have it.
fn varint(value: u32) -> Vec<u8> {
    let mut left = u64::from(value) << 1;
    let mut bytes = Vec::new();
    while left > 127 {
        bytes.push(left as u8 | 128);
        left >>= 7;
    }
    bytes.push(left as u8);
    bytes
}

/// Makes the first page of a file with one page claim that it becomes so many bytes.
fn claim_page(input: &Input, bytes: u32) {
    let file = fs::read(&input.path).expect("the file");
    let metadata = ParquetMetaDataReader::new()
        .parse_and_finish(&File::open(&input.path).expect("the file"))
        .expect("a footer");
    let group = &metadata.row_groups()[0];
    let column = group.column(0);
    let (begin, length) = column.byte_range();
    let chunk = &file[begin as usize..][..length as usize];
    // the type, and the head of the next field
    assert_eq!((chunk[0], chunk[2]), (0x15, 0x15));
    let size = 3 + chunk[3..].iter().take_while(|&&byte| byte > 127).count() + 1;
    let chunk = [&chunk[..3], &varint(bytes), &chunk[size..]].concat();
    let column = column
        .clone()
        .into_builder()
        .set_data_page_offset(4)
        .set_dictionary_page_offset(None)
        .set_total_compressed_size(chunk.len() as i64)
        .build()
        .expect("a column");
    let group = group
        .clone()
        .into_builder()
        .set_column_metadata(vec![column]);
    let metadata = ParquetMetaData::new(
        metadata.file_metadata().clone(),
        vec![group.build().expect("a row group")],
    );
    let mut claimed = [b"PAR1", &chunk[..]].concat();
    ParquetMetaDataWriter::new(&mut claimed, &metadata)
        .finish()
        .expect("a footer");
    fs::write(&input.path, claimed).expect("the file");
}

/// The error of rescoring this input, if it is one.
fn error(folder: &Folder, input: &Input) -> Option<String> {
    let mut job = folder.job(std::slice::from_ref(input), "records.plain");
    job.output = "/dev/null".into();
    job.outcome = Some(Outcome::Draw);
    match rescore(&job, &scorer(), &()) {
        Ok(report) => report.damaged.map(|damage| format!("{damage:?}")),
        Err(error) => Some(error.to_string()),
    }
}

#[track_caller]
fn refused(folder: &Folder, input: &Input, words: &str) {
    let error = error(folder, input).expect("it asks for too much");
    assert!(error.contains(words), "{error}");
}

#[test]
#[ignore = "run by `little_memory_is_enough`, in a process with little memory"]
fn small_tables_ask_for_much() {
    let folder = Folder::new("hostile");
    let plain = || zstd().set_dictionary_enabled(false).build();
    let input = parquet(&folder, "page.parquet", fens(1), plain());
    assert_eq!(error(&folder, &input), None);
    for (bytes, words) in [
        (
            1 << 30,
            "row group 1, column `fen`: its pages take 10737418",
        ),
        (
            i32::MAX as u32,
            "row group 1, column `fen`: its pages take 21474836",
        ),
    ] {
        let input = parquet(&folder, "page.parquet", fens(1), plain());
        claim_page(&input, bytes);
        refused(&folder, &input, words);
    }

    // a value that is long is in the file once, and in each of many rows: of a dictionary, or as what begins like the value before
    for name in ["dictionary.parquet", "prefixes.parquet"] {
        let input = long_rows(&folder, name);
        assert!(fs::metadata(&input.path).expect("the file").len() < 100_000);
        refused(&folder, &input, "number: 1");
    }
}

/// A gigabyte of rows, all of them the same.
fn long_rows(folder: &Folder, name: &str) -> Input {
    let fens = StringArray::from(vec!["4".repeat(4 << 20)]);
    let rows = DictionaryArray::new(Int32Array::from(vec![0; 260]), Arc::new(fens));
    let properties = zstd().set_dictionary_page_size_limit(1 << 30);
    let properties = match name.starts_with("dictionary") {
        true => properties,
        false => properties
            .set_dictionary_enabled(false)
            .set_encoding(Encoding::DELTA_BYTE_ARRAY),
    };
    let properties = properties.set_statistics_enabled(EnabledStatistics::None);
    parquet(folder, name, Arc::new(rows), properties.build())
}

#[test]
fn rows_of_long_pages_are_read_few_at_a_time() {
    let folder = Folder::new("long-pages");
    let properties = WriterProperties::builder().set_data_page_size_limit(1 << 30);
    let properties = properties.set_dictionary_enabled(false).build();
    let input = parquet(&folder, "long.parquet", fens(50_000), properties);
    let mut job = folder.job(std::slice::from_ref(&input), "records.plain");
    job.outcome = Some(Outcome::Draw);
    rescore(&job, &scorer(), &()).expect("it is right");
    assert_eq!(read(&job.output).len(), 50_000);
}
