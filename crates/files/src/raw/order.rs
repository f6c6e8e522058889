//! The order of elements: a file may order the axes of a tensor otherwise than memory.

use alloc::vec;
use alloc::vec::Vec;

use nnue_spec::{FileOrder, HELD, TensorDesc, TensorMut, TensorRef};

use crate::tensors::Elements;

/// Whether a tensor has the same order in the file and in memory. Axes of length 1 do not count.
pub(super) fn is_held(desc: &TensorDesc<'_>, order: FileOrder<'_>) -> bool {
    !order.interleaved && !order.enemy_first && desc.long_axes(order.axes) == desc.long_axes(HELD)
}

/// The numbers of copies, rows and columns.
fn shape(desc: &TensorDesc<'_>) -> [usize; 3] {
    [desc.copies, desc.rows, desc.cols]
}

/// The index in the file of element `at` of the tensor in memory.
pub(super) fn place(desc: &TensorDesc<'_>, order: FileOrder<'_>, at: usize) -> usize {
    let (row, column) = (at / desc.cols, at % desc.cols);
    order.place(shape(desc), [row / desc.rows, row % desc.rows, column])
}

/// The indices in the file of the elements of a tensor.
pub(super) struct Places {
    /// the first column of each row
    rows: Vec<usize>,
    /// what the columns add
    columns: Vec<usize>,
}

impl Places {
    pub(super) fn new(desc: &TensorDesc<'_>, order: FileOrder<'_>) -> Self {
        let [copies, rows, columns] = order.places(shape(desc));
        let of_copy = |copy: &usize| rows.iter().map(|row| copy + row).collect::<Vec<_>>();
        Self {
            rows: copies.iter().flat_map(of_copy).collect(),
            columns,
        }
    }

    /// The index in the file of each element in memory.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        let of_row = |row: &usize| {
            let row = *row;
            self.columns.iter().map(move |column| row + column)
        };
        self.rows.iter().flat_map(of_row)
    }

    fn gather<T: Copy>(&self, file: &[T], held: &mut [T]) {
        held.iter_mut()
            .zip(self.iter())
            .for_each(|(held, place)| *held = file[place]);
    }

    fn scatter<T: bytemuck::Zeroable + Copy>(&self, held: &[T]) -> Vec<T> {
        let mut file = vec![T::zeroed(); held.len()];
        held.iter()
            .zip(self.iter())
            .for_each(|(held, place)| file[place] = *held);
        file
    }
}

/// Reorders elements from file order to memory order.
pub(super) fn from_file(
    desc: &TensorDesc<'_>,
    order: FileOrder<'_>,
    file: &Elements,
    held: TensorMut<'_>,
) {
    let places = Places::new(desc, order);
    match (file, held) {
        (Elements::I8(file), TensorMut::I8(held)) => places.gather(file, held),
        (Elements::I16(file), TensorMut::I16(held)) => places.gather(file, held),
        (Elements::I32(file), TensorMut::I32(held)) => places.gather(file, held),
        (Elements::F32(file), TensorMut::F32(held)) => places.gather(file, held),
        (file, held) => panic!("{file:?} are no {held:?}"),
    }
}

/// The elements in file order.
pub(super) fn to_file(
    desc: &TensorDesc<'_>,
    order: FileOrder<'_>,
    held: TensorRef<'_>,
) -> Elements {
    let places = Places::new(desc, order);
    match held {
        TensorRef::I8(held) => Elements::I8(places.scatter(held)),
        TensorRef::I16(held) => Elements::I16(places.scatter(held)),
        TensorRef::I32(held) => Elements::I32(places.scatter(held)),
        TensorRef::F32(held) => Elements::F32(places.scatter(held)),
    }
}

/// Converts `held`, read from a file in the order `assumed`, to the result of reading it in the order
/// `actual`.
pub fn reread(
    desc: &TensorDesc<'_>,
    assumed: FileOrder<'_>,
    actual: FileOrder<'_>,
    held: TensorRef<'_>,
) -> Elements {
    let file = to_file(desc, assumed, held);
    let mut reread = Elements::zeroed(held.element(), held.len());
    from_file(desc, actual, &file, reread.borrow_mut());
    reread
}
