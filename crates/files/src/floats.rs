//! Refuses infinite or NaN floats: every value that depends on one would be meaningless.

use alloc::format;
use alloc::string::String;

use nnue_spec::TensorDesc;

use crate::error::{LoadError, LoadErrorKind};

/// Refuses infinities and NaNs among `values`, the elements of tensor `desc` from index `first` on. `offset`
/// gives the position of an element in the file, in bytes.
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
    let Some(found) = values.iter().position(|value| !value.is_finite()) else {
        return Ok(());
    };
    let (element, value) = (first + found, values[found]);
    let offset = offset(element);
    let message = format!(
        "number `{}` at offset {offset} is {value}, floats of a network are finite: the training diverged, or the bytes are read with \
         another declaration than they were written with",
        title(desc, element)
    );
    Err(LoadError::new(LoadErrorKind::ValueRange, offset, message)
        .with_tensor(desc.name)
        .with_element(element as u64))
}

/// The name of an element: `fc1_weight[3][7]`, or `fc1_weight[stack][3][7]` if there are several stacks.
fn title(desc: &TensorDesc<'_>, element: usize) -> String {
    let (row, column) = (element / desc.cols, element % desc.cols);
    let (copy, row) = (row / desc.rows, row % desc.rows);
    match desc.copies {
        1 => format!("{}[{row}][{column}]", desc.name),
        _ => format!("{}[{copy}][{row}][{column}]", desc.name),
    }
}
