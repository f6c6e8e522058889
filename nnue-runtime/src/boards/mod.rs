//! Layers over many boards of 8 x 8 squares at once, with sizes that are known at run time: the
//! parts of residual towers.
//!
//! ```text
//!   Table         rows of floats; boards are 64 rows each, with a column for each channel
//!   Convolution   3 x 3, by Winograd's transforms
//!   Matrix        1 x 1, or a layer over whole boards
//!   means, excite squeeze and excitation: factors and summands for the channels of a board, made of their means
//! ```
//!
//! Weights may come from any file. Every sum has a fixed order, and each product is fused with its
//! addition, so every level gives the same bits. The layers are fast in batches of ten or more
//! boards, which share the loads of the weights.
//!
//! ```
//! use nnue_runtime::boards::{After, Convolution, Scratch, Table};
//! use nnue_runtime::Level;
//!
//! // each square becomes the sum of itself and of its neighbours
//! let convolution = Convolution::new(1, &[1.0; 9], &[0.0]);
//! let mut board = Table::new();
//! board.resize(64, 1);
//! let stride = board.stride();
//! board.floats_mut()[9 * stride] = 1.0; // b2
//! let mut sums = Table::new();
//! convolution.run(Level::detect(), &board, After::Nothing, &mut sums, &mut Scratch::new());
//! assert_eq!([0, 9, 18, 27].map(|square| sums.row(square)[0].round()), [1.0, 1.0, 1.0, 0.0]);
//! ```

mod convolution;
mod matrix;
mod table;
#[cfg(test)]
mod tests;

pub use convolution::{After, Convolution, Scratch};
pub use matrix::Matrix;
pub use table::Table;

use crate::kernel::planes::Pool;
use crate::kernel::winograd::{Excite, SQUARES};
use crate::simd::{AvailableLevel, dispatch_family};

/// The means over all squares, one row for each board.
pub fn means(level: AvailableLevel, x: &Table, y: &mut Table) {
    let (boards, lines) = (x.rows() / SQUARES, x.lines_of_row());
    y.resize(boards, x.columns());
    let size = [boards, 1];
    dispatch_family(
        level,
        Pool {
            x: &x.lines,
            row: 8 * lines,
            lines,
            kernel: 8,
            stride: 8,
            size,
            mean: true,
            y: &mut y.lines,
        },
    );
}

/// `y = max((y * gate + shift) + skip, 0)`, with a row of gates and of shifts for each board.
///
/// # Panics
///
/// If the sizes do not match.
pub fn excite(level: AvailableLevel, gate: &Table, shift: &Table, skip: &Table, y: &mut Table) {
    let lines = y.lines_of_row();
    let boards = y.rows() / SQUARES;
    assert!(
        skip.lines.len() == y.lines.len()
            && [gate, shift]
                .iter()
                .all(|table| table.lines.len() == boards * lines)
    );
    let Table { lines: y, .. } = y;
    dispatch_family(
        level,
        Excite {
            gate: &gate.lines,
            shift: &shift.lines,
            skip: &skip.lines,
            lines,
            y,
        },
    );
}
