//! Decoding.
//!
//! ```text
//!   64 bytes ──► continuation bits, one per byte: 0000010000000000100...
//!                runs of zeros     numbers of one byte: 32 are widened at a time, whatever the length of the run; what is
//!                                  too much is overwritten by the next numbers
//!                single ones       numbers of two bytes: put together one by one
//!                neighbouring ones numbers of three bytes, or errors: decoded by `step`
//! ```
//!
//! A window of the wide SFNNv9 network has 56 numbers of one byte and 4 of two, so most of the time is spent
//! at the ends of runs. Its 74 MB take 20 to 23 ms on one core of a Zen 5, whatever vectors the compiler may
//! use; decoding the numbers one by one takes 270 ms. Runs of 16 or 64 instead of 32 were slower.

use super::{Fault, Number, NumberError, Progress};

/// Bytes that are decoded together.
const WINDOW: usize = 64;

/// Numbers of one byte that are widened at once.
const RUN: usize = 32;

/// The most bytes that a decoder of windows may read, and the most numbers that it may write.
// A run may start at the last byte of a window, or after it if it is empty.
pub const REACH: usize = WINDOW + RUN;

/// The result of decoding one number.
enum Step<T> {
    Number(T, usize),
    Partial,
    Fault(Fault),
}

/// Decodes and checks one number. This is the reference for the fast path.
#[inline(always)]
fn step<T: Number>(bytes: &[u8]) -> Step<T> {
    let mut value = 0i64;
    for index in 0..T::MAX_BYTES {
        let Some(&byte) = bytes.get(index) else {
            return Step::Partial;
        };
        value |= i64::from(byte & 0x7F) << (7 * index);
        if byte < 0x80 {
            let unused = 64 - 7 * (index + 1);
            value = value << unused >> unused;
            let shorter = 64 - 7 * index.max(1);
            if index > 0 && value << shorter >> shorter == value {
                return Step::Fault(Fault::NotShortest);
            }
            return T::try_from(value).map_or(Step::Fault(Fault::OutOfRange), |value| {
                Step::Number(value, index + 1)
            });
        }
    }
    Step::Fault(Fault::TooLong)
}

/// Decodes at most `limit` numbers, one by one, starting at `at`.
#[inline(always)]
fn decode_steps<T: Number>(
    bytes: &[u8],
    out: &mut [T],
    mut at: Progress,
    limit: usize,
) -> Result<Progress, NumberError> {
    for place in out[at.numbers..].iter_mut().take(limit) {
        match step(&bytes[at.bytes..]) {
            Step::Number(value, len) => {
                *place = value;
                at = Progress {
                    bytes: at.bytes + len,
                    numbers: at.numbers + 1,
                };
            }
            Step::Partial => break,
            Step::Fault(fault) => return Err(NumberError { fault, at }),
        }
    }
    Ok(at)
}

/// Decodes numbers one by one, from the start of `bytes` until `out` is full or no complete number is left.
///
/// # Errors
///
/// The first number that is not a shortest form of its type.
pub fn decode<T: Number>(bytes: &[u8], out: &mut [T]) -> Result<Progress, NumberError> {
    let count = out.len();
    decode_steps(bytes, out, Progress::default(), count)
}

/// Decodes 16-bit numbers; see [`Decoder::decode_i16`](super::Decoder::decode_i16).
///
/// Always inlined, so that a caller with more target features compiles it for them.
///
/// # Errors
///
/// The first number that is not a shortest form of an i16.
#[inline(always)]
pub fn decode_i16(bytes: &[u8], out: &mut [i16]) -> Result<Progress, NumberError> {
    decode_i16_by(decode_window, bytes, out)
}

/// Like [`decode_i16`], with `window` for most of the work. `window` decodes at least one number from the
/// start of its bytes and returns its progress, or `None` if it meets anything but numbers of one or two
/// bytes in their shortest form. It may write garbage after the numbers.
///
/// # Errors
///
/// The first number that is not a shortest form of an i16.
#[inline(always)]
pub fn decode_i16_by(
    window: impl Fn(&[u8; REACH], &mut [i16; REACH]) -> Option<Progress>,
    bytes: &[u8],
    out: &mut [i16],
) -> Result<Progress, NumberError> {
    let mut at = Progress::default();
    while let (Some(bytes_here), Some(room)) = (
        bytes[at.bytes..].first_chunk::<REACH>(),
        out[at.numbers..].first_chunk_mut::<REACH>(),
    ) {
        at = match window(bytes_here, room) {
            Some(progress) => Progress {
                bytes: at.bytes + progress.bytes,
                numbers: at.numbers + progress.numbers,
            },
            None => decode_steps(bytes, out, at, WINDOW)?,
        };
    }
    decode_steps(bytes, out, at, usize::MAX)
}

/// Decodes 32-bit numbers; see [`Decoder::decode_i32`](super::Decoder::decode_i32).
///
/// # Errors
///
/// The first number that is not a shortest form of an i32.
#[inline(always)]
pub fn decode_i32(bytes: &[u8], out: &mut [i32]) -> Result<Progress, NumberError> {
    decode_steps(bytes, out, Progress::default(), usize::MAX)
}

/// Decodes the numbers that end in the first [`WINDOW`] bytes, and possibly one more, if all have one or two
/// bytes in their shortest form. Writes garbage after them.
#[inline(always)]
fn decode_window(bytes: &[u8; REACH], out: &mut [i16; REACH]) -> Option<Progress> {
    let continued = continuation_bits(bytes);
    if continued == 0 {
        widen::<WINDOW>(bytes, out, 0, 0);
        return Some(Progress {
            bytes: WINDOW,
            numbers: WINDOW,
        });
    }
    if continued & (continued << 1) != 0 {
        return None;
    }
    // A number that starts at the last byte is left to the next window.
    let end = WINDOW - (continued >> (WINDOW - 1)) as usize;
    let mut rest = continued & (u64::MAX >> 1);
    let (mut done, mut extra, mut longer_than_needed) = (0, 0, false);
    while rest != 0 {
        let start = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        widen_runs(bytes, out, done..start, extra);
        let value = two_bytes(bytes[start], bytes[start + 1]);
        longer_than_needed |= (-64..64).contains(&value);
        out[start - extra] = value;
        extra += 1;
        done = start + 2;
    }
    widen_runs(bytes, out, done..end, extra);
    let end = end.max(done);
    (!longer_than_needed).then_some(Progress {
        bytes: end,
        numbers: end - extra,
    })
}

/// Bit i is bit 7 of byte i, for the first 64 bytes.
#[inline(always)]
fn continuation_bits(bytes: &[u8; REACH]) -> u64 {
    let words = bytes[..WINDOW].as_chunks::<8>().0;
    words.iter().enumerate().fold(0, |bits, (index, word)| {
        let tops = u64::from_le_bytes(*word) >> 7 & 0x0101_0101_0101_0101;
        // The product collects bit 8 i of its operand in bit 56 + i.
        bits | tops.wrapping_mul(0x0102_0408_1020_4080) >> 56 << (8 * index)
    })
}

/// Widens the bytes `range` into numbers, written `extra` places earlier, and up to [`RUN`] bytes more.
#[inline(always)]
fn widen_runs(
    bytes: &[u8; REACH],
    out: &mut [i16; REACH],
    range: core::ops::Range<usize>,
    extra: usize,
) {
    let mut start = range.start;
    loop {
        widen::<RUN>(bytes, out, start, extra);
        start += RUN;
        if start >= range.end {
            break;
        }
    }
}

/// Widens `N` numbers of one byte.
#[inline(always)]
fn widen<const N: usize>(bytes: &[u8; REACH], out: &mut [i16; REACH], start: usize, extra: usize) {
    let bytes = &bytes[start..start + N];
    let out = &mut out[start - extra..start - extra + N];
    for (number, byte) in out.iter_mut().zip(bytes) {
        *number = (u16::from(*byte) << 9) as i16 >> 9;
    }
}

/// The number of two bytes; the second has no continuation bit.
#[inline(always)]
fn two_bytes(low: u8, high: u8) -> i16 {
    (u16::from(low & 0x7F) << 2 | u16::from(high) << 9) as i16 >> 2
}
