//! Limits the memory for the pages of a Parquet file, before anything is allocated for them.
//!
//! The header of a page states its size and its decompressed size. The library allocates that much, whatever
//! the file says, and a batch of rows may repeat a value as long as a page in each row. So the headers of all
//! columns to read are checked first.
//!
//! ```text
//!   header  struct of Thrift's compact protocol: 1 type, 2 bytes when it is decompressed, 3 bytes in the file, .. (passed over)
//!   page    as many bytes as the header says
//! ```

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use parquet::arrow::ProjectionMask;
use parquet::basic::Compression;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};

/// The most bytes that the open pages of all columns may take, and that the rows decoded at once may take.
pub(super) const MOST: u64 = 256 << 20;

/// The largest header of a page, in bytes; its minima and maxima may be long.
const MOST_HEADER: u64 = 1 << 20;

/// The deepest nesting of structs, lists and maps in a header.
const MOST_DEPTH: u32 = 8;

/// The most bytes that a byte of LZ4 decompresses to. The contents of an LZ4 page determine its size, not its
/// header.
const LZ4_GROWTH: u64 = 255;

/// Rows of a batch if none of them is long.
const ROWS: u64 = 1024;

/// The number of rows that may be decoded at once, so that they take at most [`MOST`] bytes. An error says
/// what is too large or wrong.
pub(super) fn rows_at_once(
    file: &File,
    metadata: &ParquetMetaData,
    read: &ProjectionMask,
) -> Result<usize, String> {
    let mut file = BufReader::new(file);
    let mut row = 1;
    for (number, group) in metadata.row_groups().iter().enumerate() {
        let (mut open, mut values) = (0_u64, 0_u64);
        let columns = group.columns().iter().enumerate();
        for (_, column) in columns.filter(|&(leaf, _)| read.leaf_included(leaf)) {
            let name = column.column_path().string();
            let wrong = |why: String| format!("row group {}, column `{name}`: {why}", number + 1);
            let pages = Pages::of(&mut file, column).map_err(wrong)?;
            open = open.saturating_add(pages.open());
            values = values.saturating_add(pages.value);
            if open > MOST {
                return Err(wrong(format!(
                    "its pages take {} bytes, those of all columns may take {MOST}",
                    pages.open()
                )));
            }
        }
        row = row.max(values);
    }
    Ok((MOST / row).clamp(1, ROWS) as usize)
}

/// The memory for the pages of a column.
#[derive(Clone, Copy, Debug, Default)]
struct Pages {
    /// the dictionary, in the file and decompressed
    dictionary: u64,
    /// the largest other page, in the file and decompressed
    page: u64,
    /// the largest decompressed page, which may be one value
    value: u64,
}

impl Pages {
    fn of<R: Read + Seek>(
        file: &mut BufReader<R>,
        column: &ColumnChunkMetaData,
    ) -> Result<Self, String> {
        let (begin, length) = column.byte_range();
        let growth = match column.compression() {
            Compression::LZ4 => LZ4_GROWTH,
            _ => 0,
        };
        file.seek(SeekFrom::Start(begin))
            .map_err(|error| error.to_string())?;
        let (mut pages, mut left) = (Self::default(), length);
        while left > 0 {
            let mut header = file.by_ref().take(left.min(MOST_HEADER));
            let limit = header.limit();
            let page = Page::read(&mut header).map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => {
                    "the header of a page is cut off, or too long".into()
                }
                _ => error.to_string(),
            })?;
            left -= limit - header.limit();
            pages.add(&page, growth);
            left = left
                .checked_sub(page.compressed)
                .ok_or("a page does not lie within its column")?;
            let skipped = i64::try_from(page.compressed).unwrap_or(i64::MAX);
            file.seek_relative(skipped)
                .map_err(|error| error.to_string())?;
        }
        Ok(pages)
    }

    fn add(&mut self, page: &Page, growth: u64) {
        let value = page
            .decompressed
            .max(page.compressed.saturating_mul(growth));
        let all = value.saturating_add(page.compressed);
        match page.is_dictionary {
            true => self.dictionary = self.dictionary.max(all),
            false => self.page = self.page.max(all),
        }
        self.value = self.value.max(value);
    }

    /// The memory for the pages that are open at once.
    fn open(&self) -> u64 {
        self.dictionary.saturating_add(self.page)
    }
}

/// The parts of a page header that are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Page {
    is_dictionary: bool,
    decompressed: u64,
    compressed: u64,
}

impl Page {
    fn read(header: &mut impl BufRead) -> io::Result<Self> {
        let mut sizes = [None; 3];
        each_field(header, |field, kind, header| match (field, kind) {
            (1..=3, I32) => {
                sizes[field as usize - 1] = Some(zigzag(varint(header)?));
                Ok(())
            }
            _ => pass(header, kind, MOST_DEPTH),
        })?;
        let [Some(kind), Some(decompressed), Some(compressed)] = sizes else {
            return Err(wrong("the header of a page lacks its size"));
        };
        let size = |size| u64::try_from(size).map_err(|_| wrong("a page has a size below zero"));
        Ok(Self {
            is_dictionary: kind == DICTIONARY,
            decompressed: size(decompressed)?,
            compressed: size(compressed)?,
        })
    }
}

const DICTIONARY: i64 = 2;

const I32: u8 = 5;

fn wrong(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// Calls `f` with the number and the type of each field of a struct; `f` reads its value.
fn each_field<R: BufRead>(
    input: &mut R,
    mut f: impl FnMut(i64, u8, &mut R) -> io::Result<()>,
) -> io::Result<()> {
    let mut field = 0_i64;
    loop {
        let head = byte(input)?;
        if head == 0 {
            return Ok(());
        }
        field = match head >> 4 {
            0 => zigzag(varint(input)?),
            delta => field.wrapping_add(delta.into()),
        };
        f(field, head & 15, input)?;
    }
}

/// Skips a value of a field.
fn pass<R: BufRead>(input: &mut R, kind: u8, depth: u32) -> io::Result<()> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(wrong("the header of a page is nested too deeply"));
    };
    match kind {
        // the type of a boolean is its value
        1 | 2 => Ok(()),
        3 => skip(input, 1),
        4..=6 => varint(input).map(drop),
        7 => skip(input, 8),
        8 => varint(input).and_then(|length| skip(input, length)),
        9 | 10 => {
            let head = byte(input)?;
            let count = match head >> 4 {
                15 => varint(input)?,
                count => count.into(),
            };
            (0..count).try_for_each(|_| pass_element(input, head & 15, depth))
        }
        11 => {
            let count = varint(input)?;
            let kinds = if count > 0 { byte(input)? } else { 0 };
            (0..count).try_for_each(|_| {
                pass_element(input, kinds >> 4, depth)?;
                pass_element(input, kinds & 15, depth)
            })
        }
        12 => each_field(input, |_, kind, input| pass(input, kind, depth)),
        13 => skip(input, 16),
        _ => Err(wrong("the header of a page has a field of an unknown type")),
    }
}

/// Skips an element of a list. Unlike in a field, a boolean takes a byte.
fn pass_element<R: BufRead>(input: &mut R, kind: u8, depth: u32) -> io::Result<()> {
    match kind {
        1 | 2 => skip(input, 1),
        _ => pass(input, kind, depth),
    }
}

fn byte(input: &mut impl Read) -> io::Result<u8> {
    let mut byte = [0];
    input.read_exact(&mut byte)?;
    Ok(byte[0])
}

fn skip(input: &mut impl BufRead, count: u64) -> io::Result<()> {
    let passed = io::copy(&mut input.take(count), &mut io::sink())?;
    match passed == count {
        true => Ok(()),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

fn varint(input: &mut impl Read) -> io::Result<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = byte(input)?;
        value |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Ok(value);
        }
    }
    Err(wrong(
        "the header of a page has a number of more than 64 bits",
    ))
}

fn zigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}
