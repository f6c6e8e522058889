//! Elementwise expressions of integers: `clamp(y >> 8, 0, 64) << 6`.
//!
//! A declaration writes them over sums of layers and over values that layers read. A checked expression is a
//! list of [`Scalar`] operations in postfix order. Each result has the index of its operands; every
//! intermediate value is an `i32`, and operations are modulo 2^32. The checks prove that no operation wraps,
//! unless the declaration says `wrapping_..`.
//!
//! ```text
//!   clamp(y >> 8, 0, 64) << 6      y  >> 8  0  max  64  min  << 6
//! ```

use crate::descriptor::Unit;

/// Greatest number of operations of an expression.
pub const MAX_SCALARS: usize = 64;

/// Greatest number of operands of an expression.
pub const MAX_OPERANDS: usize = 8;

/// Greatest number of values that an expression keeps at once.
pub const MAX_DEPTH: usize = 8;

/// One operation of an expression, which takes its operands from the end of a list of values and leaves its
/// result there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// the value of an operand, by its index
    Operand(usize),
    /// a constant
    Constant(i32),
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// the lesser of two values
    Minimum,
    /// the greater of two values
    Maximum,
    /// `|a|`
    Absolute,
    /// `a << n`, with n up to 31
    ShiftLeft(u32),
    /// `a >> n`, rounded down, with n up to 31
    ShiftRight(u32),
    /// `a / n`, rounded toward zero, with n above 0
    Divide(i32),
}

impl Scalar {
    /// Number of values that it takes.
    #[inline(always)]
    pub const fn takes(self) -> usize {
        match self {
            Self::Operand(_) | Self::Constant(_) => 0,
            Self::Absolute | Self::ShiftLeft(_) | Self::ShiftRight(_) | Self::Divide(_) => 1,
            Self::Add | Self::Subtract | Self::Multiply | Self::Minimum | Self::Maximum => 2,
        }
    }

    /// Its result for `a` and `b`; operations of one value ignore `b`, those of none return `a`.
    #[inline(always)]
    pub const fn apply(self, a: i32, b: i32) -> i32 {
        match self {
            Self::Operand(_) => a,
            Self::Constant(constant) => constant,
            Self::Add => a.wrapping_add(b),
            Self::Subtract => a.wrapping_sub(b),
            Self::Multiply => a.wrapping_mul(b),
            Self::Minimum if b < a => b,
            Self::Minimum => a,
            Self::Maximum if b > a => b,
            Self::Maximum => a,
            Self::Absolute => a.wrapping_abs(),
            Self::ShiftLeft(bits) => a.wrapping_shl(bits),
            Self::ShiftRight(bits) => a.wrapping_shr(bits),
            Self::Divide(divisor) => a.wrapping_div(divisor),
        }
    }
}

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
pub fn evaluate(code: &[Scalar], operand: impl Fn(usize) -> i32) -> i32 {
    let (mut values, mut count) = ([0; MAX_DEPTH], 0);
    for &scalar in code {
        count -= scalar.takes();
        values[count] = match scalar {
            Scalar::Operand(index) => operand(index),
            _ => scalar.apply(values[count], values[(count + 1).min(MAX_DEPTH - 1)]),
        };
        count += 1;
    }
    assert_eq!(count, 1, "an expression has one result");
    values[0]
}

/// As [`evaluate`], in real numbers: nothing is rounded, and shifts are products with powers of two.
///
/// # Panics
///
/// As [`evaluate`].
#[cfg(feature = "real")]
pub fn evaluate_real(code: &[Scalar], operand: impl Fn(usize) -> f64) -> f64 {
    let (mut values, mut count) = ([0.0; MAX_DEPTH], 0);
    for &scalar in code {
        count -= scalar.takes();
        let (a, b): (f64, f64) = (values[count], values[(count + 1).min(MAX_DEPTH - 1)]);
        values[count] = match scalar {
            Scalar::Operand(index) => operand(index),
            Scalar::Constant(constant) => constant.into(),
            Scalar::Add => a + b,
            Scalar::Subtract => a - b,
            Scalar::Multiply => a * b,
            Scalar::Minimum => a.min(b),
            Scalar::Maximum => a.max(b),
            Scalar::Absolute => a.max(-a),
            Scalar::ShiftLeft(bits) => a * f64::from(1_u32 << bits),
            Scalar::ShiftRight(bits) => a / f64::from(1_u32 << bits),
            Scalar::Divide(divisor) => a / f64::from(divisor),
        };
        count += 1;
    }
    assert_eq!(count, 1, "an expression has one result");
    values[0]
}

/// Greatest number of values that an expression keeps at once; `None` if the list is no expression, or an
/// operand is not below `operands`.
pub fn depth(code: &[Scalar], operands: usize) -> Option<usize> {
    let (mut count, mut most) = (0_usize, 0);
    for &scalar in code {
        if matches!(scalar, Scalar::Operand(index) if index >= operands)
            || matches!(
                scalar,
                Scalar::ShiftLeft(32..) | Scalar::ShiftRight(32..) | Scalar::Divide(..=0)
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
    /// least and greatest result for any operands in their ranges
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
    /// the sums of the layer with this index
    Layer(usize),
    /// the buffer with this index: bytes of layers, or results of an expression
    Buffer(usize),
}

impl<'a> MapDesc<'a> {
    /// All fields in order.
    pub const fn new(
        operands: &'a [MapOperand],
        code: &'a [Scalar],
        range: (i32, i32),
        unit: Unit,
    ) -> Self {
        Self {
            operands,
            code,
            range,
            unit,
        }
    }
}

impl MapOperand {
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
            [Absolute, ShiftLeft(30), ShiftRight(1), Divide(2)].map(of_one),
            [7, 1 << 30, -4, -3]
        );
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
