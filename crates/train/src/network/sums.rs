//! The hot loops of training: sums of rows, and products of small matrices.
//!
//! ```text
//!              one tile: eight vectors in registers
//!   target     | = = = = = = = = | . . . . . . . . | . . . .
//!                      +
//!   row 12     | = = = = = = = = | . . . . . . . . | . . . .        add_rows: the rows of a list
//!   row 77     | = = = = = = = = | . . . . . . . . | . . . .        add_products: the next rows, each times a factor
//! ```
//!
//! A tile of the target is loaded and stored once while all rows are added to it, so each row costs only its
//! own loads. The loops are plain Rust, which the compiler vectorises for the level; every number is added in
//! the order of the rows, so all levels give the same bits.

use nnue_runtime::simd::Simd;
use nnue_spec::op::Real;

/// `target += source[row - first]` for each row of the list; rows have the length of the target.
///
/// # Panics
///
/// If `source` does not have a row.
#[inline(always)]
pub(crate) fn add_rows<S: Simd, T: Real>(
    _: S,
    target: &mut [T],
    source: &[T],
    rows: &[i32],
    first: i32,
) {
    match S::BYTES {
        64 => add_rows_by::<T, 128>(target, source, rows, first),
        32 => add_rows_by::<T, 64>(target, source, rows, first),
        _ => add_rows_by::<T, 32>(target, source, rows, first),
    }
}

#[inline(always)]
fn add_rows_by<T: Real, const TILE: usize>(
    target: &mut [T],
    source: &[T],
    rows: &[i32],
    first: i32,
) {
    let width = target.len();
    let (tiles, rest) = target.as_chunks_mut::<TILE>();
    for (number, tile) in tiles.iter_mut().enumerate() {
        let mut sums = *tile;
        for &row in rows {
            let row = &source[start(row, first, width) + number * TILE..][..TILE];
            for lane in 0..TILE {
                sums[lane] += row[lane];
            }
        }
        *tile = sums;
    }
    let done = width - rest.len();
    for &row in rows {
        add(rest, &source[start(row, first, width) + done..]);
    }
}

/// Start of a row. A row before the first wraps to an offset far behind the last.
#[inline(always)]
fn start(row: i32, first: i32, width: usize) -> usize {
    row.wrapping_sub(first) as u32 as usize * width
}

/// Rows of a matrix with a factor each: row i is `source[i * stride..]`, its factor
/// `factors[i * factor_stride]`.
#[derive(Clone, Copy)]
pub(super) struct Products<'a, T> {
    pub(super) source: &'a [T],
    pub(super) stride: usize,
    pub(super) factors: &'a [T],
    pub(super) factor_stride: usize,
    pub(super) count: usize,
}

/// `target += factor * row` for all rows.
#[inline(always)]
pub(super) fn add_products<S: Simd, T: Real>(_: S, target: &mut [T], products: Products<'_, T>) {
    match S::BYTES {
        64 => add_products_by::<T, 128>(target, products),
        32 => add_products_by::<T, 64>(target, products),
        _ => add_products_by::<T, 32>(target, products),
    }
}

#[inline(always)]
fn add_products_by<T: Real, const TILE: usize>(target: &mut [T], products: Products<'_, T>) {
    let Products {
        source,
        stride,
        factors,
        factor_stride,
        count,
    } = products;
    let width = target.len();
    let (tiles, rest) = target.as_chunks_mut::<TILE>();
    for (number, tile) in tiles.iter_mut().enumerate() {
        let mut sums = *tile;
        for index in 0..count {
            let (factor, row) = (
                factors[index * factor_stride],
                &source[index * stride + number * TILE..][..TILE],
            );
            for lane in 0..TILE {
                sums[lane] += factor * row[lane];
            }
        }
        *tile = sums;
    }
    let done = width - rest.len();
    for index in 0..count {
        add_scaled(
            rest,
            factors[index * factor_stride],
            &source[index * stride + done..],
        );
    }
}

#[inline(always)]
pub(crate) fn add_scaled<T: Real>(to: &mut [T], factor: T, from: &[T]) {
    let from = &from[..to.len()];
    for index in 0..to.len() {
        to[index] += factor * from[index];
    }
}

#[inline(always)]
pub(super) fn add<T: Real>(to: &mut [T], from: &[T]) {
    let from = &from[..to.len()];
    for index in 0..to.len() {
        to[index] += from[index];
    }
}

#[inline(always)]
pub(super) fn scale<T: Real>(values: &mut [T], factor: T) {
    for value in values {
        *value = *value * factor;
    }
}

/// Partial sums of a dot product: two AVX-512 vectors, which hides the latency of additions.
const LANES: usize = 32;

/// The dot product, in [`LANES`] partial sums; the upper half is added to the lower until one is left.
#[inline(always)]
pub(crate) fn dot<T: Real>(x: &[T], weights: &[T]) -> T {
    let weights = &weights[..x.len()];
    let mut lanes = [T::ZERO; LANES];
    let (x_blocks, x_rest) = x.as_chunks::<LANES>();
    let (weight_blocks, weight_rest) = weights.as_chunks::<LANES>();
    for block in 0..x_blocks.len() {
        for lane in 0..LANES {
            lanes[lane] += x_blocks[block][lane] * weight_blocks[block][lane];
        }
    }
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            lanes[lane] += lanes[lane + half];
        }
        half /= 2;
    }
    let mut sum = lanes[0];
    for index in 0..x_rest.len() {
        sum += x_rest[index] * weight_rest[index];
    }
    sum
}
