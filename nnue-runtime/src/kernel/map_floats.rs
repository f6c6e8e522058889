//! Elementwise expressions of declared networks, of floats: functions of one vector of each operand.
//!
//! Each operation is one of [`crate::simd::FloatLanes`], in the declared order, so that every level gives the
//! same bits.
//!
//! ```text
//!   out[j] = f(x0[j], x1[j], ..)
//! ```

use crate::memory::{Floats, view, view_mut};
use crate::simd::Simd;

/// An expression of `K` operands.
pub trait FloatExpression<const K: usize> {
    /// The results for one vector of each operand.
    fn of<S: Simd>(simd: S, operands: [S::F32; K]) -> S::F32;
}

/// The results of an expression for `LEN` values of each operand, padded with zeros.
#[inline(always)]
pub fn map_floats<
    S: Simd,
    E: FloatExpression<K>,
    const K: usize,
    const LEN: usize,
    const PADDED: usize,
>(
    simd: S,
    operands: [Floats<PADDED>; K],
) -> Floats<PADDED> {
    const { assert!(LEN <= PADDED) }
    let mut out = Floats::<PADDED>::zeroed();
    for (at, out) in view_mut::<S::F32, _>(&mut out.0).iter_mut().enumerate() {
        let operands = operands.each_ref();
        *out = E::of(
            simd,
            operands.map(|values| view::<S::F32, _>(&values.0)[at]),
        );
    }
    // A result for padding may be infinite, which a zero weight does not remove.
    out.0[LEN..].fill(0.0);
    out
}

/// `LEN` floats from value `START` on, padded with zeros.
///
/// # Panics
///
/// If there are fewer.
#[inline(always)]
pub fn floats<const START: usize, const LEN: usize, const PADDED: usize>(
    values: &[f32],
) -> Floats<PADDED> {
    let mut out = Floats::zeroed();
    out.0[..LEN].copy_from_slice(&values[START..][..LEN]);
    out
}

/// The nearest floats of integers, padded with zeros.
#[inline(always)]
pub fn converted<const LEN: usize, const PADDED: usize>(integers: [i32; LEN]) -> Floats<PADDED> {
    let mut out = Floats::zeroed();
    for (out, integer) in out.0.iter_mut().zip(integers) {
        *out = integer as f32;
    }
    out
}
