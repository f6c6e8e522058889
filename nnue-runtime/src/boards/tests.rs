//! Compares layers over boards with sums in 64-bit floats, and all levels with each other.

use alloc::vec::Vec;

use nnue_spec::Activation;

use super::{After, Convolution, Matrix, Scratch, Table, excite, means};
use crate::simd::{AvailableLevel, Level};

/// Numbers from -1 to 1.
fn numbers(seed: u64, count: usize) -> Vec<f32> {
    let mut state = seed;
    let next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    core::iter::repeat_with(next).take(count).collect()
}

/// A table of random numbers, including the padding.
fn table(seed: u64, rows: usize, columns: usize) -> Table {
    let mut table = Table::new();
    table.resize(rows, columns);
    let count = table.floats().len();
    table.floats_mut().copy_from_slice(&numbers(seed, count));
    table
}

fn levels() -> Vec<AvailableLevel> {
    Level::ALL
        .iter()
        .filter_map(|level| level.check().ok())
        .collect()
}

/// The bits of all rows without the padding.
fn bits(table: &Table) -> Vec<u32> {
    (0..table.rows())
        .flat_map(|row| table.row(row).iter().map(|value| value.to_bits()))
        .collect()
}

/// The direct sum of a window, and the sum of the magnitudes of its weights, which bounds the
/// products with inputs up to 1.
fn window(x: &Table, weights: &[f32], output: usize, board: usize, square: usize) -> (f64, f64) {
    let (row, column, channels) = (square / 8, square % 8, x.columns());
    let (mut sum, mut magnitude) = (0.0, 0.0);
    for channel in 0..channels {
        for (i, j) in (0..9).map(|at| (at / 3, at % 3)) {
            let weight = f64::from(weights[(output * channels + channel) * 9 + 3 * i + j]);
            magnitude += weight.abs();
            if (1..9).contains(&(row + i)) && (1..9).contains(&(column + j)) {
                let from = (row + i - 1) * 8 + column + j - 1;
                sum += weight * f64::from(x.row(board * 64 + from)[channel]);
            }
        }
    }
    (sum, magnitude)
}

#[test]
fn convolutions_are_sums_of_windows() {
    for (boards, channels, outputs) in
        [(1, 1, 1), (2, 5, 17), (3, 16, 80), (5, 33, 40), (1, 64, 64)]
    {
        let weights = numbers(1, 9 * channels * outputs);
        let bias = numbers(2, outputs);
        let (x, skip) = (
            table(3, 64 * boards, channels),
            table(4, 64 * boards, outputs),
        );
        let convolution = Convolution::new(channels, &weights, &bias);
        assert_eq!(convolution.outputs(), outputs);
        let (mut scratch, mut y) = (Scratch::new(), Table::new());
        for after in [After::Nothing, After::Relu, After::AddRelu(&skip)] {
            let mut first = Vec::new();
            for level in levels() {
                convolution.run(level, &x, after, &mut y, &mut scratch);
                first = if first.is_empty() { bits(&y) } else { first };
                assert_eq!(bits(&y), first, "{level:?}");
            }
            for (board, square, output) in (0..boards * 64 * outputs)
                .step_by(7)
                .map(|at| (at / outputs / 64, at / outputs % 64, at % outputs))
            {
                let (sum, magnitude) = window(&x, &weights, output, board, square);
                let mut expected = sum + f64::from(bias[output]);
                let row = board * 64 + square;
                expected = match after {
                    After::Nothing => expected,
                    After::Relu => expected.max(0.0),
                    After::AddRelu(skip) => (expected + f64::from(skip.row(row)[output])).max(0.0),
                };
                let found = f64::from(y.row(row)[output]);
                let most = 1e-6 * (1.0 + magnitude);
                assert!(
                    (found - expected).abs() < most,
                    "{channels} -> {outputs}: {found} for {expected}"
                );
            }
        }
    }
}

#[test]
fn layers_are_sums_of_products() {
    for (rows, inputs, outputs) in [
        (1, 20, 130),
        (3, 7, 16),
        (4, 64, 64),
        (13, 33, 81),
        (64, 1, 1),
    ] {
        let (weights, bias, x) = (
            numbers(5, inputs * outputs),
            numbers(6, outputs),
            table(7, rows, inputs),
        );
        let matrix = Matrix::of_rows(inputs, &weights, &bias);
        let (mut y, mut first) = (Table::new(), Vec::new());
        for level in levels() {
            matrix.run(level, &x, Some(Activation::Relu), &mut y);
            first = if first.is_empty() { bits(&y) } else { first };
            assert_eq!(bits(&y), first, "{level:?}");
        }
        assert_eq!(
            (y.rows(), y.columns(), matrix.outputs()),
            (rows, outputs, outputs)
        );
        for (row, output) in (0..rows * outputs).map(|at| (at / outputs, at % outputs)) {
            let products = x.row(row).iter().zip(&weights[output * inputs..]);
            let sum: f64 = products.map(|(&x, &w)| f64::from(x) * f64::from(w)).sum();
            let expected = (sum + f64::from(bias[output])).max(0.0);
            assert!((f64::from(y.row(row)[output]) - expected).abs() < 1e-5);
        }
    }
}

/// A layer over boards reads channel by channel, and nothing of the padding.
#[test]
fn layers_over_boards_read_whole_boards() {
    let (boards, channels, outputs) = (3, 5, 4);
    let (weights, bias) = (numbers(8, 64 * channels * outputs), numbers(9, outputs));
    let x = table(10, 64 * boards, channels);
    let mut y = Table::new();
    Matrix::of_boards(channels, &weights, &bias).run(Level::detect(), &x, None, &mut y);
    assert_eq!(y.rows(), boards);
    for (board, output) in (0..boards * outputs).map(|at| (at / outputs, at % outputs)) {
        let mut expected = f64::from(bias[output]);
        for (channel, square) in (0..64 * channels).map(|at| (at / 64, at % 64)) {
            let weight = weights[(output * channels + channel) * 64 + square];
            expected += f64::from(weight) * f64::from(x.row(board * 64 + square)[channel]);
        }
        assert!((f64::from(y.row(board)[output]) - expected).abs() < 1e-4);
    }
}

#[test]
fn squeeze_and_excitation() {
    let (boards, channels) = (3, 20);
    let (x, skip) = (
        table(11, 64 * boards, channels),
        table(12, 64 * boards, channels),
    );
    let (gate, shift) = (table(13, boards, channels), table(14, boards, channels));
    let mut first = Vec::new();
    for level in levels() {
        let (mut squeezed, mut y) = (Table::new(), x.clone());
        means(level, &x, &mut squeezed);
        excite(level, &gate, &shift, &skip, &mut y);
        let all = [bits(&squeezed), bits(&y)].concat();
        first = if first.is_empty() { all.clone() } else { first };
        assert_eq!(all, first, "{level:?}");
        for (board, channel) in (0..boards * channels).map(|at| (at / channels, at % channels)) {
            let values = (0..64).map(|square| x.row(64 * board + square)[channel]);
            assert!((squeezed.row(board)[channel] - values.sum::<f32>() / 64.0).abs() < 1e-6);
            let row = 64 * board + 17;
            let value =
                x.row(row)[channel].mul_add(gate.row(board)[channel], shift.row(board)[channel]);
            assert_eq!(
                y.row(row)[channel],
                (value + skip.row(row)[channel]).max(0.0)
            );
        }
    }
}
