//! Elementwise expressions of 32-bit integers.
//!
//! An expression of a declared network is a function of one value of each operand, compiled for the level
//! together with the forward pass: the loop over the values becomes vectors. One of a described network is
//! read operation by operation, for a block of values at a time.
//!
//! ```text
//!   declared:    out[j] = f(x0[j], x1[j], ..)                        a loop over j, vectorised by the compiler
//!   described:   for each block of 32 values:  for each operation:   values[top] = operation(values[top], ..)
//! ```

#[cfg(feature = "described")]
use nnue_spec::elementwise::{MAX_DEPTH, Scalar};

use crate::memory::Sums;
#[cfg(feature = "described")]
use crate::simd::{Simd, Task};

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

/// Parts of buffers one after the other: the input of a layer of `N` integers.
///
/// # Panics
///
/// If they are more than `N` values.
#[inline(always)]
pub fn integers_join<const N: usize>(parts: &[&[i32]]) -> [i32; N] {
    let mut out = [0; N];
    let mut at = 0;
    for part in parts {
        out[at..at + part.len()].copy_from_slice(part);
        at += part.len();
    }
    out
}

/// Values of a block.
#[cfg(feature = "described")]
const BLOCK: usize = 32;

/// The values of an operand of a described expression.
#[cfg(feature = "described")]
#[derive(Clone, Copy)]
pub(crate) enum Values<'a> {
    /// bytes of layers
    Bytes(&'a [u8]),
    /// sums, or results of expressions
    Integers(&'a [i32]),
}

#[cfg(feature = "described")]
impl Values<'_> {
    /// Values from `at` on, as many as there are and as `out` takes.
    #[inline(always)]
    pub(crate) fn read(self, at: usize, out: &mut [i32]) {
        match self {
            Self::Bytes(bytes) => {
                for (out, &byte) in out.iter_mut().zip(&bytes[at..]) {
                    *out = byte.into();
                }
            }
            Self::Integers(integers) => {
                for (out, &integer) in out.iter_mut().zip(&integers[at..]) {
                    *out = integer;
                }
            }
        }
    }
}

/// Evaluates a described expression, of which [`depth`](nnue_spec::elementwise::depth) is at most
/// [`MAX_DEPTH`].
///
/// # Panics
///
/// If an operand is missing or shorter than `out`.
#[cfg(feature = "described")]
pub(crate) struct Interpret<'a> {
    pub(crate) code: &'a [Scalar],
    pub(crate) operands: &'a [Values<'a>],
    pub(crate) out: &'a mut [i32],
}

#[cfg(feature = "described")]
impl Task for Interpret<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let mut values = [[0; BLOCK]; MAX_DEPTH];
        for (block, out) in self.out.chunks_mut(BLOCK).enumerate() {
            let mut count = 0;
            for &scalar in self.code {
                count -= scalar.takes();
                let (first, rest) = values[count..].split_at_mut(1);
                let (first, second) = (&mut first[0], rest.first());
                match scalar {
                    Scalar::Operand(index) => {
                        self.operands[index].read(block * BLOCK, &mut first[..out.len()]);
                    }
                    _ => apply(scalar, first, second.unwrap_or(&[0; BLOCK])),
                }
                count += 1;
            }
            out.copy_from_slice(&values[0][..out.len()]);
        }
    }
}

/// An operation of the values of a block: one loop for each, without a choice inside.
#[cfg(feature = "described")]
#[inline(always)]
fn apply(scalar: Scalar, first: &mut [i32; BLOCK], second: &[i32; BLOCK]) {
    macro_rules! each {
        ($($variant:ident $(($constant:ident))?),*) => {
            match scalar {
                $(Scalar::$variant $(($constant))? => {
                    for at in 0..BLOCK {
                        first[at] = Scalar::$variant $(($constant))?.apply(first[at], second[at]);
                    }
                })*
            }
        };
    }
    each!(
        Operand(index),
        Constant(constant),
        Add,
        Subtract,
        Multiply,
        Minimum,
        Maximum,
        Absolute,
        ShiftLeft(bits),
        ShiftRight(bits),
        Divide(divisor)
    );
}
