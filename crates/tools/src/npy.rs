//! Arrays of numpy, `.npy`, as an `.npz` has them too.
//!
//! ```text
//!   0x93 "NUMPY" version  u16 or u32 n   n bytes {'descr': '<f4', 'fortran_order': False, 'shape': (128, 768), }   numbers
//! ```
//!
//! Both byte orders and both orders of axes are read. Python's package `ml_dtypes` writes `bfloat16` as `<V2`, which
//! no other type has; numpy's own untyped bytes are `|V2`.

use std::fmt;

use crate::half;

/// The first bytes of an array.
pub const MAGIC: &[u8] = b"\x93NUMPY";

/// Most characters of a type that a message shows.
const SHOWN: usize = 40;

/// An array: the parsed header and the encoded numbers.
#[derive(Clone, Debug)]
pub struct Array<'a> {
    shape: Vec<usize>,
    number: Number,
    is_big_endian: bool,
    /// whether the first axis is contiguous instead of the last one
    is_fortran: bool,
    data: &'a [u8],
}

/// The numbers of an array, the last axis contiguous.
#[derive(Clone, Debug, PartialEq)]
pub enum Numbers {
    /// true or false
    Bools(Vec<bool>),
    /// integers of 8 to 64 bits
    Integers(Vec<i64>),
    /// floats of 16 to 64 bits, those of 64 rounded
    Floats(Vec<f32>),
}

/// Why an array is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NpyError {
    /// The header is no header of an array.
    Header,
    /// The array has objects of Python, or fields with names.
    Objects,
    /// The numbers have another type.
    Type(String),
    /// The shape has another number of elements.
    Count {
        /// the lengths of the axes
        shape: Vec<usize>,
        /// bytes of a number
        width: usize,
        /// bytes after the header
        found: usize,
    },
}

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    Bool,
    Signed(Width),
    /// of 8, 16 or 32 bits
    Unsigned(Width),
    F16,
    Bf16,
    F32,
    F64,
}

/// Bytes of an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Width {
    One,
    Two,
    Four,
    Eight,
}

impl<'a> Array<'a> {
    /// Parses the header.
    ///
    /// # Errors
    ///
    /// All of [`NpyError`] but [`NpyError::Count`].
    pub fn parse(file: &'a [u8]) -> Result<Self, NpyError> {
        let (header, data) = split(file).ok_or(NpyError::Header)?;
        let field = |name: &str| {
            let (_, rest) = header.split_once(&format!("'{name}':"))?;
            Some(rest.trim_start())
        };
        let kind = field("descr").ok_or(NpyError::Header)?;
        let kind = match kind.strip_prefix('\'') {
            Some(rest) => rest.split('\'').next().unwrap_or_default(),
            None if kind.starts_with('[') => return Err(NpyError::Objects),
            None => return Err(NpyError::Header),
        };
        let (number, is_big_endian) = Number::parse(kind)?;
        let order = field("fortran_order").unwrap_or("False");
        Ok(Self {
            shape: field("shape").and_then(shape).ok_or(NpyError::Header)?,
            number,
            is_big_endian,
            is_fortran: order.starts_with("True"),
            data,
        })
    }

    /// The lengths of the axes; empty for a single number.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Bytes of a number in the array.
    pub fn width(&self) -> usize {
        self.number.bytes()
    }

    /// Bytes of memory that the numbers take once they are read.
    pub fn bytes(&self) -> usize {
        let each = match self.number {
            Number::Bool => 1,
            Number::Signed(_) | Number::Unsigned(_) => 8,
            Number::F16 | Number::Bf16 | Number::F32 | Number::F64 => 4,
        };
        (self.data.len() / self.number.bytes()).saturating_mul(each)
    }

    /// The numbers, the last axis contiguous.
    ///
    /// # Errors
    ///
    /// [`NpyError::Count`]: the shape has more or fewer.
    pub fn numbers(&self) -> Result<Numbers, NpyError> {
        let width = self.number.bytes();
        let bytes = self
            .shape
            .iter()
            .try_fold(width, |all, &length| all.checked_mul(length));
        if bytes != Some(self.data.len()) {
            return Err(NpyError::Count {
                shape: self.shape.clone(),
                width,
                found: self.data.len(),
            });
        }
        Ok(match self.number {
            Number::Bool => Numbers::Bools(self.read(|[byte]| byte != 0)),
            Number::F16 => Numbers::Floats(self.read(half::f16)),
            Number::Bf16 => Numbers::Floats(self.read(half::bf16)),
            Number::F32 => Numbers::Floats(self.read(f32::from_le_bytes)),
            Number::F64 => Numbers::Floats(self.read(|bytes| f64::from_le_bytes(bytes) as f32)),
            Number::Signed(width) => Numbers::Integers(match width {
                Width::One => self.read(|bytes| i8::from_le_bytes(bytes).into()),
                Width::Two => self.read(|bytes| i16::from_le_bytes(bytes).into()),
                Width::Four => self.read(|bytes| i32::from_le_bytes(bytes).into()),
                Width::Eight => self.read(i64::from_le_bytes),
            }),
            Number::Unsigned(width) => Numbers::Integers(match width {
                Width::One => self.read(|[byte]| byte.into()),
                Width::Two => self.read(|bytes| u16::from_le_bytes(bytes).into()),
                Width::Four | Width::Eight => self.read(|bytes| u32::from_le_bytes(bytes).into()),
            }),
        })
    }

    /// All numbers, each by `decode` from its bytes in little endian.
    fn read<const N: usize, T>(&self, decode: impl Fn([u8; N]) -> T) -> Vec<T> {
        let (numbers, _) = self.data.as_chunks::<N>();
        let decode = |mut bytes: [u8; N]| {
            if self.is_big_endian {
                bytes.reverse();
            }
            decode(bytes)
        };
        match self.is_fortran {
            false => numbers.iter().map(|&bytes| decode(bytes)).collect(),
            true => fortran_places(&self.shape)
                .map(|place| decode(numbers[place]))
                .collect(),
        }
    }
}

/// The header's text and what follows it.
fn split(file: &[u8]) -> Option<(&str, &[u8])> {
    let (length, rest) = match file.strip_prefix(MAGIC)? {
        [1, _, low, high, rest @ ..] => (usize::from(u16::from_le_bytes([*low, *high])), rest),
        [2 | 3, _, a, b, c, d, rest @ ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, rest),
        _ => return None,
    };
    let (header, data) = rest.split_at_checked(length)?;
    Some((std::str::from_utf8(header).ok()?, data))
}

/// The lengths in `(128, 768), ..`.
fn shape(text: &str) -> Option<Vec<usize>> {
    let lengths = text.strip_prefix('(')?.split(')').next()?;
    let lengths = lengths
        .split(',')
        .map(str::trim)
        .filter(|length| !length.is_empty());
    lengths.map(|length| length.parse().ok()).collect()
}

/// Where the elements stand whose first axis is contiguous, in the order in which the last axis is.
fn fortran_places(shape: &[usize]) -> impl Iterator<Item = usize> {
    let strides = shape.iter().scan(1_usize, |stride, &length| {
        let this = *stride;
        *stride *= length;
        Some(this)
    });
    let axes: Vec<(usize, usize)> = shape.iter().copied().zip(strides).collect();
    let count = shape.iter().product();
    let mut index = vec![0; axes.len()];
    let mut place = 0;
    (0..count).map(move |_| {
        let this = place;
        for (index, &(length, stride)) in index.iter_mut().zip(&axes).rev() {
            *index += 1;
            place += stride;
            if *index < length {
                break;
            }
            place -= stride * length;
            *index = 0;
        }
        this
    })
}

impl Number {
    /// The type that numpy writes as `kind`, and whether it is big endian.
    fn parse(kind: &str) -> Result<(Self, bool), NpyError> {
        if kind.ends_with('O') {
            return Err(NpyError::Objects);
        }
        // Single bytes have no order.
        let (order, name) = kind.split_at_checked(1).unwrap_or_default();
        let number = match (order, name) {
            (_, "b1") => Self::Bool,
            (_, "i1") => Self::Signed(Width::One),
            (_, "u1") => Self::Unsigned(Width::One),
            ("|", _) => return Err(NpyError::Type(kind.to_owned())),
            (_, "i2") => Self::Signed(Width::Two),
            (_, "i4") => Self::Signed(Width::Four),
            (_, "i8") => Self::Signed(Width::Eight),
            (_, "u2") => Self::Unsigned(Width::Two),
            (_, "u4") => Self::Unsigned(Width::Four),
            (_, "f2") => Self::F16,
            (_, "f4") => Self::F32,
            (_, "f8") => Self::F64,
            ("<", "V2") => Self::Bf16,
            _ => return Err(NpyError::Type(kind.to_owned())),
        };
        match order {
            "<" | "|" => Ok((number, false)),
            ">" => Ok((number, true)),
            _ => Err(NpyError::Type(kind.to_owned())),
        }
    }

    const fn bytes(self) -> usize {
        match self {
            Self::Bool | Self::Signed(Width::One) | Self::Unsigned(Width::One) => 1,
            Self::F16 | Self::Bf16 | Self::Signed(Width::Two) | Self::Unsigned(Width::Two) => 2,
            Self::F32 | Self::Signed(Width::Four) | Self::Unsigned(Width::Four) => 4,
            Self::F64 | Self::Signed(Width::Eight) | Self::Unsigned(Width::Eight) => 8,
        }
    }
}

impl fmt::Display for NpyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header => f.write_str("it is no array of numpy, or cut off"),
            Self::Objects => f.write_str(
                "it has objects of Python or fields with names, not numbers: save each array of numbers by itself",
            ),
            Self::Type(kind) => {
                let shown: String = kind.chars().take(SHOWN).collect();
                write!(
                    f,
                    "numbers of the type `{}` are not read: save them as floats, `array.astype(\"float32\")`",
                    shown.escape_debug()
                )
            }
            Self::Count {
                shape,
                width,
                found,
            } => {
                let count = shape
                    .iter()
                    .try_fold(1_usize, |all, &length| all.checked_mul(length));
                match count {
                    Some(count) => write!(f, "the shape {shape:?} has {count} numbers, found ")?,
                    None => write!(f, "the shape {shape:?} has too many numbers, found ")?,
                }
                write!(f, "{}", found / width)?;
                match found % width {
                    0 => Ok(()),
                    rest => write!(f, " and {rest} bytes"),
                }
            }
        }
    }
}

impl std::error::Error for NpyError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(kind: &str, order: &str, shape: &str, data: &[u8]) -> Vec<u8> {
        let header =
            format!("{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
        let length = (header.len() as u16).to_le_bytes();
        [MAGIC, &[1, 0], &length, header.as_bytes(), data].concat()
    }

    fn numbers(file: &[u8]) -> Result<Numbers, NpyError> {
        Array::parse(file)?.numbers()
    }

    #[test]
    fn all_types_have_their_values_in_both_byte_orders() {
        let floats = Numbers::Floats(vec![1.0, -2.5]);
        let integers = Numbers::Integers(vec![1, -2]);
        let naturals = Numbers::Integers(vec![1, 200]);
        let f64s = [1.0_f64, -2.5].map(f64::to_le_bytes).concat();
        let cases: [(&str, Vec<u8>, &Numbers); 11] = [
            (
                "f2",
                [0x3C00_u16, 0xC100].map(u16::to_le_bytes).concat(),
                &floats,
            ),
            (
                "f4",
                [1.0_f32, -2.5].map(f32::to_le_bytes).concat(),
                &floats,
            ),
            ("f8", f64s, &floats),
            ("i1", vec![1, 254], &integers),
            ("i2", [1_i16, -2].map(i16::to_le_bytes).concat(), &integers),
            ("i4", [1_i32, -2].map(i32::to_le_bytes).concat(), &integers),
            ("i8", [1_i64, -2].map(i64::to_le_bytes).concat(), &integers),
            ("u1", vec![1, 200], &naturals),
            ("u2", [1_u16, 200].map(u16::to_le_bytes).concat(), &naturals),
            ("u4", [1_u32, 200].map(u32::to_le_bytes).concat(), &naturals),
            ("b1", vec![0, 1], &Numbers::Bools(vec![false, true])),
        ];
        for (name, data, expected) in cases {
            let width = data.len() / 2;
            let reversed: Vec<u8> = data
                .chunks(width)
                .flat_map(|number| number.iter().rev().copied())
                .collect();
            for (order, data) in [("<", &data), (">", &reversed)] {
                let file = file(&format!("{order}{name}"), "False", "(2,)", data);
                assert_eq!(numbers(&file).as_ref(), Ok(expected), "{order}{name}");
            }
        }
        let bf16 = [0x3F80_u16, 0xC020].map(u16::to_le_bytes).concat();
        assert_eq!(numbers(&file("<V2", "False", "(2,)", &bf16)), Ok(floats));
    }

    /// `numpy.asfortranarray(numpy.arange(24).reshape(2, 3, 4))` has its elements in this order.
    #[test]
    fn arrays_in_the_order_of_fortran_are_turned() {
        let stored = [
            0, 12, 4, 16, 8, 20, 1, 13, 5, 17, 9, 21, 2, 14, 6, 18, 10, 22, 3, 15, 7, 19, 11, 23,
        ];
        let file = file("|i1", "True", "(2, 3, 4)", &stored);
        assert_eq!(numbers(&file), Ok(Numbers::Integers((0..24).collect())));
        let of = |shape: &str, data: &[u8]| numbers(&self::file("|u1", "True", shape, data));
        assert_eq!(of("(3,)", &[1, 2, 3]), Ok(Numbers::Integers(vec![1, 2, 3])));
        assert_eq!(of("()", &[7]), Ok(Numbers::Integers(vec![7])));
        assert_eq!(of("(2, 0)", &[]), Ok(Numbers::Integers(vec![])));
    }

    #[test]
    fn other_types_are_refused_with_what_to_do() {
        for kind in [
            "<c8", "|V2", ">V2", "<V1", "<f16", "<u8", "<U1", "=f4", "|f4", "", "é",
        ] {
            let error = numbers(&file(kind, "False", "(1,)", &[0; 8])).expect_err(kind);
            assert_eq!(error, NpyError::Type(kind.to_owned()));
            assert!(error.to_string().contains("astype(\"float32\")"), "{error}");
        }
        let objects = file("|O", "False", "(1,)", b"\x80\x04");
        assert_eq!(numbers(&objects), Err(NpyError::Objects));
        let header = b"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }";
        let records = [MAGIC, &[1, 0, header.len() as u8, 0], header].concat();
        assert_eq!(numbers(&records), Err(NpyError::Objects));
    }

    #[test]
    fn other_lengths_are_told() {
        let error = |shape: &str, bytes: usize| {
            let file = file("<f4", "False", shape, &vec![0; bytes]);
            numbers(&file).expect_err(shape).to_string()
        };
        assert_eq!(error("(3,)", 8), "the shape [3] has 3 numbers, found 2");
        assert_eq!(
            error("(2,)", 9),
            "the shape [2] has 2 numbers, found 2 and 1 bytes"
        );
        let huge = "(4294967296, 4294967296, 4294967296)";
        assert!(error(huge, 8).contains("too many numbers, found 2"));
    }

    #[test]
    fn cut_files_are_refused_at_every_byte() {
        let file = file("<f4", "False", "(2,)", &[0; 8]);
        assert!(numbers(&file).is_ok());
        for length in 0..file.len() {
            assert!(numbers(&file[..length]).is_err(), "{length}");
        }
    }
}
