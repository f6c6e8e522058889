//! Elementwise expressions of described networks, operation by operation, for a line of 16 values at a time.
//!
//! ```text
//!   for each line:  for each operation:   last = operation(last), operation(last, constant) or operation(waiting, last)
//! ```
//!
//! The last result stays in registers. Only results that wait for a second operand are in memory.

use nnue_spec::elementwise::Scalar;

use super::line::{MOST_VECTORS, Vectors, each_vector, load, store};
use crate::integer::LANES;
use crate::memory::lanes_mut;
use crate::simd::{Simd, Task, Vector};

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

    /// The values of line `line`, then zeros.
    #[inline(always)]
    fn line<S: Simd>(self, simd: S, line: usize) -> Vectors<S> {
        let (mut values, at) = (Aligned([0; LANES]), line * LANES);
        match self {
            Self::Bytes(bytes) if bytes.len() >= at + LANES => {
                Self::Bytes(&bytes[at..][..LANES]).read(0, &mut values.0);
            }
            Self::Integers(integers) if integers.len() >= at + LANES => {
                values.0.copy_from_slice(&integers[at..][..LANES]);
            }
            part => part.read(at, &mut values.0),
        }
        load(simd, &values.0)
    }
}

/// A line of values.
#[repr(C, align(64))]
struct Aligned([i32; LANES]);

/// Evaluates a described expression.
///
/// # Panics
///
/// If an operand is missing or ends before the last line of `out`, or `waiting` is too short.
pub(crate) struct Interpret<'a> {
    pub(crate) code: &'a [Scalar],
    pub(crate) operands: &'a [Values<'a>],
    /// whole lines
    pub(crate) out: &'a mut [i32],
    /// scratch memory: a line for each value that the expression keeps at once
    pub(crate) waiting: &'a mut [i32],
}

impl Task for Interpret<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self {
            code,
            operands,
            out,
            waiting,
        } = self;
        for line in 0..out.len() / LANES {
            let mut count = 0;
            let mut last = [simd.zero_i32(); MOST_VECTORS];
            let mut rest = code;
            while let [scalar, after @ ..] = rest {
                rest = after;
                match *scalar {
                    Scalar::Operand(index) => {
                        store::<S>(last, &mut waiting[count * LANES..][..LANES]);
                        count += 1;
                        last = operands[index].line(simd, line);
                    }
                    Scalar::Constant(constant) => {
                        let constant = [simd.splat_i32(constant); MOST_VECTORS];
                        match after {
                            [next, after @ ..] if next.takes() == 2 => {
                                rest = after;
                                last = of_two(simd, *next, last, constant);
                            }
                            _ => {
                                store::<S>(last, &mut waiting[count * LANES..][..LANES]);
                                count += 1;
                                last = constant;
                            }
                        }
                    }
                    scalar if scalar.takes() == 1 => last = of_one(simd, scalar, last),
                    scalar => {
                        count -= 1;
                        last = of_two(
                            simd,
                            scalar,
                            load(simd, &waiting[count * LANES..][..LANES]),
                            last,
                        );
                    }
                }
            }
            store::<S>(last, &mut out[line * LANES..][..LANES]);
        }
    }
}

/// An operation of one value. A product with a power of two shifts, one with -1 negates: all is
/// modulo 2^32.
#[inline(always)]
fn of_one<S: Simd>(simd: S, scalar: Scalar, mut values: Vectors<S>) -> Vectors<S> {
    macro_rules! each {
        ($a:ident => $result:expr) => {
            each_vector!(S, V {
                let $a = values[V];
                values[V] = $result;
            })
        };
    }
    match scalar {
        Scalar::Absolute => {
            each!(a => simd.max_i32(a, simd.mul_low_i32(a, simd.splat_i32(-1))));
        }
        Scalar::ShiftLeft(bits) => each!(a => simd.mul_low_i32(a, simd.splat_i32(1 << bits))),
        Scalar::ShiftRight(bits) => each!(a => simd.shr_i32(a, bits)),
        _ => each!(a => of_lanes(a, scalar)),
    }
    values
}

/// An operation without an instruction, such as a division.
#[inline(always)]
fn of_lanes<V: Vector>(mut values: V, scalar: Scalar) -> V {
    for lane in lanes_mut::<V, i32>(&mut values) {
        *lane = scalar.apply(*lane, 0);
    }
    values
}

/// An operation of two values.
#[inline(always)]
fn of_two<S: Simd>(simd: S, scalar: Scalar, first: Vectors<S>, second: Vectors<S>) -> Vectors<S> {
    let mut values = first;
    macro_rules! each {
        ($a:ident, $b:ident => $result:expr) => {
            each_vector!(S, V {
                let ($a, $b) = (first[V], second[V]);
                values[V] = $result;
            })
        };
    }
    match scalar {
        Scalar::Add => each!(a, b => simd.add_i32(a, b)),
        Scalar::Subtract => {
            each!(a, b => simd.add_i32(a, simd.mul_low_i32(b, simd.splat_i32(-1))));
        }
        Scalar::Multiply => each!(a, b => simd.mul_low_i32(a, b)),
        Scalar::Minimum => each!(a, b => simd.min_i32(a, b)),
        Scalar::Maximum => each!(a, b => simd.max_i32(a, b)),
        other => unreachable!("{other:?} has not two operands"),
    }
    values
}
