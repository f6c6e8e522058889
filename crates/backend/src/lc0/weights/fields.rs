//! Iterates over the fields of a message: each is read, or an error.

use super::error::WeightsError;
use super::wire::{Field, Message};

/// A message type, and its fields that must be unique.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    pub(super) name: &'static str,
    pub(super) once: &'static [u64],
}

/// Result of `each` for a field.
pub(super) enum Read {
    /// read, or without weights
    Known,
    /// unknown: an error if it has bytes, which could be weights
    Unknown,
}

/// Calls `each` for each field of a message. Repeated lists and unknown fields are errors, because weights
/// could be ignored.
pub(super) fn fields<'a>(
    mut message: Message<'a>,
    kind: Kind,
    mut each: impl FnMut(Field<'a>) -> Result<Read, WeightsError>,
) -> Result<(), WeightsError> {
    let mut seen = 0_u64;
    while let Some(field) = message.next()? {
        let (number, at, bytes) = (field.number, field.at, field.len());
        if kind.once.contains(&number) {
            if seen >> number & 1 == 1 {
                return Err(WeightsError::Twice {
                    at,
                    number,
                    message: kind.name,
                });
            }
            seen |= 1 << number;
        }
        if let (Read::Unknown, 1..) = (each(field)?, bytes) {
            return Err(WeightsError::UnknownField {
                at,
                number,
                message: kind.name,
                name: None,
            });
        }
    }
    Ok(())
}
