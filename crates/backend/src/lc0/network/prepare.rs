//! Converts layers of files to the layouts of the kernels.

use nnue_runtime::boards::{Convolution, Matrix};

use super::super::weights::{Conv, Dense};

/// A 3 x 3 convolution.
pub(super) fn convolution(conv: &Conv) -> Convolution {
    Convolution::new(conv.channels, &conv.weights, &conv.bias)
}

/// A 1 x 1 convolution.
pub(super) fn of_squares(conv: &Conv) -> Matrix {
    Matrix::of_rows(conv.channels, &conv.weights, &conv.bias)
}

/// A layer over a vector.
pub(super) fn of_rows(layer: &Dense) -> Matrix {
    Matrix::of_rows(layer.inputs, &layer.weights, &layer.bias)
}

/// A layer over whole boards.
pub(super) fn of_boards(layer: &Dense) -> Matrix {
    Matrix::of_boards(layer.inputs / 64, &layer.weights, &layer.bias)
}
