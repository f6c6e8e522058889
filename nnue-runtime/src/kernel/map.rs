//! Elementwise expressions of declared networks: functions of one value of each operand.
//!
//! They are compiled for the level together with the forward pass, so that the loop over the values becomes
//! vectors.
//!
//! ```text
//!   out[j] = f(x0[j], x1[j], ..)
//! ```

use crate::memory::Sums;

/// An expression of `K` operands.
pub trait Elementwise<const K: usize> {
    /// The result for one value of each operand.
    fn of(operands: [i32; K]) -> i32;
}

/// The results of an expression for `LEN` values of each operand, padded with zeros to `PADDED`.
#[inline(always)]
pub fn map<E: Elementwise<K>, const K: usize, const LEN: usize, const PADDED: usize>(
    operands: [[i32; LEN]; K],
) -> Sums<PADDED> {
    const { assert!(LEN <= PADDED) }
    let mut out = Sums::zeroed();
    for at in 0..LEN {
        let mut values = [0; K];
        for (value, operand) in values.iter_mut().zip(&operands) {
            *value = operand[at];
        }
        out.0[at] = E::of(values);
    }
    out
}

/// `LEN` integers from value `START` on.
///
/// # Panics
///
/// If there are fewer.
#[inline(always)]
pub fn integers<const START: usize, const LEN: usize>(values: &[i32]) -> [i32; LEN] {
    let mut out = [0; LEN];
    out.copy_from_slice(&values[START..][..LEN]);
    out
}

/// The neurons of accumulators, one perspective after the other.
#[inline(always)]
pub fn accumulators<const LEN: usize, const W: usize, const P: usize>(
    values: [&[i16; W]; P],
) -> [i32; LEN] {
    const { assert!(LEN == W * P) }
    let mut out = [0; LEN];
    for (out, neuron) in out.iter_mut().zip(values.into_iter().flatten()) {
        *out = (*neuron).into();
    }
    out
}

/// `LEN` bytes from value `START` on, as integers.
///
/// # Panics
///
/// If there are fewer.
#[inline(always)]
pub fn widened<const START: usize, const LEN: usize>(bytes: &[u8]) -> [i32; LEN] {
    let mut out = [0; LEN];
    for (out, &byte) in out.iter_mut().zip(&bytes[START..][..LEN]) {
        *out = byte.into();
    }
    out
}

/// Parts of buffers one after the other, then zeros: the input of a layer of integers.
///
/// # Panics
///
/// If they are more than `N` values.
#[inline(always)]
pub fn integers_join<const N: usize>(parts: &[&[i32]]) -> Sums<N> {
    let mut out = Sums::zeroed();
    let mut at = 0;
    for part in parts {
        out.0[at..at + part.len()].copy_from_slice(part);
        at += part.len();
    }
    out
}
