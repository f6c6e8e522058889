//! The operators and functions of arithmetic in declarations.
//!
//! Each is defined here once: the word, the number of operands, the range of integer results, and the
//! operations that it becomes ([`Scalar`]) for integers and for floats.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::descriptor::{ElementType, Unit};
use crate::elementwise::{Scalar, fold};

/// An operator or a function of integers or floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// `a / n`, of integers rounded toward zero
    Divide,
    /// `a << n`
    ShiftLeft,
    /// `a >> n`, rounded down
    ShiftRight,
    /// `-a`
    Negate,
    /// `min(a, b)`
    Minimum,
    /// `max(a, b)`
    Maximum,
    /// `clamp(a, least, greatest)`
    Clamp,
    /// `abs(a)`
    Absolute,
    /// `wrapping_add(a, b)`: modulo 2^32
    WrappingAdd,
    /// `wrapping_sub(a, b)`: modulo 2^32
    WrappingSubtract,
    /// `wrapping_mul(a, b)`: modulo 2^32
    WrappingMultiply,
    /// `mul_add(a, b, c)`: `a * b + c` of floats, rounded once
    MultiplyAdd,
    /// `exp(a)` of floats
    Exponential,
    /// `a as f32`
    ToFloat,
    /// `a as i8`: the low 8 bits
    ToI8,
    /// `a as i16`: the low 16 bits
    ToI16,
    /// `floor(a)` of floats
    Floor,
    /// `round(a)` of floats: the nearest integer, of two the even one
    Round,
    /// `saturating_add(a, b)`: limited to 32 bits
    SaturatingAdd,
    /// `saturating_sub(a, b)`: limited to 32 bits
    SaturatingSubtract,
    /// `saturating_mul(a, b)`: limited to 32 bits
    SaturatingMultiply,
    /// `a < b`: 1 or 0
    Less,
    /// `a <= b`: 1 or 0
    LessOrEqual,
    /// `a > b`: 1 or 0
    Greater,
    /// `a >= b`: 1 or 0
    GreaterOrEqual,
    /// `a == b`: 1 or 0
    Equal,
    /// `a != b`: 1 or 0
    NotEqual,
    /// `if c { a } else { b }`: `a` where `c` is not zero
    Select,
}

impl Arithmetic {
    /// All operators and functions.
    pub const ALL: [Self; 31] = [
        Self::Add,
        Self::Subtract,
        Self::Multiply,
        Self::Divide,
        Self::ShiftLeft,
        Self::ShiftRight,
        Self::Negate,
        Self::Minimum,
        Self::Maximum,
        Self::Clamp,
        Self::Absolute,
        Self::WrappingAdd,
        Self::WrappingSubtract,
        Self::WrappingMultiply,
        Self::MultiplyAdd,
        Self::Exponential,
        Self::ToFloat,
        Self::ToI8,
        Self::ToI16,
        Self::Floor,
        Self::Round,
        Self::SaturatingAdd,
        Self::SaturatingSubtract,
        Self::SaturatingMultiply,
        Self::Less,
        Self::LessOrEqual,
        Self::Greater,
        Self::GreaterOrEqual,
        Self::Equal,
        Self::NotEqual,
        Self::Select,
    ];

    /// The operator or the name of the function, as written in a declaration.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract | Self::Negate => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::ShiftLeft => "<<",
            Self::ShiftRight => ">>",
            Self::Minimum => "min",
            Self::Maximum => "max",
            Self::Clamp => "clamp",
            Self::Absolute => "abs",
            Self::WrappingAdd => "wrapping_add",
            Self::WrappingSubtract => "wrapping_sub",
            Self::WrappingMultiply => "wrapping_mul",
            Self::MultiplyAdd => "mul_add",
            Self::Exponential => "exp",
            Self::ToFloat => "as f32",
            Self::ToI8 => "as i8",
            Self::ToI16 => "as i16",
            Self::Floor => "floor",
            Self::Round => "round",
            Self::SaturatingAdd => "saturating_add",
            Self::SaturatingSubtract => "saturating_sub",
            Self::SaturatingMultiply => "saturating_mul",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Select => "if",
        }
    }

    /// Whether it is written between its operands.
    pub const fn is_infix(self) -> bool {
        matches!(
            self,
            Self::Add
                | Self::Subtract
                | Self::Multiply
                | Self::Divide
                | Self::ShiftLeft
                | Self::ShiftRight
        ) || self.is_comparison()
    }

    /// Whether it compares two values.
    pub const fn is_comparison(self) -> bool {
        matches!(
            self,
            Self::Less
                | Self::LessOrEqual
                | Self::Greater
                | Self::GreaterOrEqual
                | Self::Equal
                | Self::NotEqual
        )
    }

    /// Whether it is a type after its operand: `a as f32`.
    pub const fn is_cast(self) -> bool {
        matches!(self, Self::ToFloat | Self::ToI8 | Self::ToI16)
    }

    /// The function with this name.
    pub fn function(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|known| known.is_function() && known.word() == name)
    }

    /// Whether it is written as a function: `min(a, b)`.
    pub const fn is_function(self) -> bool {
        !self.is_infix() && !self.is_cast() && !matches!(self, Self::Negate | Self::Select)
    }

    /// An example of the function.
    pub fn example(self) -> String {
        let operands = match self {
            Self::Clamp => "h1, 0, 64",
            _ => ["", "h1", "h1, h2", "h1, h2, h3"][self.operands()],
        };
        format!("{}({operands})", self.word())
    }

    /// Number of operands.
    pub const fn operands(self) -> usize {
        match self {
            Self::Negate
            | Self::Absolute
            | Self::Exponential
            | Self::Floor
            | Self::Round
            | Self::ToFloat
            | Self::ToI8
            | Self::ToI16 => 1,
            Self::Clamp | Self::MultiplyAdd | Self::Select => 3,
            _ => 2,
        }
    }

    /// Whether the second operand of integers is a constant: a number of bits, or a divisor.
    pub const fn takes_constant(self) -> bool {
        matches!(self, Self::Divide | Self::ShiftLeft | Self::ShiftRight)
    }

    /// The form that is computed modulo 2^32, if there is one.
    pub const fn wrapping(self) -> Option<Self> {
        match self {
            Self::Add => Some(Self::WrappingAdd),
            Self::Subtract => Some(Self::WrappingSubtract),
            Self::Multiply => Some(Self::WrappingMultiply),
            _ => None,
        }
    }

    /// The operation that it is, if it is one that has no number of its own.
    const fn scalar(self) -> Option<Scalar> {
        Some(match self {
            Self::Add | Self::WrappingAdd => Scalar::Add,
            Self::Subtract | Self::WrappingSubtract => Scalar::Subtract,
            Self::Multiply | Self::WrappingMultiply => Scalar::Multiply,
            Self::Minimum => Scalar::Minimum,
            Self::Maximum => Scalar::Maximum,
            Self::Absolute => Scalar::Absolute,
            Self::MultiplyAdd => Scalar::MultiplyAdd,
            Self::Exponential => Scalar::Exponential,
            Self::Floor => Scalar::Floor,
            Self::Round => Scalar::Round,
            Self::SaturatingAdd => Scalar::SaturatingAdd,
            Self::SaturatingSubtract => Scalar::SaturatingSubtract,
            Self::SaturatingMultiply => Scalar::SaturatingMultiply,
            Self::Less => Scalar::Less,
            Self::LessOrEqual => Scalar::LessOrEqual,
            Self::Greater => Scalar::Greater,
            Self::GreaterOrEqual => Scalar::GreaterOrEqual,
            Self::Equal => Scalar::Equal,
            Self::NotEqual => Scalar::NotEqual,
            Self::Select => Scalar::Select,
            Self::Divide
            | Self::ShiftLeft
            | Self::ShiftRight
            | Self::Negate
            | Self::Clamp
            | Self::ToFloat
            | Self::ToI8
            | Self::ToI16 => return None,
        })
    }

    /// The operations of floats that follow those of its operands; `None` if floats do not have it.
    pub fn float_scalars(self) -> Option<Vec<Scalar>> {
        let scalars: Vec<Scalar> = match self {
            Self::Divide => [Scalar::Quotient].into(),
            Self::Negate => [Scalar::float(-1.0), Scalar::Multiply].into(),
            Self::Clamp => Vec::new(),
            Self::WrappingAdd | Self::WrappingSubtract | Self::WrappingMultiply => return None,
            other => [other.scalar()?].into(),
        };
        let is_of_floats = |scalar: &Scalar| scalar.form(ElementType::F32).is_some();
        scalars.iter().all(is_of_floats).then_some(scalars)
    }

    /// Whether only floats have it.
    pub const fn is_of_floats(self) -> bool {
        matches!(
            self,
            Self::MultiplyAdd | Self::Exponential | Self::Floor | Self::Round
        )
    }

    /// The operations of integers that follow those of its operands. The constant is the second operand of
    /// shifts and divisions.
    pub fn scalars(self, constant: i32) -> Vec<Scalar> {
        match self {
            Self::Divide => [Scalar::Divide(constant)].into(),
            Self::ShiftLeft => [Scalar::ShiftLeft(constant.cast_unsigned())].into(),
            Self::ShiftRight => [Scalar::ShiftRight(constant.cast_unsigned())].into(),
            Self::Negate => [Scalar::Constant(-1), Scalar::Multiply].into(),
            Self::ToI8 => [Scalar::Low(8)].into(),
            Self::ToI16 => [Scalar::Low(16)].into(),
            // The bounds of a clamp follow the value one after the other.
            other => other.scalar().into_iter().collect(),
        }
    }

    /// Least and greatest exact result, for operands in these ranges, each within 32 bits. `same`: both
    /// operands are one value.
    pub fn range(self, operands: &[(i64, i64)], same: bool) -> (i64, i64) {
        let at = |index: usize| operands.get(index).copied().unwrap_or((0, 0));
        let ((a, b), (c, d)) = (at(0), at(1));
        match self {
            Self::Add => (a + c, b + d),
            Self::Subtract if same => (0, 0),
            Self::Subtract => (a - d, b - c),
            Self::Multiply if same => {
                let least = if a <= 0 && b >= 0 {
                    0
                } else {
                    (a * a).min(b * b)
                };
                (least, (a * a).max(b * b))
            }
            Self::Multiply => {
                let products = [a * c, a * d, b * c, b * d];
                products
                    .into_iter()
                    .fold((i64::MAX, i64::MIN), |(least, most), product| {
                        (least.min(product), most.max(product))
                    })
            }
            Self::Divide => (a / c.max(1), b / c.max(1)),
            Self::ShiftLeft => (a << c.clamp(0, 31), b << c.clamp(0, 31)),
            Self::ShiftRight => (a >> c.clamp(0, 31), b >> c.clamp(0, 31)),
            Self::Negate => (-b, -a),
            Self::Minimum => (a.min(c), b.min(d)),
            Self::Maximum => (a.max(c), b.max(d)),
            Self::Clamp => {
                let (least, greatest) = (at(1), at(2));
                (
                    a.max(least.0).min(greatest.0),
                    b.max(least.1).min(greatest.1),
                )
            }
            Self::Absolute => {
                let least = if a <= 0 && b >= 0 {
                    0
                } else {
                    a.abs().min(b.abs())
                };
                (least, a.abs().max(b.abs()))
            }
            Self::WrappingAdd | Self::WrappingSubtract | Self::WrappingMultiply => {
                let exact = self.exact().range(operands, same);
                if fits(exact) { exact } else { I32 }
            }
            Self::SaturatingAdd | Self::SaturatingSubtract | Self::SaturatingMultiply => {
                let (least, greatest) = self.exact().range(operands, same);
                (least.clamp(I32.0, I32.1), greatest.clamp(I32.0, I32.1))
            }
            Self::ToI8 => low_bits((a, b), 8),
            Self::ToI16 => low_bits((a, b), 16),
            Self::Less
            | Self::LessOrEqual
            | Self::Greater
            | Self::GreaterOrEqual
            | Self::Equal
            | Self::NotEqual => (0, 1),
            Self::Select => {
                let (least, greatest) = at(2);
                (c.min(least), d.max(greatest))
            }
            Self::MultiplyAdd | Self::Exponential | Self::Floor | Self::Round | Self::ToFloat => {
                I32
            }
        }
    }

    /// The operation that a wrapping one computes modulo 2^32, and a saturating one within 32 bits.
    const fn exact(self) -> Self {
        match self {
            Self::WrappingAdd | Self::SaturatingAdd => Self::Add,
            Self::WrappingSubtract | Self::SaturatingSubtract => Self::Subtract,
            Self::WrappingMultiply | Self::SaturatingMultiply => Self::Multiply,
            exact => exact,
        }
    }
}

/// The range of `i32`.
pub(crate) const I32: (i64, i64) = (i32::MIN as i64, i32::MAX as i64);

/// Whether all values of a range fit in 32 bits.
pub(crate) const fn fits((least, greatest): (i64, i64)) -> bool {
    I32.0 <= least && greatest <= I32.1
}

/// The range of the low bits of values, as signed numbers.
fn low_bits((least, greatest): (i64, i64), bits: u32) -> (i64, i64) {
    let half = 1 << (bits - 1);
    if -half <= least && greatest < half {
        return (least, greatest);
    }
    (-half, half - 1)
}

/// The range and the unit of values, proved from those of operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Facts {
    /// least and greatest value
    pub(crate) range: (i64, i64),
    /// conversion to a real number; `None` for constants
    pub(crate) unit: Option<Unit>,
}

impl Facts {
    const fn constant(value: i32) -> Self {
        let value = value as i64;
        Self {
            range: (value, value),
            unit: None,
        }
    }

    /// Those of the results of an expression of integers. An operation that may leave 32 bits wraps.
    pub(crate) fn of(code: &[Scalar], operands: &[Self]) -> Self {
        // Each value with its part of the expression.
        let of_part = |scalar, values: &[(Self, Vec<Scalar>)]| {
            let of_values: Vec<Self> = values.iter().map(|(facts, _)| *facts).collect();
            let same = matches!(values, [(_, first), (_, second)] if first == second);
            let facts = match scalar {
                Scalar::Operand(index) => operands[index],
                Scalar::Constant(constant) => Self::constant(constant),
                _ => Self::result(scalar, &of_values, same),
            };
            let parts = values.iter().flat_map(|(_, part)| part.iter().copied());
            (facts, parts.chain([scalar]).collect())
        };
        fold(code, of_part).map_or(Self::constant(0), |(facts, _)| facts)
    }

    /// Those of floats, which have no range.
    pub(crate) const FLOATS: Self = Self {
        range: (0, 1),
        unit: Some(Unit { num: 1, den: 1 }),
    };

    /// Those of the result of one operation.
    fn result(scalar: Scalar, operands: &[Self], same: bool) -> Self {
        let is_it = |arithmetic: &Arithmetic| arithmetic.scalar() == Some(scalar);
        let (arithmetic, constant) = match scalar {
            Scalar::ShiftLeft(bits) => (Arithmetic::ShiftLeft, Some(bits.cast_signed())),
            Scalar::ShiftRight(bits) => (Arithmetic::ShiftRight, Some(bits.cast_signed())),
            Scalar::Divide(divisor) => (Arithmetic::Divide, Some(divisor)),
            Scalar::Low(8) => (Arithmetic::ToI8, None),
            Scalar::Low(_) => (Arithmetic::ToI16, None),
            _ => match Arithmetic::ALL.into_iter().find(is_it) {
                Some(arithmetic) if scalar.form(ElementType::I32).is_some() => (arithmetic, None),
                _ => return Self::FLOATS,
            },
        };
        let constant = constant.map(Self::constant);
        let all: Vec<Self> = operands.iter().copied().chain(constant).collect();
        let ranges: Vec<(i64, i64)> = all.iter().map(|facts| facts.range).collect();
        let range = arithmetic.range(&ranges, same);
        Self {
            range: if fits(range) { range } else { I32 },
            unit: unit(arithmetic, &all),
        }
    }
}

/// The unit of results: shifts and divisions keep the real number, products have the units of both operands.
fn unit(arithmetic: Arithmetic, operands: &[Facts]) -> Option<Unit> {
    let read = match arithmetic {
        comparison if comparison.is_comparison() => &[],
        Arithmetic::Select => operands.get(1..).unwrap_or_default(),
        _ => operands,
    };
    let mut units = read.iter().filter_map(|facts| facts.unit);
    let first = units.next()?;
    let constant = operands.get(1).map_or(0, |facts| facts.range.0);
    let constant = constant.unsigned_abs();
    Some(match arithmetic {
        Arithmetic::ShiftLeft => finer(first, 1 << constant.min(31)),
        Arithmetic::ShiftRight => coarser(first, 1 << constant.min(31)),
        Arithmetic::Divide => coarser(first, constant.max(1)),
        Arithmetic::Multiply | Arithmetic::SaturatingMultiply => match units.next() {
            Some(second) => Unit {
                num: first.num.saturating_mul(second.num),
                den: first.den.saturating_mul(second.den),
            },
            None => first,
        },
        _ => first,
    })
}

fn finer(Unit { num, den }: Unit, by: u64) -> Unit {
    if num.is_multiple_of(by) {
        return Unit { num: num / by, den };
    }
    Unit {
        num,
        den: den.saturating_mul(by),
    }
}

fn coarser(Unit { num, den }: Unit, by: u64) -> Unit {
    if den.is_multiple_of(by) {
        return Unit { num, den: den / by };
    }
    Unit {
        num: num.saturating_mul(by),
        den,
    }
}

#[cfg(test)]
mod tests {
    use super::Arithmetic as A;
    use super::*;
    use crate::elementwise::Number;

    const OF_TWO: [A; 8] = [
        A::Add,
        A::Subtract,
        A::Multiply,
        A::Minimum,
        A::Maximum,
        A::SaturatingAdd,
        A::SaturatingSubtract,
        A::SaturatingMultiply,
    ];

    #[test]
    fn ranges_hold_all_results_and_are_reached() {
        let ranges = [(-3, 5), (-7, -2), (2, 9), (0, 0)];
        for first in ranges {
            for second in ranges {
                for operation in OF_TWO {
                    let results = (first.0..=first.1)
                        .flat_map(|a| (second.0..=second.1).map(move |b| (a as i32, b as i32)));
                    let [scalar] = operation.scalars(0)[..] else {
                        panic!("one operation")
                    };
                    let results: Vec<i64> = results
                        .map(|(a, b)| i32::of(scalar, [a, b, 0]).into())
                        .collect();
                    let reached = (
                        *results.iter().min().unwrap(),
                        *results.iter().max().unwrap(),
                    );
                    assert_eq!(operation.range(&[first, second], false), reached);
                }
            }
        }
    }

    #[test]
    fn squares_are_not_negative() {
        assert_eq!(A::Multiply.range(&[(-3, 2), (-3, 2)], true), (0, 9));
        assert_eq!(A::Multiply.range(&[(-3, -2), (-3, -2)], true), (4, 9));
        assert_eq!(A::WrappingMultiply.range(&[I32, I32], true), I32);
    }

    #[test]
    fn bounds_of_a_clamp_may_be_values() {
        let clamp = |x, least, greatest| A::Clamp.range(&[x, least, greatest], false);
        assert_eq!(clamp(I32, (0, 0), (64, 64)), (0, 64));
        assert_eq!(clamp((-5, 3), (-9, -9), (64, 64)), (-5, 3));
        assert_eq!(clamp(I32, (-2, 1), (3, 7)), (-2, 7));
    }

    #[test]
    fn shifts_round_down_and_divisions_toward_zero() {
        assert_eq!(A::ShiftRight.range(&[(-7, 7), (1, 1)], false), (-4, 3));
        assert_eq!(A::Divide.range(&[(-7, 7), (2, 2)], false), (-3, 3));
    }
}
