//! Lists of numbers in files.

use super::error::WeightsError;
use super::fields::{Kind, Read, fields};
use super::wire::Message;

const LAYER: Kind = Kind {
    name: "a list of numbers",
    once: &[1, 2, 3, 4],
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    /// `min + (max - min) * n / 65535` for a 16-bit integer n
    Linear16,
    /// IEEE 754 binary16
    Float16,
    /// bfloat16: the upper half of a binary32
    Bfloat16,
    /// IEEE 754 binary32
    Float32,
}

/// An encoded list of numbers.
#[derive(Clone, Copy, Default)]
pub(super) struct Layer<'a> {
    min: f32,
    max: f32,
    bytes: &'a [u8],
    encoding: u64,
}

impl<'a> Layer<'a> {
    /// Reads the message: 1 minimum, 2 maximum, 3 bytes, 4 encoding, 5 sizes, which are redundant.
    pub(super) fn read(message: Message<'a>) -> Result<Self, WeightsError> {
        let mut layer = Self::default();
        fields(message, LAYER, |field| {
            match field.number {
                1 => layer.min = field.float()?,
                2 => layer.max = field.float()?,
                3 => layer.bytes = field.message()?.bytes,
                4 => layer.encoding = field.number()?,
                5 => {}
                _ => return Ok(Read::Unknown),
            }
            Ok(Read::Known)
        })?;
        Ok(layer)
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    fn encoding(&self) -> Result<Encoding, WeightsError> {
        match self.encoding {
            0 | 1 => Ok(Encoding::Linear16),
            2 => Ok(Encoding::Float16),
            3 => Ok(Encoding::Bfloat16),
            4 => Ok(Encoding::Float32),
            found => Err(WeightsError::Unsupported {
                what: "encoding of weights",
                found,
                name: None,
                supported: "0 and 1 (16 bits between the least and the greatest), 2 (f16), 3 (bf16), 4 (f32)",
            }),
        }
    }

    pub(super) fn len(&self, name: &str) -> Result<usize, WeightsError> {
        let size = if self.encoding()? == Encoding::Float32 {
            4
        } else {
            2
        };
        if !self.bytes.len().is_multiple_of(size) {
            let expected = format!("whole ones of {size} bytes, not {} bytes", self.bytes.len());
            return Err(WeightsError::Count {
                name: name.into(),
                found: self.bytes.len() / size,
                expected,
            });
        }
        Ok(self.bytes.len() / size)
    }

    /// Decodes the list, which must have `expected` elements.
    pub(super) fn numbers(&self, name: &str, expected: usize) -> Result<Vec<f32>, WeightsError> {
        let found = self.len(name)?;
        if self.is_empty() {
            return Err(WeightsError::Missing(name.into()));
        }
        if found != expected {
            return Err(WeightsError::Count {
                name: name.into(),
                found,
                expected: expected.to_string(),
            });
        }
        let numbers = self.decoded(self.encoding()?);
        let wrong = |(index, &found): (usize, &f32)| WeightsError::NotFinite {
            name: name.into(),
            index,
            found,
            more: "",
        };
        match numbers
            .iter()
            .enumerate()
            .find(|(_, number)| !number.is_finite())
            .map(wrong)
        {
            Some(error) => Err(error),
            None => Ok(numbers),
        }
    }

    fn decoded(&self, encoding: Encoding) -> Vec<f32> {
        let words = self
            .bytes
            .as_chunks::<2>()
            .0
            .iter()
            .map(|&bytes| u16::from_le_bytes(bytes));
        let linear = |word: u16| self.min + (self.max - self.min) * (f32::from(word) / 65535.0);
        match encoding {
            Encoding::Linear16 => words.map(linear).collect(),
            Encoding::Float16 => words.map(of_half).collect(),
            Encoding::Bfloat16 => words
                .map(|word| f32::from_bits(u32::from(word) << 16))
                .collect(),
            Encoding::Float32 => self
                .bytes
                .as_chunks()
                .0
                .iter()
                .map(|&bytes| f32::from_le_bytes(bytes))
                .collect(),
        }
    }
}

/// Decodes a binary16: sign, 5 bits of exponent, 10 of fraction.
fn of_half(bits: u16) -> f32 {
    let (exponent, fraction) = (bits >> 10 & 0x1F, f32::from(bits & 0x3FF));
    let magnitude = match exponent {
        0 => fraction * (-24_f32).exp2(),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1024.0 + fraction) * (f32::from(exponent) - 25.0).exp2(),
    };
    if bits >> 15 == 0 {
        magnitude
    } else {
        -magnitude
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(encoding: u64, bytes: &[u8]) -> Result<Vec<f32>, WeightsError> {
        let layer = Layer {
            min: -1.0,
            max: 2.0,
            bytes,
            encoding,
        };
        layer.numbers("w", layer.len("w")?)
    }

    #[test]
    fn all_encodings() {
        assert_eq!(
            decoded(1, &[0, 0, 0xFF, 0xFF]).expect("numbers"),
            [-1.0, 2.0]
        );
        assert_eq!(decoded(0, &[0x55, 0x55]).expect("numbers"), [0.0]);
        let halves = [0x3C00_u16, 0xC000, 0x0001, 0x7BFF, 0x0400]
            .map(u16::to_le_bytes)
            .concat();
        let expected = [
            1.0,
            -2.0,
            1.0 / f32::from(1_u16 << 12) / 4096.0,
            65504.0,
            1.0 / 16384.0,
        ];
        assert_eq!(decoded(2, &halves).expect("numbers"), expected);
        assert_eq!(decoded(3, &[0x80, 0x3F]).expect("numbers"), [1.0]);
        assert_eq!(decoded(4, &1.5_f32.to_le_bytes()).expect("numbers"), [1.5]);
    }

    #[test]
    fn wrong_numbers_are_named() {
        let text =
            |result: Result<Vec<f32>, WeightsError>| result.expect_err("an error").to_string();
        assert_eq!(
            text(decoded(2, &[0, 0, 0, 0x7C])),
            "`w`, number 1: inf, expected a finite number"
        );
        assert_eq!(
            text(decoded(4, &[0; 6])),
            "`w` has 1 numbers, expected whole ones of 4 bytes, not 6 bytes"
        );
        assert_eq!(text(decoded(1, &[])), "`w` is missing");
        let unknown = "the encoding of weights is number 9; supported are 0 and 1 (16 bits between the least and the greatest), \
                       2 (f16), 3 (bf16), 4 (f32)";
        assert_eq!(text(decoded(9, &[0, 0])), unknown);
    }
}
