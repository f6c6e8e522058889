//! The order of elements: a file may order the axes of a tensor otherwise than memory.

use alloc::vec;
use alloc::vec::Vec;

use nnue_spec::{FileOrder, HELD, TensorDesc, TensorRef};

use crate::tensors::Elements;

/// Whether a tensor has the same order in the file and in memory. Axes of length 1 do not count.
pub(super) fn is_held(desc: &TensorDesc<'_>, order: FileOrder) -> bool {
    !order.interleaved && !order.enemy_first && desc.long_axes(order.axes) == desc.long_axes(HELD)
}

/// The numbers of copies, rows and columns.
fn shape(desc: &TensorDesc<'_>) -> [usize; 3] {
    [desc.copies, desc.rows, desc.cols]
}

/// The index in the file of element `at` of the tensor in memory.
pub(super) fn place(desc: &TensorDesc<'_>, order: FileOrder, at: usize) -> usize {
    let (row, column) = (at / desc.cols, at % desc.cols);
    order.place(shape(desc), [row / desc.rows, row % desc.rows, column])
}

/// Reorders elements from file order to memory order.
pub(super) fn from_file<T: Copy>(
    desc: &TensorDesc<'_>,
    order: FileOrder,
    file: &[T],
    held: &mut [T],
) {
    each(desc, order, |at, place| held[at] = file[place]);
}

/// Reorders elements from memory order to file order.
pub(super) fn to_file<T: Copy>(
    desc: &TensorDesc<'_>,
    order: FileOrder,
    held: &[T],
    file: &mut [T],
) {
    each(desc, order, |at, place| file[place] = held[at]);
}

/// Calls `visit` with the index of each element in memory and its index in the file.
fn each(desc: &TensorDesc<'_>, order: FileOrder, mut visit: impl FnMut(usize, usize)) {
    let [copies, rows, columns] = shape(desc);
    let mut at = 0;
    for copy in 0..copies {
        for row in 0..rows {
            for column in 0..columns {
                visit(
                    at,
                    order.place([copies, rows, columns], [copy, row, column]),
                );
                at += 1;
            }
        }
    }
}

/// Converts `held`, read from a file in the order `assumed`, to the result of reading it in the order
/// `actual`.
pub fn reread(
    desc: &TensorDesc<'_>,
    assumed: FileOrder,
    actual: FileOrder,
    held: TensorRef<'_>,
) -> Elements {
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
