//! A minimal protocol buffer reader without copies.
//!
//! ```text
//!   field = key value          key = varint of 8 * number + type
//!   type 0: varint             seven bits a byte, the lowest first; the highest bit of a byte says that more follow
//!   type 1: eight bytes        type 5: four bytes, little endian        type 2: varint of a length, and so many bytes
//! ```

use super::error::WeightsError;

/// The bytes of a message, and their offset in the file.
#[derive(Clone, Copy)]
pub(super) struct Message<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

/// The value of a field.
#[derive(Clone, Copy)]
pub(super) enum Value<'a> {
    Varint(u64),
    Fixed32(u32),
    Fixed64,
    Bytes(Message<'a>),
}

/// A field: number, value, position.
pub(super) struct Field<'a> {
    pub(super) number: u64,
    pub(super) value: Value<'a>,
    pub(super) at: usize,
}

impl<'a> Message<'a> {
    /// Takes the next field; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Field<'a>>, WeightsError> {
        if self.bytes.is_empty() {
            return Ok(None);
        }
        let at = self.at;
        let key = self.varint()?;
        let value = match key % 8 {
            0 => Value::Varint(self.varint()?),
            1 => self.take(8).map(|_| Value::Fixed64)?,
            2 => {
                let len = self.varint()?;
                Value::Bytes(self.take(len)?)
            }
            5 => {
                let bytes = self.take(4)?.bytes;
                Value::Fixed32(
                    bytes
                        .iter()
                        .rev()
                        .fold(0, |number, &byte| number << 8 | u32::from(byte)),
                )
            }
            other => {
                return Err(wrong(
                    at,
                    "a field of a message",
                    format!("a value of type {other}"),
                ));
            }
        };
        Ok(Some(Field {
            number: key / 8,
            value,
            at,
        }))
    }

    fn varint(&mut self) -> Result<u64, WeightsError> {
        let mut number = 0;
        for (index, &byte) in self.bytes.iter().take(10).enumerate() {
            number |= u64::from(byte & 0x7F) << (7 * index);
            if byte < 0x80 {
                self.skip(index + 1);
                return Ok(number);
            }
        }
        let found = if self.bytes.len() < 10 {
            "the end"
        } else {
            "more than ten bytes"
        };
        Err(wrong(self.at, "a number", found.into()))
    }

    fn take(&mut self, len: u64) -> Result<Self, WeightsError> {
        let split = usize::try_from(len)
            .ok()
            .and_then(|len| self.bytes.split_at_checked(len));
        let Some((bytes, _)) = split else {
            let found = format!("{} of {len}", self.bytes.len());
            return Err(wrong(self.at, "all bytes of a field", found));
        };
        let taken = Self { bytes, at: self.at };
        self.skip(bytes.len());
        Ok(taken)
    }

    fn skip(&mut self, len: usize) {
        self.bytes = &self.bytes[len..];
        self.at += len;
    }
}

impl<'a> Field<'a> {
    /// Length of bytes or a message; 0 for numbers.
    pub(super) const fn len(&self) -> usize {
        match self.value {
            Value::Bytes(message) => message.bytes.len(),
            _ => 0,
        }
    }

    /// An integer.
    pub(super) fn number(&self) -> Result<u64, WeightsError> {
        match self.value {
            Value::Varint(number) => Ok(number),
            _ => Err(self.wrong("a whole number")),
        }
    }

    /// A float.
    pub(super) fn float(&self) -> Result<f32, WeightsError> {
        match self.value {
            Value::Fixed32(bits) => Ok(f32::from_bits(bits)),
            _ => Err(self.wrong("a float of four bytes")),
        }
    }

    /// Bytes or a nested message.
    pub(super) fn message(&self) -> Result<Message<'a>, WeightsError> {
        match self.value {
            Value::Bytes(message) => Ok(message),
            _ => Err(self.wrong("bytes with their length")),
        }
    }

    fn wrong(&self, expected: &'static str) -> WeightsError {
        let found = match self.value {
            Value::Varint(_) => "a whole number",
            Value::Fixed32(_) => "four bytes",
            Value::Fixed64 => "eight bytes",
            Value::Bytes(_) => "bytes with their length",
        };
        wrong(
            self.at,
            expected,
            format!("{found} in field {}", self.number),
        )
    }
}

fn wrong(at: usize, expected: &'static str, found: String) -> WeightsError {
    WeightsError::Message {
        at,
        expected,
        found,
    }
}
