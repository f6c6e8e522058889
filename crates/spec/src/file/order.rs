//! The order of the elements of a tensor in a file.

use alloc::vec::Vec;

use super::axes::{Axes, Axis, HELD};

/// The order of the elements of a tensor in a header-less file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileOrder<'a> {
    /// the axes, outermost first
    pub axes: Axes<'a>,
    /// whether the columns of the two perspectives alternate
    pub interleaved: bool,
    /// whether in each 768 rows, those of the pieces of both sides, the second half comes first
    pub enemy_first: bool,
}

/// Rows of the pieces of both sides: six kinds on 64 squares each.
const ROWS_OF_BOTH: usize = 768;

impl FileOrder<'_> {
    /// The order in memory.
    pub const HELD: FileOrder<'static> = FileOrder {
        axes: HELD,
        interleaved: false,
        enemy_first: false,
    };

    /// The index in the file of element `[copy][row][column]` of a tensor of shape `[copies, rows, columns]`.
    ///
    /// ```text
    ///   held:         a0 a1 a2 .. b0 b1 b2 ..        interleaved:  a0 b0 a1 b1 a2 b2 ..
    /// ```
    pub fn place(self, shape: [usize; 3], element: [usize; 3]) -> usize {
        let places = Axis::ALL.map(|axis| self.place_along(axis, shape, element[axis as usize]));
        places.iter().sum()
    }

    /// For each axis, what each of its indices adds to the place of an element.
    pub fn places(self, shape: [usize; 3]) -> [Vec<usize>; 3] {
        let along = |axis: Axis| {
            (0..shape[axis as usize]).map(move |index| self.place_along(axis, shape, index))
        };
        Axis::ALL.map(|axis| along(axis).collect())
    }

    /// What `index` of an axis adds to the place of an element.
    fn place_along(self, axis: Axis, shape: [usize; 3], index: usize) -> usize {
        let index = self.moved(axis, shape, index);
        let (mut place, mut stride) = (0, 1);
        for part in self.axes.iter().rev() {
            let length = shape[part.axis as usize];
            if part.axis == axis {
                place += stride * part.place(length, index);
            }
            stride *= part.length(length);
        }
        place
    }

    /// The index along an axis whose rows are exchanged or whose columns alternate.
    fn moved(self, axis: Axis, shape: [usize; 3], index: usize) -> usize {
        match axis {
            Axis::Column if self.interleaved => {
                let half = shape[2] / 2;
                index % half * 2 + index / half
            }
            Axis::Row if self.enemy_first => {
                if index % ROWS_OF_BOTH < ROWS_OF_BOTH / 2 {
                    index + ROWS_OF_BOTH / 2
                } else {
                    index - ROWS_OF_BOTH / 2
                }
            }
            _ => index,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::axes::Part;
    use super::*;

    const ROWS: FileOrder<'static> = FileOrder {
        enemy_first: true,
        ..FileOrder::HELD
    };

    const UNTRANSPOSED: &[Part] = &[
        Part::whole(Axis::Column),
        Part::whole(Axis::Copy),
        Part::whole(Axis::Row),
    ];

    fn of(axes: Axes<'_>) -> FileOrder<'_> {
        FileOrder {
            axes,
            ..FileOrder::HELD
        }
    }

    #[test]
    fn elements_stand_where_the_axes_say() {
        let shape = [8, 2, 5];
        assert_eq!(of(HELD).place(shape, [1, 0, 2]), 12);
        assert_eq!(of(UNTRANSPOSED).place(shape, [1, 0, 2]), 2 * 16 + 2);
        assert_eq!(of(UNTRANSPOSED).place(shape, [7, 1, 4]), 79);
    }

    #[test]
    fn parts_of_an_axis_are_digits_of_its_index() {
        let input = Part::whole(Axis::Column);
        let packed = [
            Part::whole(Axis::Copy),
            Part { over: 4, ..input },
            Part::whole(Axis::Row),
            Part {
                modulo: Some(4),
                reversed: true,
                ..input
            },
        ];
        let shape = [2, 3, 8];
        // stack 1, inputs 4 to 7, output 2, the second of them counted from the last
        let expected = ((2 + 1) * 3 + 2) * 4 + (3 - 1);
        assert_eq!(of(&packed).place(shape, [1, 2, 5]), expected);
        let [copies, rows, columns] = of(&packed).places(shape);
        let mut all: Vec<usize> = (0..48)
            .map(|at| copies[at / 24] + rows[at / 8 % 3] + columns[at % 8])
            .collect();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..48), "each place once");
    }

    #[test]
    fn columns_of_two_perspectives_alternate() {
        let order = FileOrder {
            interleaved: true,
            ..FileOrder::HELD
        };
        let places = |shape| {
            (0..6)
                .map(|column| order.place(shape, [0, 0, column]))
                .collect::<Vec<_>>()
        };
        assert_eq!(places([1, 1, 6]), [0, 2, 4, 1, 3, 5]);
        let by_input = FileOrder {
            axes: UNTRANSPOSED,
            interleaved: true,
            enemy_first: false,
        };
        assert_eq!(by_input.place([8, 2, 6], [3, 1, 4]), 3 * 16 + 3 * 2 + 1);
    }

    #[test]
    fn rows_of_the_enemy_come_first() {
        let places = [0, 383, 384, 767, 768, 1152].map(|row| ROWS.place([1, 1536, 1], [0, row, 0]));
        assert_eq!(places, [384, 767, 0, 383, 1152, 768]);
    }
}
