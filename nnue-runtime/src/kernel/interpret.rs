//! Elementwise expressions of described networks, operation by operation, for a block of values at a time.
//!
//! ```text
//!   for each block of 32 values:  for each operation:   values[top] = operation(values[top], ..)
//! ```

use nnue_spec::elementwise::{MAX_DEPTH, Scalar};

use crate::simd::{Simd, Task};

/// Values of a block.
const BLOCK: usize = 32;

/// The values of an operand of a described expression.
#[derive(Clone, Copy)]
pub(crate) enum Values<'a> {
    /// bytes of layers
    Bytes(&'a [u8]),
    /// sums, or results of expressions
    Integers(&'a [i32]),
}

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

/// Evaluates a described expression. Its [`depth`](nnue_spec::elementwise::depth) is at most
/// [`MAX_DEPTH`].
///
/// # Panics
///
/// If an operand is missing or shorter than `out`.
pub(crate) struct Interpret<'a> {
    pub(crate) code: &'a [Scalar],
    pub(crate) operands: &'a [Values<'a>],
    pub(crate) out: &'a mut [i32],
}

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
