//! Parquet files.
//!
//! Each row group is written with a footer of its own, which stays in the file: a resumed run finds the row
//! groups by their footers. Readers use only the last footer.
//!
//! ```text
//!   PAR1 columns footer PAR1 │ PAR1 columns footer PAR1 │ .. │ footer of all PAR1
//!   └── a block ───────────┘   └── a block ───────────┘        └── the tail ────┘
//! ```

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use ::parquet::arrow::ArrowWriter;
use ::parquet::basic::{Compression, ZstdLevel};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::{
    FileMetaData, ParquetMetaData, ParquetMetaDataReader, ParquetMetaDataWriter, RowGroupMetaData,
};
use ::parquet::file::properties::{EnabledStatistics, WriterProperties};
use ::parquet::schema::types::ColumnPath;
use arrow_array::RecordBatch;

use super::columns::{Columns, FEN};
use super::rows::{self, Batches, Rows};
use super::schema;
use crate::rescore::error::Error;
use crate::rescore::input::{Records, open_file};
use crate::rescore::job::{Input, Job, is_standard};
use crate::rescore::watch::Watch;
use crate::tables::parquet::{self, END, Failure, MAGIC, Parquet, length};

pub(super) fn open<'j>(
    input: &'j Input,
    job: &'j Job,
    watch: &'j dyn Watch,
) -> Result<Records<'j>, Error> {
    let refused = |reason| Error::Input {
        path: input.path.clone(),
        reason,
    };
    if is_standard(&input.path) {
        return Err(refused(
            "a file of Parquet is read from its end: name a file instead of standard input".into(),
        ));
    }
    let table = Parquet::open(open_file(&input.path)?).map_err(|failure| match failure {
        Failure::Io(source) => Error::read(&input.path, source),
        Failure::Refused(reason) => refused(reason),
    })?;
    let columns = Columns::of(table.schema(), &input.path, job.outcome, watch)?;
    let (size, rows) = (table.size(), table.rows());
    let part = job.share.map_or(0..rows, |share| share.range(rows));
    let before = part.start;
    let batches = Reading {
        batches: table.read(columns.indices(), part).map_err(refused)?,
        watch,
        size,
        rows,
        read: 0,
    };
    Ok(Box::new(
        Rows::new(batches, columns.alone(), job.outcome).after(before),
    ))
}

/// The batches of a file. Bytes are reported to the watch in proportion to rows.
struct Reading<'j> {
    batches: parquet::Batches,
    watch: &'j dyn Watch,
    size: u64,
    rows: u64,
    /// rows read so far
    read: u64,
}

impl Iterator for Reading<'_> {
    type Item = Batches;

    fn next(&mut self) -> Option<Batches> {
        let bytes = |rows: u64| {
            (u128::from(self.size) * u128::from(rows) / u128::from(self.rows.max(1))) as u64
        };
        let batch = self.batches.next()?;
        if let Ok(batch) = &batch {
            let all = self.read + batch.num_rows() as u64;
            self.watch.read(bytes(all) - bytes(self.read));
            self.read = all;
        }
        Some(batch.map_err(rows::unreadable))
    }
}

/// Encodes a block as a file of its own.
pub(super) fn encoded(rows: &RecordBatch) -> io::Result<Vec<u8>> {
    if rows.num_rows() == 0 {
        return Ok(Vec::new());
    }
    whole(rows).map_err(io::Error::other)
}

fn whole(rows: &RecordBatch) -> Result<Vec<u8>, ParquetError> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        // hardly any position occurs twice
        .set_column_dictionary_enabled(ColumnPath::from(FEN), false)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .set_max_row_group_row_count(None)
        .set_created_by(concat!("nnue-data ", env!("CARGO_PKG_VERSION")).into());
    let mut writer = ArrowWriter::try_new(Vec::new(), rows.schema(), Some(properties.build()))?;
    writer.write(rows)?;
    writer.into_inner()
}

/// The written row groups, for the footer.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    /// what all footers have in common
    common: Option<FileMetaData>,
    groups: Vec<RowGroupMetaData>,
    /// bytes before the next row group
    end: u64,
}

impl Groups {
    /// Notes an appended block.
    pub(super) fn appended(&mut self, block: &[u8]) -> io::Result<()> {
        if block.is_empty() {
            return Ok(());
        }
        let footer =
            footer_of(block).ok_or_else(|| io::Error::other("a row group without a footer"))?;
        self.push(footer, self.end)?;
        self.end += block.len() as u64;
        Ok(())
    }

    /// Finds the row groups in the first `bytes` bytes of a file, which an earlier run wrote, from the last
    /// on.
    pub(super) fn resumed(&mut self, file: &mut File, bytes: u64) -> io::Result<()> {
        let mut ends = bytes;
        let mut found = Vec::new();
        while ends > 0 {
            let (footer, size) = block_before(file, ends)?;
            let begin = ends.checked_sub(size).ok_or_else(no_block)?;
            let mut first = MAGIC;
            file.seek(SeekFrom::Start(begin))
                .and_then(|_| file.read_exact(&mut first))?;
            if first != MAGIC {
                return Err(no_block());
            }
            found.push((footer, begin));
            ends = begin;
        }
        found
            .into_iter()
            .rev()
            .try_for_each(|(footer, begin)| self.push(footer, begin))?;
        self.end = bytes;
        Ok(())
    }

    /// Adds the row groups of a block that begins at byte `begin`.
    fn push(&mut self, footer: ParquetMetaData, begin: u64) -> io::Result<()> {
        for group in footer.row_groups() {
            let number = self.groups.len() as i32;
            self.groups
                .push(moved(group, begin as i64, number).map_err(io::Error::other)?);
        }
        self.common
            .get_or_insert_with(|| footer.file_metadata().clone());
        Ok(())
    }

    /// The end of a file: the footer of all row groups.
    pub(super) fn tail(&self) -> io::Result<Vec<u8>> {
        let Some(common) = &self.common else {
            return whole(&schema::none()).map_err(io::Error::other);
        };
        let rows = self.groups.iter().map(RowGroupMetaData::num_rows).sum();
        let file = FileMetaData::new(
            common.version(),
            rows,
            common.created_by().map(Into::into),
            common.key_value_metadata().cloned(),
            common.schema_descr_ptr(),
            common.column_orders().cloned(),
        );
        let (mut tail, metadata) = (Vec::new(), ParquetMetaData::new(file, self.groups.clone()));
        ParquetMetaDataWriter::new(&mut tail, &metadata)
            .finish()
            .map_err(io::Error::other)?;
        Ok(tail)
    }
}

/// The row group moved by `by` bytes, with this number.
fn moved(group: &RowGroupMetaData, by: i64, number: i32) -> Result<RowGroupMetaData, ParquetError> {
    let column = |column: &::parquet::file::metadata::ColumnChunkMetaData| {
        let dictionary = column.dictionary_page_offset().map(|offset| offset + by);
        let data = column.data_page_offset() + by;
        column
            .clone()
            .into_builder()
            .set_data_page_offset(data)
            .set_dictionary_page_offset(dictionary)
            .build()
    };
    let columns = group
        .columns()
        .iter()
        .map(column)
        .collect::<Result<_, _>>()?;
    let offset = group.file_offset().unwrap_or(MAGIC.len() as i64) + by;
    let builder = group.clone().into_builder().set_column_metadata(columns);
    builder.set_file_offset(offset).set_ordinal(number).build()
}

fn footer_of(block: &[u8]) -> Option<ParquetMetaData> {
    let (rest, end) = block.split_last_chunk::<END>()?;
    let footer = rest.get(rest.len().checked_sub(length(end)?)?..)?;
    ParquetMetaDataReader::decode_metadata(footer).ok()
}

/// The footer and the size of the block that ends at byte `end`.
fn block_before(file: &mut File, end: u64) -> io::Result<(ParquetMetaData, u64)> {
    let mut last = [0; END];
    let after = end.checked_sub(END as u64).ok_or_else(no_block)?;
    file.seek(SeekFrom::Start(after))
        .and_then(|_| file.read_exact(&mut last))?;
    let length = length(&last)
        .filter(|&length| length as u64 <= after)
        .ok_or_else(no_block)?;
    let mut footer = vec![0; length];
    file.seek(SeekFrom::Start(after - length as u64))
        .and_then(|_| file.read_exact(&mut footer))?;
    let footer = ParquetMetaDataReader::decode_metadata(&footer).map_err(io::Error::other)?;
    let columns: i64 = footer
        .row_groups()
        .iter()
        .map(RowGroupMetaData::compressed_size)
        .sum();
    Ok((
        footer,
        MAGIC.len() as u64 + columns.max(0) as u64 + (length + END) as u64,
    ))
}

fn no_block() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "it does not end with a row group",
    )
}
