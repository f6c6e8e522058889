//! Rows that a program may use where they are in a file, without a copy.

use core::ops::Range;

use nnue_spec::{ElementType, TensorDesc, TensorRole};

/// Rows of a feature transformer that a file holds as memory does: little-endian numbers in the order of the
/// tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InPlace {
    /// the tensor
    pub role: TensorRole,
    /// its bytes in the file
    pub bytes: Range<usize>,
}

/// Whether a tensor is used where it is in the file, so that the reader passes over it.
pub(crate) type Stays<'a> = &'a mut dyn FnMut(&InPlace) -> bool;

/// Asks `stays` for the tensor `desc`, whose bytes start at the offset `at`, if it consists of rows of integers:
/// the reader checks the numbers of all others.
pub(crate) fn stays(stays: Stays<'_>, desc: &TensorDesc<'_>, at: u64) -> bool {
    let of_rows = matches!(
        desc.role,
        TensorRole::TransformerWeight
            | TensorRole::ExtraWeight(_)
            | TensorRole::SecondWeight
            | TensorRole::SecondExtraWeight(_)
    );
    if !of_rows || desc.element == ElementType::F32 {
        return false;
    }
    let start = at as usize;
    stays(&InPlace {
        role: desc.role,
        bytes: start..start + desc.len() * desc.element.bytes(),
    })
}
