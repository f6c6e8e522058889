//! The type of a bias at the end of a file: 16 or 32 bits. The length of a padded file does not show it.
//!
//! ```text
//!   i16   | b0 b0 | 0 0 0 0 .. to a multiple of 64 bytes       read as i32, the bias lacks its sign
//!   i32   | b0 b0 b0 b0 | 0 0 ..
//! ```

use alloc::format;
use alloc::vec::Vec;

use nnue_spec::{ElementType, LayerKind, NetDesc, Padding, RawDesc, TensorRef, TensorRole};

use super::{padding, to_alignment};
use crate::error::{LoadError, LoadErrorKind};
use crate::tensors::Elements;

/// The bias at the end of a file, read in its other possible type.
pub(super) struct Other {
    /// the other type
    pub(super) element: ElementType,
    values: Vec<i32>,
}

/// Reads the bias at the end of a file in its other possible type, if an accepted padding then follows.
/// `rest` are the bytes after the tensors, or the first of them.
pub(super) fn other(
    net: &NetDesc<'_>,
    raw: &RawDesc<'_>,
    held: TensorRef<'_>,
    rest: &[u8],
) -> Option<Other> {
    let whole = raw.size(net)?;
    let last = raw.last_tensor()?;
    let desc = &net.tensors[last];
    let TensorRole::LayerBias(layer) = desc.role else {
        return None;
    };
    if net.layers[layer].kind != LayerKind::Direct || raw.stored(last).is_some() {
        return None;
    }
    let (element, mut bytes) = match held {
        TensorRef::I16(values) => (
            ElementType::I32,
            values
                .iter()
                .flat_map(|value| value.to_le_bytes())
                .collect(),
        ),
        TensorRef::I32(values) => (
            ElementType::I16,
            values
                .iter()
                .flat_map(|value| value.to_le_bytes())
                .collect(),
        ),
        _ => return None,
    };
    let size = whole - Vec::len(&bytes) as u64;
    bytes.extend(rest);
    let (bias, after) = bytes.split_at_checked(desc.len() * element.bytes())?;
    let found = padding::recognise(size + bias.len() as u64, after)?;
    (raw.padding == Padding::Any || raw.padding == found).then(|| Other {
        element,
        values: numbers(element, bias),
    })
}

/// Reads the bias at the end of a file that ends in `padding` in its other possible type, if an accepted
/// padding then follows.
pub fn of_padding(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    padding: Padding,
) -> Option<Elements> {
    let raw = net.raw.as_ref()?;
    let bytes = if padding == Padding::None {
        0
    } else {
        to_alignment(raw.size(net)?) as usize
    };
    let rest: Vec<u8> = (0..bytes).map(|index| padding.byte(index)).collect();
    let Other { element, values } = other(net, raw, *tensors.last()?, &rest)?;
    Some(match element {
        ElementType::I16 => Elements::I16(values.into_iter().map(|value| value as i16).collect()),
        _ => Elements::I32(values),
    })
}

fn numbers(element: ElementType, bytes: &[u8]) -> Vec<i32> {
    match element {
        ElementType::I16 => bytes
            .chunks_exact(2)
            .map(|b| i16::from_le_bytes([b[0], b[1]]).into())
            .collect(),
        _ => bytes
            .chunks_exact(4)
            .map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect(),
    }
}

/// Refuses a 32-bit bias whose last bytes would be padding after a 16-bit bias, unless both types give the
/// same values, or golden values can decide.
pub(super) fn check(
    net: &NetDesc<'_>,
    raw: &RawDesc<'_>,
    bias: Option<TensorRef<'_>>,
    rest: &[u8],
) -> Result<(), LoadError> {
    let (Some(desc), Some(TensorRef::I32(held))) = (net.tensors.last(), bias) else {
        return Ok(());
    };
    let other = other(net, raw, TensorRef::I32(held), rest);
    let other = other.filter(|other| net.goldens.is_empty() && other.values != held);
    let Some(Other { values, .. }) = other else {
        return Ok(());
    };
    let at = values
        .iter()
        .zip(held)
        .position(|(other, held)| other != held)
        .unwrap_or(0);
    let copy = if desc.copies == 1 {
        "".into()
    } else {
        format!("[{at}]")
    };
    let name = desc.name;
    let message = format!(
        "`{name}` is read as i32, but its last {} bytes are zeros, as in the padding of a file with `{name}: i16`, where `{name}{copy}` is {}, \
         not {}: write `{name}: i16`, or, if it is i32, a golden value of the engine's, which shows it",
        desc.len() * 2,
        values[at],
        held[at]
    );
    let start = raw.size(net).unwrap_or_default() - desc.len() as u64 * 4;
    Err(LoadError::new(LoadErrorKind::Architecture, start, message)
        .with_tensor(name)
        .with_element(at as u64))
}
