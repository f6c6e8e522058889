//! Signed LEB128 numbers, and the bits of floats as unsigned ones: seven bits a byte, low bits first, bit 7 set on all bytes but the last.
//!
//! ```text
//!   0 -> 00    -1 -> 7F    63 -> 3F    64 -> C0 00    -65 -> BF 7F    300 -> AC 02    32767 -> FF FF 01
//! ```
//!
//! Only the shortest form of a number is accepted, so that a file can be written again byte for byte. An i16
//! has at most 3 bytes, an i32 at most 5.

mod bits;
mod decode;
mod encode;

pub use bits::{bits_len, decode_bits, encode_bits};
pub use decode::{REACH, decode, decode_i16, decode_i16_by, decode_i32};
pub use encode::{encode, encoded_len};

/// The progress of a decoder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// bytes consumed
    pub bytes: usize,
    /// numbers written
    pub numbers: usize,
}

/// A number that is not in the shortest signed LEB128 form of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberError {
    /// what is wrong
    pub fault: Fault,
    /// the progress before the number
    pub at: Progress,
}

/// What is wrong with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// a shorter form of the same value exists
    NotShortest,
    /// more bytes than any value of the type needs
    TooLong,
    /// a value outside the type
    OutOfRange,
}

/// Decodes runs of numbers. Callers may pass an implementation that is compiled for their processor.
///
/// Both methods decode from the start of `bytes` until `out` is full or no complete number is left, and
/// return their progress. They must accept and produce exactly what [`Portable`] does.
pub trait Decoder {
    /// Decodes 16-bit numbers.
    ///
    /// # Errors
    ///
    /// The first number that is not a shortest form of an i16.
    fn decode_i16(&self, bytes: &[u8], out: &mut [i16]) -> Result<Progress, NumberError>;

    /// Decodes 32-bit numbers.
    ///
    /// # Errors
    ///
    /// The first number that is not a shortest form of an i32.
    fn decode_i32(&self, bytes: &[u8], out: &mut [i32]) -> Result<Progress, NumberError>;
}

/// The decoder for any processor.
#[derive(Clone, Copy, Debug, Default)]
pub struct Portable;

impl Decoder for Portable {
    fn decode_i16(&self, bytes: &[u8], out: &mut [i16]) -> Result<Progress, NumberError> {
        decode_i16(bytes, out)
    }

    fn decode_i32(&self, bytes: &[u8], out: &mut [i32]) -> Result<Progress, NumberError> {
        decode_i32(bytes, out)
    }
}

/// An element type that is stored as LEB128.
pub trait Number: Copy + Default + TryFrom<i64> + Into<i64> {
    /// The most bytes that a value takes.
    const MAX_BYTES: usize;
}

impl Number for i8 {
    const MAX_BYTES: usize = 2;
}

impl Number for i16 {
    const MAX_BYTES: usize = 3;
}

impl Number for i32 {
    const MAX_BYTES: usize = 5;
}
