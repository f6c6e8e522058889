//! Counts the fields of a file before it is decoded. A message of two bytes becomes a value of hundreds of
//! bytes in memory, so a file of such messages would need far more memory than its size.
//!
//! ```text
//!   field = key (number * 8 + kind), contents        kind 0: varint   1: 8 bytes   2: length, bytes   5: 4 bytes
//! ```

use crate::error::ImportError;

const MAX_FIELDS: usize = 1 << 21;

/// Most bytes of a packed list: each may be an integer, which becomes eight bytes. Such lists are indices and
/// shapes.
const MAX_PACKED: usize = 1 << 24;

/// A message type: its fields that are messages, and those that are packed lists of integers.
struct Kind {
    messages: &'static [(u64, &'static Kind)],
    packed: &'static [u64],
}

static LEAF: Kind = Kind {
    messages: &[],
    packed: &[],
};
static TENSOR: Kind = Kind {
    messages: &[(13, &LEAF)],
    packed: &[1, 5, 7],
};
static ATTRIBUTE: Kind = Kind {
    messages: &[(5, &TENSOR)],
    packed: &[8],
};
static NODE: Kind = Kind {
    messages: &[(5, &ATTRIBUTE), (9, &LEAF)],
    packed: &[],
};
static SHAPE: Kind = Kind {
    messages: &[(1, &LEAF)],
    packed: &[],
};
static TENSOR_TYPE: Kind = Kind {
    messages: &[(2, &SHAPE)],
    packed: &[],
};
static TYPE: Kind = Kind {
    messages: &[(1, &TENSOR_TYPE)],
    packed: &[],
};
static VALUE: Kind = Kind {
    messages: &[(2, &TYPE)],
    packed: &[],
};
static GRAPH: Kind = Kind {
    messages: &[
        (1, &NODE),
        (5, &TENSOR),
        (11, &VALUE),
        (12, &VALUE),
        (15, &LEAF),
    ],
    packed: &[],
};
static MODEL: Kind = Kind {
    messages: &[(7, &GRAPH), (8, &LEAF), (14, &LEAF), (25, &LEAF)],
    packed: &[],
};

pub(crate) fn check(file: &[u8]) -> Result<(), ImportError> {
    let mut fields = 0;
    count(file, &MODEL, &mut fields)
}

fn count(mut message: &[u8], kind: &Kind, fields: &mut usize) -> Result<(), ImportError> {
    while !message.is_empty() {
        *fields += 1;
        if *fields > MAX_FIELDS {
            return Err(ImportError::Limit {
                what: "fields",
                most: MAX_FIELDS,
            });
        }
        let key = varint(&mut message)?;
        match key & 7 {
            0 => {
                varint(&mut message)?;
            }
            1 => skip(&mut message, 8).map(drop)?,
            2 => {
                let length = varint(&mut message)?;
                let contents = skip(&mut message, length)?;
                let number = key >> 3;
                if kind.packed.contains(&number) && contents.len() > MAX_PACKED {
                    return Err(ImportError::Limit {
                        what: "bytes in a list of whole numbers",
                        most: MAX_PACKED,
                    });
                }
                if let Some((_, kind)) = kind.messages.iter().find(|(one, _)| *one == number) {
                    count(contents, kind, fields)?;
                }
            }
            5 => skip(&mut message, 4).map(drop)?,
            _ => return Err(damaged()),
        }
    }
    Ok(())
}

fn skip<'a>(message: &mut &'a [u8], length: u64) -> Result<&'a [u8], ImportError> {
    let length = usize::try_from(length).map_err(|_| damaged())?;
    let (skipped, rest) = message.split_at_checked(length).ok_or_else(damaged)?;
    *message = rest;
    Ok(skipped)
}

fn varint(message: &mut &[u8]) -> Result<u64, ImportError> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = message.split_first().ok_or_else(damaged)?;
        *message = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(value);
        }
    }
    Err(damaged())
}

fn damaged() -> ImportError {
    ImportError::Damaged("the file is no ONNX model, or it is cut off".into())
}
