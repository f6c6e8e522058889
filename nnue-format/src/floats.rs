//! Floats of a file are numbers: one that is not would make every value that it takes part in meaningless, and no proof holds.

use alloc::format;
use alloc::string::String;

use nnue_spec::TensorDesc;

use crate::error::{LoadError, LoadErrorKind};

/// Refuses infinities and what is no number among `values`, which are the elements of tensor `desc` from `first` on. `offset` is the byte
/// of the file at which an element stands.
///
/// # Errors
///
/// [`LoadErrorKind::ValueRange`], with the tensor and the element.
pub(crate) fn check(
    desc: &TensorDesc<'_>,
    values: &[f32],
    first: usize,
    offset: impl Fn(usize) -> u64,
) -> Result<(), LoadError> {
    let Some(found) = values.iter().position(|value| !value.is_finite()) else { return Ok(()) };
    let (element, value) = (first + found, values[found]);
    let offset = offset(element);
    let message = format!(
        "number `{}` at offset {offset} is {value}, floats of a network are finite: the training diverged, or the bytes are read with \
         another declaration than they were written with",
        title(desc, element)
    );
    Err(LoadError::new(LoadErrorKind::ValueRange, offset, message).with_tensor(desc.name).with_element(element as u64))
}

/// `fc1_weight[3][7]`, with the stack in front if there are several.
fn title(desc: &TensorDesc<'_>, element: usize) -> String {
    let (row, column) = (element / desc.cols, element % desc.cols);
    let (copy, row) = (row / desc.rows, row % desc.rows);
    match desc.copies {
        1 => format!("{}[{row}][{column}]", desc.name),
        _ => format!("{}[{copy}][{row}][{column}]", desc.name),
    }
}
