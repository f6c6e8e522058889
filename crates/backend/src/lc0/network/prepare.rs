//! Layers of files in the order of the kernels.

use nnue_runtime::boards::{Convolution, Matrix};

use super::super::weights::{Conv, Dense};

/// A convolution of 3 x 3.
pub(super) fn convolution(conv: &Conv) -> Convolution {
    Convolution::new(conv.channels, &conv.weights, &conv.bias)
}

/// A convolution of 1 x 1.
pub(super) fn of_squares(conv: &Conv) -> Matrix {
    Matrix::of_rows(conv.channels, &conv.weights, &conv.bias)
}

/// A layer over a row of numbers.
pub(super) fn of_rows(layer: &Dense) -> Matrix {
    Matrix::of_rows(layer.inputs, &layer.weights, &layer.bias)
}

/// A layer over whole boards.
pub(super) fn of_boards(layer: &Dense) -> Matrix {
    Matrix::of_boards(layer.inputs / 64, &layer.weights, &layer.bias)
}
