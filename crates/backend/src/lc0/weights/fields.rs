//! The fields of a message: each is read, or an error.

use super::error::WeightsError;
use super::wire::{Field, Message};

/// A kind of message, and its fields that occur at most once.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    pub(super) name: &'static str,
    pub(super) once: &'static [u64],
}

/// What `each` says of a field.
pub(super) enum Read {
    /// it was read, or it has no weights
    Known,
    /// nobody knows it: an error if it has bytes, which could be weights
    Unknown,
}

/// Calls `each` for each field of a message. Weights that would be passed over are errors: a list that is there twice, and fields that are unknown.
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
