//! Elementwise expressions: `clamp(y >> 8, 0, 64) << 6` of integers, `y * clamp(y + 3.0, 0.0, 6.0)` of floats.
//!
//! A declaration writes them over sums of layers and over values that layers read. A checked expression is a
//! list of [`Scalar`] operations in postfix order. Each result has the index of its operands.
//!
//! ```text
//!   clamp(y >> 8, 0, 64) << 6      y  >> 8  0  max  64  min  << 6
//! ```
//!
//! Every value of an expression is of one type. Integers are `i32` and computed modulo 2^32; the checks prove
//! that no operation wraps, unless the declaration says `wrapping_..`. Floats are `f32`: each operation is
//! rounded once, in the order that is written, and integer operands are converted when they are read.

mod scalar;

use alloc::vec::Vec;

use crate::descriptor::{ElementType, Unit};
pub use scalar::{Definition, Form, Number, Onnx, Scalar};

/// Greatest number of operations of an expression.
pub const MAX_SCALARS: usize = 64;

/// Greatest number of operands of an expression.
pub const MAX_OPERANDS: usize = 8;

/// Greatest number of values that an expression keeps at once.
pub const MAX_DEPTH: usize = 8;

/// Evaluates an expression; `operand` returns the value of an operand.
///
/// ```
/// use nnue_spec::elementwise::{Scalar::*, evaluate};
/// let dual = [Operand(0), ShiftRight(8), Constant(0), Maximum, Constant(64), Minimum, ShiftLeft(6)];
/// assert_eq!([-700, 700, 70_000].map(|y| evaluate(&dual, |_| y)), [0, 128, 4096]);
/// ```
///
/// # Panics
///
/// If the list is no expression: it leaves other than one value, or more than [`MAX_DEPTH`] at once.
pub fn evaluate<N: Number>(code: &[Scalar], operand: impl Fn(usize) -> N) -> N {
    let (mut values, mut count) = ([N::default(); MAX_DEPTH + 2], 0);
    for &scalar in code {
        count -= scalar.takes();
        values[count] = match scalar {
            Scalar::Operand(index) => operand(index),
            _ => N::of(scalar, [0, 1, 2].map(|next| values[count + next])),
        };
        count += 1;
    }
    assert_eq!(count, 1, "an expression has one result");
    values[0]
}

/// Builds something from an expression, such as its text: `of` makes that of an operation from those of its
/// operands. `None` if the list is no expression.
pub fn fold<V>(code: &[Scalar], mut of: impl FnMut(Scalar, &[V]) -> V) -> Option<V> {
    let mut parts: Vec<V> = Vec::new();
    for &scalar in code {
        let operands = parts.len().checked_sub(scalar.takes())?;
        let part = of(scalar, &parts[operands..]);
        parts.truncate(operands);
        parts.push(part);
    }
    let last = parts.pop()?;
    parts.is_empty().then_some(last)
}

/// Greatest number of values that an expression keeps at once; `None` if the list is no expression, or an
/// operand is not below `operands`.
pub fn depth(code: &[Scalar], operands: usize) -> Option<usize> {
    let (mut count, mut most) = (0_usize, 0);
    for &scalar in code {
        if matches!(scalar, Scalar::Operand(index) if index >= operands)
            || matches!(
                scalar,
                Scalar::ShiftLeft(32..)
                    | Scalar::ShiftRight(32..)
                    | Scalar::Divide(..=0)
                    | Scalar::Low(0..=7 | 9..=15 | 17..)
            )
        {
            return None;
        }
        count = count.checked_sub(scalar.takes())? + 1;
        most = most.max(count);
    }
    (count == 1).then_some(most)
}

/// An elementwise expression over values of layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapDesc<'a> {
    /// the operands; result `j` reads value `start + j` of each
    pub operands: &'a [MapOperand],
    /// the expression
    pub code: &'a [Scalar],
    /// type of its values: `i32` or `f32`
    pub element: ElementType,
    /// least and greatest result for any operands in their ranges; (0, 1) for floats, which have no range
    pub range: (i32, i32),
    /// conversion of a result to a real number
    pub unit: Unit,
}

/// An operand of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapOperand {
    /// where its values are
    pub source: MapSource,
    /// index of the first value
    pub start: usize,
}

/// Where the values of an operand are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapSource {
    /// the accumulators of the perspectives that layers read, one after the other
    Accumulator,
    /// the sums of the layer with this index, of their type
    Layer(usize),
    /// the buffer with this index
    Buffer(usize),
}

impl<'a> MapDesc<'a> {
    /// All fields in order.
    pub const fn new(
        operands: &'a [MapOperand],
        code: &'a [Scalar],
        element: ElementType,
        range: (i32, i32),
        unit: Unit,
    ) -> Self {
        Self {
            operands,
            code,
            element,
            range,
            unit,
        }
    }

    /// Whether an operand is the accumulators.
    pub fn reads_accumulators(&self) -> bool {
        let is_accumulator = |operand: &MapOperand| operand.source == MapSource::Accumulator;
        self.operands.iter().any(is_accumulator)
    }

    /// Whether it computes with floats.
    pub const fn is_float(&self) -> bool {
        matches!(self.element, ElementType::F32)
    }
}

impl MapOperand {
    /// All accumulators.
    pub const ACCUMULATORS: Self = Self {
        source: MapSource::Accumulator,
        start: 0,
    };

    /// Sums of a layer from `start` on.
    pub const fn sums(layer: usize, start: usize) -> Self {
        Self {
            source: MapSource::Layer(layer),
            start,
        }
    }

    /// Values of a buffer from `start` on.
    pub const fn values(buffer: usize, start: usize) -> Self {
        Self {
            source: MapSource::Buffer(buffer),
            start,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Scalar::*;
    use super::*;

    #[test]
    fn operations_are_those_of_rust() {
        let of_two = |scalar| evaluate(&[Operand(0), Operand(1), scalar], |k| [i32::MIN, 3][k]);
        assert_eq!(
            [Add, Subtract, Multiply, Minimum, Maximum].map(of_two),
            [i32::MIN + 3, i32::MAX - 2, i32::MIN, i32::MIN, 3]
        );
        let of_one = |scalar| evaluate(&[Operand(0), scalar], |_| -7);
        assert_eq!(
            [Absolute, ShiftLeft(30), ShiftRight(1), Divide(2), Low(8)].map(of_one),
            [7, 1 << 30, -4, -3, -7]
        );
        assert_eq!(
            [
                SaturatingAdd,
                SaturatingSubtract,
                SaturatingMultiply,
                Less,
                LessOrEqual,
                Equal
            ]
            .map(of_two),
            [i32::MIN + 3, i32::MIN, i32::MIN, 1, 1, 0]
        );
        let select = |condition| {
            let code = [Operand(0), Constant(5), Constant(7), Select];
            evaluate(&code, |_| condition)
        };
        assert_eq!([-1, 0, 1].map(select), [5, 7, 5]);
    }

    #[test]
    fn floats_are_rounded_to_integers_as_in_ieee_754() {
        let of_one = |scalar, a: f32| evaluate(&[Operand(0), scalar], |_| a).to_bits();
        let numbers = [
            0.0,
            0.4,
            0.5,
            1.5,
            2.5,
            8_388_606.5,
            8_388_607.5,
            8_388_608.0,
            1e30,
            f32::MIN_POSITIVE,
            f32::INFINITY,
        ];
        for number in numbers.into_iter().flat_map(|number| [number, -number]) {
            assert_eq!(of_one(Floor, number), number.floor().to_bits(), "{number}");
            let rounded = number.round_ties_even().to_bits();
            assert_eq!(of_one(Round, number), rounded, "{number}");
        }
        assert!(f32::from_bits(of_one(Floor, f32::NAN)).is_nan());
        assert!(f32::from_bits(of_one(Round, f32::NAN)).is_nan());
    }

    #[test]
    fn comparisons_of_floats_with_a_nan_are_zero() {
        let of_two = |scalar| evaluate(&[Operand(0), Operand(1), scalar], |k| [f32::NAN, 3.0][k]);
        assert_eq!([Less, LessOrEqual, Equal].map(of_two), [0.0; 3]);
        let same = |scalar| evaluate(&[Operand(0), Operand(0), scalar], |_| 3.0_f32);
        assert_eq!([Less, LessOrEqual, Equal].map(same), [0.0, 1.0, 1.0]);
    }

    #[test]
    fn lists_that_are_no_expressions_have_no_depth() {
        assert_eq!(depth(&[Operand(0), Operand(1), Add, Absolute], 2), Some(2));
        assert_eq!(depth(&[Operand(0), Add], 1), None);
        assert_eq!(depth(&[Operand(0), Operand(0)], 1), None);
        assert_eq!(depth(&[Operand(1)], 1), None);
        assert_eq!(depth(&[Operand(0), Divide(0)], 1), None);
        assert_eq!(depth(&[Operand(0), ShiftLeft(32)], 1), None);
    }
}
