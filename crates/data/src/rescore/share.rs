//! Files that several machines share: each reads a part, which begins and ends where a record can.
//!
//! ```text
//!   a binpack in 3 parts   0 ─────────── ⅓ ─────────── ⅔ ─────────── end
//!   chunks                 |  1  |   2   ·  |   3   |  · 4  |   5    |
//!   parts                  └─────── 1/3 ────┘└── 2/3 ───────┘└ 3/3 ──┘
//! ```
//!
//! A chunk, which holds whole games, belongs to the part in which it begins. So does a line, a board or an
//! Arrow batch. Parquet is divided by rows.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::num::NonZeroU32;
use std::ops::Range;
use std::str::FromStr;

use crate::Format;

use crate::rescore::format::FileFormat;

/// A part of a file: `2/8` is the second of eight. The outputs of all parts, one after the other, have the
/// positions of the file in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// counted from 1
    number: NonZeroU32,
    of: NonZeroU32,
}

/// A text that is not a part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no part: write `2/8` for the second of eight")]
pub struct NoShare(String);

impl FromStr for Share {
    type Err = NoShare;

    fn from_str(text: &str) -> Result<Self, NoShare> {
        let parse = || {
            let (number, of) = text.split_once('/')?;
            let share = Self {
                number: number.parse().ok()?,
                of: of.parse().ok()?,
            };
            (share.number <= share.of).then_some(share)
        };
        parse().ok_or_else(|| NoShare(text.chars().take(40).collect()))
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// The size of a board of bulletformat or marlinformat.
const BOARD: u64 = 32;

/// Bytes of the header of a binpack chunk: `BINP` and its size.
const CHUNK: u64 = 8;

impl Share {
    /// The range of this part among `all` items.
    pub(crate) fn range(self, all: u64) -> Range<u64> {
        let end =
            |number: u32| (u128::from(all) * u128::from(number) / u128::from(self.of.get())) as u64;
        end(self.number.get() - 1)..end(self.number.get())
    }

    /// The byte range of this part in a file of records.
    pub(crate) fn bytes(self, file: &mut File, format: FileFormat) -> io::Result<Range<u64>> {
        let size = file.metadata()?.len();
        let Range { start, end } = self.range(size);
        Ok(aligned(file, start, size, format)?..aligned(file, end, size, format)?)
    }
}

/// Why this format cannot be split into parts, if so.
pub(crate) fn refusal(format: FileFormat) -> Option<String> {
    match format {
        FileFormat::Data(Format::Plain | Format::Pgn | Format::Viriformat | Format::Policy) => {
            Some(format!(
                "where a game of {format} begins is only known by whoever reads all before it: parts are of binpack, boards, lines or tables"
            ))
        }
        _ => None,
    }
}

/// The first offset at or after `wanted` where a record can begin. Damage hides everything after it.
fn aligned(file: &mut File, wanted: u64, size: u64, format: FileFormat) -> io::Result<u64> {
    if wanted == 0 || wanted >= size {
        return Ok(wanted.min(size));
    }
    match format {
        FileFormat::Data(Format::Binpack) => chunk(file, wanted, size),
        FileFormat::Data(Format::Bulletformat | Format::Marlinformat) => {
            Ok(wanted.next_multiple_of(BOARD).min(size))
        }
        _ => {
            file.seek(SeekFrom::Start(wanted - 1))?;
            let mut lines = BufReader::new(file);
            Ok(wanted - 1 + lines.skip_until(b'\n')? as u64)
        }
    }
}

/// The first chunk at or after `wanted`, found by the sizes of those before it.
fn chunk(file: &mut File, wanted: u64, size: u64) -> io::Result<u64> {
    let mut at = 0;
    while at < wanted {
        let mut head = [0; CHUNK as usize];
        if size - at < CHUNK {
            return Ok(size);
        }
        file.seek(SeekFrom::Start(at))
            .and_then(|_| file.read_exact(&mut head))?;
        let [b'B', b'I', b'N', b'P', length @ ..] = head else {
            return Ok(size);
        };
        at = (at + CHUNK + u64::from(u32::from_le_bytes(length))).min(size);
    }
    Ok(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_names() {
        assert_eq!(
            "2/8".parse::<Share>().map(|share| share.to_string()),
            Ok("2/8".into())
        );
        for wrong in ["", "2", "0/8", "9/8", "2/0", "-1/8", "a/b", "1/2/3"] {
            assert!(wrong.parse::<Share>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn parts_have_everything_once() {
        for all in [0, 1, 7, 1_000_003, u64::MAX] {
            let mut next = 0;
            for number in 1..=7 {
                let range = format!("{number}/7")
                    .parse::<Share>()
                    .expect("a part")
                    .range(all);
                assert_eq!(range.start, next);
                next = range.end;
            }
            assert_eq!(next, all);
        }
    }
}
