//! Elementwise expressions of described networks, operation by operation, for a line of 16 values at a time.
//!
//! ```text
//!   for each line:  for each operation:   last = operation(last), operation(last, constant) or operation(waiting, last)
//! ```
//!
//! The last result stays in registers. Only results that wait for another operand are in memory.

use bytemuck::Pod;
use nnue_spec::elementwise::Scalar;

use super::float_activation::exp;
use super::lanes::by_lanes;
use super::line::{MOST_VECTORS, each_vector, read, write};
use crate::integer::LANES;
use crate::simd::{Simd, Task, Vector};

/// The values of an operand of a described expression.
#[derive(Clone, Copy)]
pub(crate) enum Values<'a> {
    /// accumulators, one perspective after the other
    Accumulators(&'a [&'a [i16]]),
    /// bytes of layers
    Bytes(&'a [u8]),
    /// sums, or results of expressions
    Integers(&'a [i32]),
    /// float sums, or values that layers of floats read
    Floats(&'a [f32]),
}

impl Values<'_> {
    /// Integers from value `at` on, as many as there are and as `out` takes; floats have none.
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
            Self::Accumulators(halves) => {
                let neurons = halves.iter().copied().flatten().skip(at);
                for (out, &neuron) in out.iter_mut().zip(neurons) {
                    *out = neuron.into();
                }
            }
            Self::Floats(_) => {}
        }
    }

    /// The integers of line `line`, then zeros.
    #[inline(always)]
    fn integers(self, line: usize) -> Aligned<i32> {
        let (mut values, at) = (Aligned([0; LANES]), line * LANES);
        match self {
            Self::Bytes(bytes) if bytes.len() >= at + LANES => {
                Self::Bytes(&bytes[at..][..LANES]).read(0, &mut values.0);
            }
            Self::Integers(integers) if integers.len() >= at + LANES => {
                values.0.copy_from_slice(&integers[at..][..LANES]);
            }
            // Perspectives are whole lines.
            Self::Accumulators(halves) => {
                let width = halves[0].len();
                let line = &halves[at / width][at % width..];
                for (value, &neuron) in values.0.iter_mut().zip(line) {
                    *value = neuron.into();
                }
            }
            part => part.read(at, &mut values.0),
        }
        values
    }

    /// The floats of line `line`, then zeros; integers are converted.
    #[inline(always)]
    fn floats(self, line: usize) -> Aligned<f32> {
        let (mut values, at) = (Aligned([0.0; LANES]), line * LANES);
        match self {
            Self::Floats(floats) => {
                let rest = &floats[at..];
                let len = rest.len().min(LANES);
                values.0[..len].copy_from_slice(&rest[..len]);
            }
            integers => values.0 = integers.integers(line).0.map(|integer| integer as f32),
        }
        values
    }
}

/// A line of values.
#[repr(C, align(64))]
struct Aligned<T>([T; LANES]);

/// Numbers that expressions compute with: `i32` or `f32`.
pub(crate) trait Computed: Pod + Send + Sync {
    /// A vector of a level.
    type Vector<S: Simd>: Vector;

    /// Whether results after the last are read, so that they must be zero: a float for padding may be
    /// infinite, which a zero weight does not remove.
    const IS_PADDING_READ: bool;

    /// Zero in all lanes.
    fn zero<S: Simd>(simd: S) -> Self::Vector<S>;

    /// Line `line` of an operand.
    fn line<S: Simd>(simd: S, values: Values<'_>, line: usize) -> Line<S, Self>;

    /// The value of a constant, in all lanes.
    fn constant<S: Simd>(simd: S, scalar: Scalar) -> Self::Vector<S>;

    /// An operation of one value.
    fn of_one<S: Simd>(simd: S, scalar: Scalar, values: Line<S, Self>) -> Line<S, Self>;

    /// An operation of two values.
    fn of_two<S: Simd>(simd: S, scalar: Scalar, values: [Line<S, Self>; 2]) -> Line<S, Self>;

    /// An operation of three values.
    fn of_three<S: Simd>(simd: S, scalar: Scalar, values: [Line<S, Self>; 3]) -> Line<S, Self>;
}

/// The vectors of a line; those that the level does not need are unused.
type Line<S, N> = [<N as Computed>::Vector<S>; MOST_VECTORS];

/// Evaluates a described expression.
///
/// # Panics
///
/// If an operand is missing or ends before the last line of `out`, or `waiting` is too short.
pub(crate) struct Interpret<'a, N> {
    pub(crate) code: &'a [Scalar],
    pub(crate) operands: &'a [Values<'a>],
    /// whole lines
    pub(crate) out: &'a mut [N],
    /// scratch memory: a line for each value that the expression keeps at once
    pub(crate) waiting: &'a mut [N],
}

impl<N: Computed> Task for Interpret<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self {
            code,
            operands,
            out,
            waiting,
        } = self;
        let zero = N::zero(simd);
        let at = |count: usize| count * LANES..(count + 1) * LANES;
        for line in 0..out.len() / LANES {
            let (mut count, mut last, mut rest) = (0, [zero; MOST_VECTORS], code);
            while let [scalar, after @ ..] = rest {
                rest = after;
                let pushed = match *scalar {
                    Scalar::Operand(index) => N::line(simd, operands[index], line),
                    Scalar::Constant(_) | Scalar::Float(_) => {
                        let constant = [N::constant(simd, *scalar); MOST_VECTORS];
                        if let [next, after @ ..] = after
                            && next.takes() == 2
                        {
                            rest = after;
                            last = N::of_two(simd, *next, [last, constant]);
                            continue;
                        }
                        constant
                    }
                    scalar => {
                        let earlier = |back: usize| {
                            read::<S, N::Vector<S>, N>(&waiting[at(count - back)], zero)
                        };
                        last = match scalar.takes() {
                            1 => N::of_one(simd, scalar, last),
                            2 => N::of_two(simd, scalar, [earlier(1), last]),
                            _ => N::of_three(simd, scalar, [earlier(2), earlier(1), last]),
                        };
                        count -= scalar.takes() - 1;
                        continue;
                    }
                };
                write::<S, N::Vector<S>, N>(last, &mut waiting[at(count)]);
                count += 1;
                last = pushed;
            }
            write::<S, N::Vector<S>, N>(last, &mut out[at(line)]);
        }
    }
}

/// `each!(S, values, (a, b) => result)`: an operation on each vector of lines.
macro_rules! each {
    ($S:ident, [$($line:ident),+] => $result:expr) => {{
        let lines = ($($line,)+);
        let mut out = lines.0;
        each_vector!($S, AT {
            let ($($line,)+) = lines;
            $(let $line = $line[AT];)+
            out[AT] = $result;
        });
        out
    }};
}

impl Computed for i32 {
    type Vector<S: Simd> = S::I32;
    const IS_PADDING_READ: bool = false;

    #[inline(always)]
    fn zero<S: Simd>(simd: S) -> S::I32 {
        simd.zero_i32()
    }

    #[inline(always)]
    fn line<S: Simd>(simd: S, values: Values<'_>, line: usize) -> Line<S, Self> {
        read::<S, _, _>(&values.integers(line).0, Self::zero(simd))
    }

    #[inline(always)]
    fn constant<S: Simd>(simd: S, scalar: Scalar) -> S::I32 {
        match scalar {
            Scalar::Constant(constant) => simd.splat_i32(constant),
            other => unreachable!("{other:?} is no constant of integers"),
        }
    }

    /// A product with a power of two shifts, one with -1 negates: all is modulo 2^32.
    #[inline(always)]
    fn of_one<S: Simd>(simd: S, scalar: Scalar, a: Line<S, Self>) -> Line<S, Self> {
        match scalar {
            Scalar::Absolute => {
                each!(S, [a] => simd.max_i32(a, simd.mul_low_i32(a, simd.splat_i32(-1))))
            }
            Scalar::ShiftLeft(bits) => {
                each!(S, [a] => simd.mul_low_i32(a, simd.splat_i32(1 << bits)))
            }
            Scalar::ShiftRight(bits) => each!(S, [a] => simd.shr_i32(a, bits)),
            _ => each!(S, [a] => by_lanes::<i32, S::I32, 1>(scalar, [a])),
        }
    }

    #[inline(always)]
    fn of_two<S: Simd>(simd: S, scalar: Scalar, [a, b]: [Line<S, Self>; 2]) -> Line<S, Self> {
        match scalar {
            Scalar::Add => each!(S, [a, b] => simd.add_i32(a, b)),
            Scalar::Subtract => {
                each!(S, [a, b] => simd.add_i32(a, simd.mul_low_i32(b, simd.splat_i32(-1))))
            }
            Scalar::Multiply => each!(S, [a, b] => simd.mul_low_i32(a, b)),
            Scalar::Minimum => each!(S, [a, b] => simd.min_i32(a, b)),
            Scalar::Maximum => each!(S, [a, b] => simd.max_i32(a, b)),
            _ => each!(S, [a, b] => by_lanes::<i32, S::I32, 2>(scalar, [a, b])),
        }
    }

    #[inline(always)]
    fn of_three<S: Simd>(_: S, scalar: Scalar, [a, b, c]: [Line<S, Self>; 3]) -> Line<S, Self> {
        each!(S, [a, b, c] => by_lanes::<i32, S::I32, 3>(scalar, [a, b, c]))
    }
}

impl Computed for f32 {
    type Vector<S: Simd> = S::F32;
    const IS_PADDING_READ: bool = true;

    #[inline(always)]
    fn zero<S: Simd>(simd: S) -> S::F32 {
        simd.splat_f32(0.0)
    }

    #[inline(always)]
    fn line<S: Simd>(simd: S, values: Values<'_>, line: usize) -> Line<S, Self> {
        read::<S, _, _>(&values.floats(line).0, Self::zero(simd))
    }

    #[inline(always)]
    fn constant<S: Simd>(simd: S, scalar: Scalar) -> S::F32 {
        match scalar {
            Scalar::Float(bits) => simd.splat_f32(Self::from_bits(bits)),
            other => unreachable!("{other:?} is no constant of floats"),
        }
    }

    #[inline(always)]
    fn of_one<S: Simd>(simd: S, scalar: Scalar, a: Line<S, Self>) -> Line<S, Self> {
        match scalar {
            Scalar::Absolute => each!(S, [a] => simd.abs_f32(a)),
            Scalar::Exponential => each!(S, [a] => exp(simd, a)),
            _ => each!(S, [a] => by_lanes::<f32, S::F32, 1>(scalar, [a])),
        }
    }

    #[inline(always)]
    fn of_two<S: Simd>(simd: S, scalar: Scalar, [a, b]: [Line<S, Self>; 2]) -> Line<S, Self> {
        match scalar {
            Scalar::Add => each!(S, [a, b] => simd.add_f32(a, b)),
            Scalar::Subtract => each!(S, [a, b] => simd.sub_f32(a, b)),
            Scalar::Multiply => each!(S, [a, b] => simd.mul_f32(a, b)),
            Scalar::Minimum => each!(S, [a, b] => simd.min_f32(a, b)),
            Scalar::Maximum => each!(S, [a, b] => simd.max_f32(a, b)),
            Scalar::Quotient => each!(S, [a, b] => simd.div_f32(a, b)),
            _ => each!(S, [a, b] => by_lanes::<f32, S::F32, 2>(scalar, [a, b])),
        }
    }

    #[inline(always)]
    fn of_three<S: Simd>(simd: S, scalar: Scalar, [a, b, c]: [Line<S, Self>; 3]) -> Line<S, Self> {
        match scalar {
            Scalar::MultiplyAdd => each!(S, [a, b, c] => simd.mul_add_f32(a, b, c)),
            _ => each!(S, [a, b, c] => by_lanes::<f32, S::F32, 3>(scalar, [a, b, c])),
        }
    }
}
