//! The order of elements: files may have the axes of a tensor in another order than memory.

use alloc::vec;
use alloc::vec::Vec;

use nnue_spec::{FileOrder, HELD, TensorDesc, TensorRef};

use crate::tensors::Elements;

/// Whether a tensor stands in the file as it is held: axes of length 1 do not count.
pub(super) fn is_held(desc: &TensorDesc<'_>, order: FileOrder) -> bool {
    !order.interleaved && desc.long_axes(order.axes) == desc.long_axes(HELD)
}

/// Copies, rows, columns.
fn shape(desc: &TensorDesc<'_>) -> [usize; 3] {
    [desc.copies, desc.rows, desc.cols]
}

/// The place in the file of element `at` of the tensor as it is held.
pub(super) fn place(desc: &TensorDesc<'_>, order: FileOrder, at: usize) -> usize {
    let (row, column) = (at / desc.cols, at % desc.cols);
    order.place(shape(desc), [row / desc.rows, row % desc.rows, column])
}

/// Elements of a file, brought into the order in which they are held.
pub(super) fn from_file<T: Copy>(desc: &TensorDesc<'_>, order: FileOrder, file: &[T], held: &mut [T]) {
    each(desc, order, |at, place| held[at] = file[place]);
}

/// Elements as they are held, brought into the order of a file.
pub(super) fn to_file<T: Copy>(desc: &TensorDesc<'_>, order: FileOrder, held: &[T], file: &mut [T]) {
    each(desc, order, |at, place| file[place] = held[at]);
}

/// Calls `visit` with the index of each element as held, and its index in the file.
fn each(desc: &TensorDesc<'_>, order: FileOrder, mut visit: impl FnMut(usize, usize)) {
    let [copies, rows, columns] = shape(desc);
    let mut at = 0;
    for copy in 0..copies {
        for row in 0..rows {
            for column in 0..columns {
                visit(at, order.place([copies, rows, columns], [copy, row, column]));
                at += 1;
            }
        }
    }
}

/// The same bytes read in the order `actual` instead of `assumed`, with which `held` was read.
pub(crate) fn reread(desc: &TensorDesc<'_>, assumed: FileOrder, actual: FileOrder, held: TensorRef<'_>) -> Elements {
    match held {
        TensorRef::I8(held) => Elements::I8(reread_elements(desc, assumed, actual, held)),
        TensorRef::I16(held) => Elements::I16(reread_elements(desc, assumed, actual, held)),
        TensorRef::I32(held) => Elements::I32(reread_elements(desc, assumed, actual, held)),
        TensorRef::F32(held) => Elements::F32(reread_elements(desc, assumed, actual, held)),
    }
}

fn reread_elements<T: bytemuck::Pod>(
    desc: &TensorDesc<'_>,
    assumed: FileOrder,
    actual: FileOrder,
    held: &[T],
) -> Vec<T> {
    let (mut file, mut reread) = (vec![T::zeroed(); held.len()], vec![T::zeroed(); held.len()]);
    to_file(desc, assumed, held, &mut file);
    from_file(desc, actual, &file, &mut reread);
    reread
}
