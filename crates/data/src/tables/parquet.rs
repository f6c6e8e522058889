//! Parquet files.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::file::metadata::ParquetMetaData;

use super::guarded::guarded;
use super::pages;

/// The start and the end of a file.
pub(crate) const MAGIC: [u8; 4] = *b"PAR1";

/// Bytes after a footer: its length, and [`MAGIC`].
pub(crate) const END: usize = 8;

/// The longest accepted footer, in bytes.
const MOST_FOOTER: u64 = 64 << 20;

/// A file whose footer has been read.
pub(crate) struct Parquet {
    builder: ParquetRecordBatchReaderBuilder<File>,
    /// the same file, to look at its pages
    file: File,
    size: u64,
    rows: u64,
}

/// Why a file cannot be opened.
pub(crate) enum Failure {
    Io(io::Error),
    /// it is no Parquet, or what it says of itself is wrong
    Refused(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Parquet {
    /// Reads the footer.
    pub(crate) fn open(file: File) -> Result<Self, Failure> {
        let no_parquet = |why| Failure::Refused(format!("not a file of Parquet: {why}"));
        let size = file.metadata()?.len();
        let footer = footer_length(&file, size)?;
        if footer > MOST_FOOTER {
            return Err(no_parquet(format!(
                "its footer has {footer} bytes, at most {MOST_FOOTER} are read"
            )));
        }
        let again = file.try_clone()?;
        let builder =
            guarded(|| ParquetRecordBatchReaderBuilder::try_new(file)).map_err(no_parquet)?;
        check(builder.metadata(), size).map_err(Failure::Refused)?;
        let groups = builder.metadata().row_groups().iter();
        let rows = groups.map(|group| group.num_rows() as u64).sum();
        Ok(Self {
            builder,
            file: again,
            size,
            rows,
        })
    }

    pub(crate) fn schema(&self) -> &SchemaRef {
        self.builder.schema()
    }

    /// The number of rows.
    pub(crate) const fn rows(&self) -> u64 {
        self.rows
    }

    /// The size of the file in bytes.
    pub(crate) const fn size(&self) -> u64 {
        self.size
    }

    /// Decodes some columns of some rows.
    pub(crate) fn read(self, columns: Vec<usize>, part: Range<u64>) -> Result<Batches, String> {
        let read = ProjectionMask::roots(self.builder.parquet_schema(), columns);
        let at_once = pages::rows_at_once(&self.file, self.builder.metadata(), &read)?;
        let builder = self
            .builder
            .with_batch_size(at_once)
            .with_offset(part.start as usize)
            .with_limit((part.end - part.start) as usize);
        let batches = guarded(|| builder.with_projection(read).build());
        Ok(Batches {
            batches: batches.map_err(|why| format!("not a file of Parquet: {why}"))?,
            ended: false,
        })
    }
}

/// The batches of a file. They end at the first one that cannot be decoded.
pub(crate) struct Batches {
    batches: ParquetRecordBatchReader,
    ended: bool,
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let batch = guarded(|| self.batches.next().transpose()).transpose()?;
        self.ended = batch.is_err();
        Some(batch)
    }
}

/// The length of the footer, as the file states it; 0 if it is not a Parquet file.
fn footer_length(mut file: &File, size: u64) -> io::Result<u64> {
    let Some(after) = size.checked_sub(END as u64) else {
        return Ok(0);
    };
    let mut last = [0; END];
    file.seek(SeekFrom::Start(after))?;
    file.read_exact(&mut last)?;
    Ok(length(&last).map_or(0, |length| length as u64))
}

/// Checks that all columns lie within the file.
fn check(metadata: &ParquetMetaData, size: u64) -> Result<(), String> {
    for (number, group) in metadata.row_groups().iter().enumerate() {
        for column in group.columns() {
            let begin = column
                .dictionary_page_offset()
                .unwrap_or(column.data_page_offset());
            let begin = begin.min(column.data_page_offset());
            let end = begin.checked_add(column.compressed_size());
            let is_right = begin >= 0
                && column.compressed_size() >= 0
                && end.is_some_and(|end| end as u64 <= size);
            if !is_right || group.num_rows() < 0 {
                return Err(format!(
                    "row group {}: the column `{}` does not lie within the file",
                    number + 1,
                    column.column_path()
                ));
            }
        }
    }
    Ok(())
}

/// The length of the footer, if these bytes follow one.
pub(crate) fn length(end: &[u8; END]) -> Option<usize> {
    let (length, magic) = end.split_first_chunk::<4>()?;
    (magic == MAGIC).then_some(u32::from_le_bytes(*length) as usize)
}
