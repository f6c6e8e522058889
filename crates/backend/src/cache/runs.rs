//! Byte encodings of numbers and runs.
//!
//! ```text
//!   variable length    0 .. 247           the number
//!                      248 + high, low    a number from 248 on, in two bytes
//!   with runs          0 .. 239           the number
//!                      240 + M, length    2 to 255 times M, which is below 8
//!                      248 + high, low    a number from 240 on
//! ```
//!
//! Longer runs are split; a single remaining number is written by itself.

use super::error::Damaged;

/// First number that takes two bytes, without runs.
pub(super) const LONG: u16 = 248;
/// The same with runs, whose codes begin here.
const RUN: u16 = 240;

/// Appends a number; those from `long` on take two bytes.
pub(super) fn put_long(number: u16, long: u16, bytes: &mut Vec<u8>) {
    if number < long {
        bytes.push(number as u8);
    } else {
        bytes.extend([LONG as u8 + (number >> 8) as u8, number as u8]);
    }
}

pub(super) fn encode(numbers: &[u16], bytes: &mut Vec<u8>) {
    for run in numbers.chunk_by(|a, b| a == b && *a < 8) {
        for part in run.chunks(255) {
            match part {
                [number] => put_long(*number, RUN, bytes),
                part => bytes.extend([RUN as u8 + part[0] as u8, part.len() as u8]),
            }
        }
    }
}

pub(super) fn decode(
    bytes: &[u8],
    count: usize,
    with_runs: bool,
    numbers: &mut Vec<u16>,
) -> Result<usize, Damaged> {
    let (mut rest, end) = (bytes.iter(), numbers.len() + count);
    let mut next = || {
        rest.next()
            .copied()
            .map(u16::from)
            .ok_or(Damaged("the bytes end within a policy"))
    };
    while numbers.len() < end {
        match next()? {
            first if first >= LONG => numbers.push((first - LONG) << 8 | next()?),
            first if first >= RUN && with_runs => {
                let length = usize::from(next()?);
                if length < 2 || numbers.len() + length > end {
                    return Err(Damaged("a run that is too short or too long"));
                }
                numbers.resize(numbers.len() + length, first - RUN);
            }
            first => numbers.push(first),
        }
    }
    Ok(bytes.len() - rest.len())
}
