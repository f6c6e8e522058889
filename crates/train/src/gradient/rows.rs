//! The gradient of feature weights, row by row, from that of the accumulators.
//!
//! ```text
//!   of_row  = sum of the gradients of the accumulators that have the row
//!   of_psqt = sum of plus, for the second perspective minus, the gradient of the PSQT output, in the column of the stack;
//!             of floats, of the first perspective only, in all columns
//! ```

use nnue_runtime::simd::{self, Simd, dispatch_family};
use nnue_spec::op::Real;

use super::part::{Part, Task};
use crate::network::{Psqt, Rows, add_rows};

/// Adds the gradients of all parts to some rows.
pub(super) fn add<T: Real>(task: &Task<'_, T>, parts: &[&Part<T>], rows: &mut Rows<'_, T>) {
    let transformer = task.network.transformer();
    if let Some(psqt) = &transformer.psqt {
        add_psqt(task, parts, rows, psqt);
    }
    let (width, separate) = (transformer.width(), transformer.is_separate());
    dispatch_family(
        task.network.level(),
        AddRows {
            parts,
            rows,
            width,
            separate,
        },
    );
}

struct AddRows<'a, 'b, T> {
    parts: &'a [&'a Part<T>],
    rows: &'a mut Rows<'b, T>,
    width: usize,
    separate: bool,
}

impl<T: Real> simd::Task for AddRows<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self {
            parts,
            rows,
            width,
            separate,
        } = self;
        for (side, weight) in rows.weight.iter_mut().enumerate() {
            for (index, of_row) in weight.chunks_exact_mut(width).enumerate() {
                let row = rows.first + index;
                let number = if separate { 2 * row + side } else { row };
                for part in parts {
                    let accumulators = part.pairs.of(number);
                    if !accumulators.is_empty() {
                        add_rows(simd, of_row, &part.of_accumulators, accumulators, 0);
                    }
                }
            }
        }
    }
}

fn add_psqt<T: Real>(
    task: &Task<'_, T>,
    parts: &[&Part<T>],
    rows: &mut Rows<'_, T>,
    psqt: &Psqt<T>,
) {
    let (perspectives, stacks) = (task.network.perspectives() as i32, task.batch.stacks());
    let sides = if task.network.transformer().is_separate() {
        2
    } else {
        1
    };
    for (index, of_row) in rows.psqt.chunks_exact_mut(psqt.count).enumerate() {
        for part in parts {
            for number in (rows.first + index) * sides..(rows.first + index + 1) * sides {
                for &accumulator in part.pairs.of(number) {
                    let position = (accumulator / perspectives) as usize;
                    let stack = usize::from(stacks[part.positions.start + position]);
                    psqt.add(
                        of_row,
                        part.of_psqt[position],
                        ((accumulator % perspectives) as usize, stack),
                    );
                }
            }
        }
    }
}
