//! The operations of elementwise expressions: what each computes with each type of values, and how it is
//! written in declarations, in generated code and in ONNX graphs.

use alloc::format;
use alloc::string::String;

use crate::descriptor::ElementType;
use crate::op::exponential;

/// One operation of an expression, which takes its operands from the end of a list of values and leaves its
/// result there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// the value of an operand, by its index
    Operand(usize),
    /// a constant integer
    Constant(i32),
    /// a constant float, by its bits
    Float(u32),
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// the lesser of two values: `a < b ? a : b`
    Minimum,
    /// the greater of two values: `a > b ? a : b`
    Maximum,
    /// `|a|`
    Absolute,
    /// integers: `a << n`, with n up to 31
    ShiftLeft(u32),
    /// integers: `a >> n`, rounded down, with n up to 31
    ShiftRight(u32),
    /// integers: `a / n`, rounded toward zero, with n above 0
    Divide(i32),
    /// floats: `a / b`
    Quotient,
    /// floats: `a * b + c`, rounded once
    MultiplyAdd,
    /// floats: [`exponential`]
    Exponential,
    /// floats: the greatest integer that is not above `a`
    Floor,
    /// floats: the nearest integer, of two the even one
    Round,
    /// integers: the low n bits as a signed number, with n 8 or 16
    Low(u32),
    /// integers: `a + b`, limited to 32 bits
    SaturatingAdd,
    /// integers: `a - b`, limited to 32 bits
    SaturatingSubtract,
    /// integers: `a * b`, limited to 32 bits
    SaturatingMultiply,
    /// 1 where `a < b`, 0 elsewhere
    Less,
    /// 1 where `a <= b`, 0 elsewhere
    LessOrEqual,
    /// 1 where `a > b`, 0 elsewhere
    Greater,
    /// 1 where `a >= b`, 0 elsewhere
    GreaterOrEqual,
    /// 1 where `a == b`, 0 elsewhere
    Equal,
    /// 1 where `a != b`, 0 elsewhere
    NotEqual,
    /// `b` where `a` is not zero, `c` elsewhere
    Select,
}

/// An operation, with a form for each type of values that have it.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// of 32-bit integers
    pub integers: Option<Form>,
    /// of 32-bit floats
    pub floats: Option<Form>,
}

/// How an operation is written: `{0}` to `{2}` are its operands, `{n}` is the number that it has itself.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// in a declaration
    pub declared: &'static str,
    /// in generated code: of integers, of vectors of floats; `None` of floats where [`Number::of`] is called lane
    /// by lane
    pub rust: Option<&'static str>,
    /// in a graph
    pub onnx: Onnx,
}

/// The form of an operation in a graph of 64-bit integers or of floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Onnx {
    /// an operator over its operands
    Node(&'static str),
    /// the same, whose result is brought back to 32 bits
    Wrapped(&'static str),
    /// the same, whose result is limited to 32 bits
    Saturated(&'static str),
    /// an operator whose result is true or false, then `Not` if it is negated
    Compared {
        /// the operator
        name: &'static str,
        /// whether `Not` follows
        is_negated: bool,
    },
    /// `Where`, which reads true or false
    Where,
    /// several operators, which the exporter writes
    Composed,
}

impl Definition {
    const fn new(integers: Option<Form>, floats: Option<Form>) -> Self {
        Self { integers, floats }
    }
}

const fn form(declared: &'static str, rust: &'static str, onnx: Onnx) -> Option<Form> {
    Some(Form {
        declared,
        rust: Some(rust),
        onnx,
    })
}

const fn compared(name: &'static str, is_negated: bool) -> Onnx {
    Onnx::Compared { name, is_negated }
}

/// A form of floats that is computed lane by lane.
const fn by_lanes(declared: &'static str, onnx: Onnx) -> Option<Form> {
    Some(Form {
        declared,
        rust: None,
        onnx,
    })
}

/// An operation of integers and floats with the same text in declarations.
const fn both(declared: &'static str, rust: &'static str, onnx: Onnx) -> Definition {
    Definition::new(form(declared, rust, onnx), by_lanes(declared, onnx))
}

/// The form of a function that is a method of `i32` with the same name.
macro_rules! method {
    ($name:literal, $onnx:expr) => {
        form(
            concat!($name, "({0}, {1})"),
            concat!("{0}.", $name, "({1})"),
            $onnx,
        )
    };
}

/// A comparison, as an operator of Rust and of ONNX.
macro_rules! comparison {
    ($operator:literal, $onnx:expr) => {
        both(
            concat!("({0} ", $operator, " {1})"),
            concat!("::core::primitive::i32::from({0} ", $operator, " {1})"),
            $onnx,
        )
    };
}

impl Scalar {
    /// A constant float.
    pub const fn float(value: f32) -> Self {
        Self::Float(value.to_bits())
    }

    /// Its definition.
    pub const fn definition(self) -> Definition {
        use Onnx::{Composed, Node, Saturated, Where, Wrapped};
        match self {
            Self::Operand(_) => Definition::new(form("", "", Composed), form("", "", Composed)),
            Self::Constant(_) => Definition::new(form("{n}", "({n}_i32)", Composed), None),
            Self::Float(_) => {
                Definition::new(None, form("{n}", "simd.splat_f32({n}_f32)", Composed))
            }
            Self::Add => Definition::new(
                method!("wrapping_add", Wrapped("Add")),
                form("({0} + {1})", "simd.add_f32({0}, {1})", Node("Add")),
            ),
            Self::Subtract => Definition::new(
                method!("wrapping_sub", Wrapped("Sub")),
                form("({0} - {1})", "simd.sub_f32({0}, {1})", Node("Sub")),
            ),
            Self::Multiply => Definition::new(
                method!("wrapping_mul", Wrapped("Mul")),
                form("({0} * {1})", "simd.mul_f32({0}, {1})", Node("Mul")),
            ),
            Self::Minimum => Definition::new(
                form(
                    "min({0}, {1})",
                    "::core::cmp::Ord::min({0}, {1})",
                    Node("Min"),
                ),
                form("min({0}, {1})", "simd.min_f32({0}, {1})", Node("Min")),
            ),
            Self::Maximum => Definition::new(
                form(
                    "max({0}, {1})",
                    "::core::cmp::Ord::max({0}, {1})",
                    Node("Max"),
                ),
                form("max({0}, {1})", "simd.max_f32({0}, {1})", Node("Max")),
            ),
            Self::Absolute => Definition::new(
                form("abs({0})", "{0}.wrapping_abs()", Wrapped("Abs")),
                form("abs({0})", "simd.abs_f32({0})", Node("Abs")),
            ),
            Self::ShiftLeft(_) => Definition::new(
                form("({0} << {n})", "{0}.wrapping_shl({n}_u32)", Composed),
                None,
            ),
            Self::ShiftRight(_) => Definition::new(
                form("({0} >> {n})", "{0}.wrapping_shr({n}_u32)", Composed),
                None,
            ),
            Self::Divide(_) => Definition::new(
                form("({0} / {n})", "{0}.wrapping_div({n}_i32)", Composed),
                None,
            ),
            Self::Quotient => Definition::new(
                None,
                form("({0} / {1})", "simd.div_f32({0}, {1})", Node("Div")),
            ),
            Self::MultiplyAdd => Definition::new(
                None,
                form(
                    "mul_add({0}, {1}, {2})",
                    "simd.mul_add_f32({0}, {1}, {2})",
                    Composed,
                ),
            ),
            Self::Exponential => {
                Definition::new(None, form("exp({0})", "__rt::exp(simd, {0})", Node("Exp")))
            }
            Self::Floor => Definition::new(None, by_lanes("floor({0})", Node("Floor"))),
            Self::Round => Definition::new(None, by_lanes("round({0})", Node("Round"))),
            Self::Low(_) => Definition::new(
                form(
                    "({0} as i{n})",
                    "::core::primitive::i32::from({0} as ::core::primitive::i{n})",
                    Composed,
                ),
                None,
            ),
            Self::SaturatingAdd => {
                Definition::new(method!("saturating_add", Saturated("Add")), None)
            }
            Self::SaturatingSubtract => {
                Definition::new(method!("saturating_sub", Saturated("Sub")), None)
            }
            Self::SaturatingMultiply => {
                Definition::new(method!("saturating_mul", Saturated("Mul")), None)
            }
            Self::Less => comparison!("<", compared("Less", false)),
            Self::LessOrEqual => comparison!("<=", compared("LessOrEqual", false)),
            Self::Greater => comparison!(">", compared("Greater", false)),
            Self::GreaterOrEqual => comparison!(">=", compared("GreaterOrEqual", false)),
            Self::Equal => comparison!("==", compared("Equal", false)),
            Self::NotEqual => comparison!("!=", compared("Equal", true)),
            Self::Select => both(
                "(if {0} { {1} } else { {2} })",
                "(if {0} == 0 { {2} } else { {1} })",
                Where,
            ),
        }
    }

    /// Number of values that it takes. The interpreter asks for it at every operation.
    #[inline(always)]
    pub const fn takes(self) -> usize {
        match self {
            Self::Operand(_) | Self::Constant(_) | Self::Float(_) => 0,
            Self::Absolute
            | Self::ShiftLeft(_)
            | Self::ShiftRight(_)
            | Self::Divide(_)
            | Self::Exponential
            | Self::Floor
            | Self::Round
            | Self::Low(_) => 1,
            Self::Add
            | Self::Subtract
            | Self::Multiply
            | Self::Minimum
            | Self::Maximum
            | Self::Quotient
            | Self::SaturatingAdd
            | Self::SaturatingSubtract
            | Self::SaturatingMultiply
            | Self::Less
            | Self::LessOrEqual
            | Self::Greater
            | Self::GreaterOrEqual
            | Self::Equal
            | Self::NotEqual => 2,
            Self::MultiplyAdd | Self::Select => 3,
        }
    }

    /// Its form for values of this type.
    pub const fn form(self, element: ElementType) -> Option<Form> {
        match element {
            ElementType::I32 => self.definition().integers,
            ElementType::F32 => self.definition().floats,
            ElementType::I8 | ElementType::I16 => None,
        }
    }

    /// A form with the texts of its operands and the number that the operation has.
    pub fn written(self, form: &str, operands: &[String]) -> String {
        let number = match self {
            Self::Constant(number) | Self::Divide(number) => format!("{number}"),
            Self::ShiftLeft(bits) | Self::ShiftRight(bits) | Self::Low(bits) => format!("{bits}"),
            Self::Float(bits) => format!("{:?}", f32::from_bits(bits)),
            _ => String::new(),
        };
        let text = form.replace("{n}", &number);
        (0..)
            .zip(operands)
            .fold(text, |text, (index, operand): (usize, _)| {
                text.replace(&format!("{{{index}}}"), operand)
            })
    }
}

/// A type of the values of an expression.
pub trait Number: Copy + Default {
    /// The result of an operation. Those after the operands that it takes are ignored.
    fn of(scalar: Scalar, operands: [Self; 3]) -> Self;
}

impl Number for i32 {
    #[inline(always)]
    fn of(scalar: Scalar, [a, b, c]: [Self; 3]) -> Self {
        match scalar {
            Scalar::Constant(constant) => constant,
            Scalar::Add => a.wrapping_add(b),
            Scalar::Subtract => a.wrapping_sub(b),
            Scalar::Multiply => a.wrapping_mul(b),
            Scalar::Minimum => a.min(b),
            Scalar::Maximum => a.max(b),
            Scalar::Absolute => a.wrapping_abs(),
            Scalar::ShiftLeft(bits) => a.wrapping_shl(bits),
            Scalar::ShiftRight(bits) => a.wrapping_shr(bits),
            Scalar::Divide(divisor) => a.wrapping_div(divisor),
            Scalar::Low(bits) => (a << (32 - bits)) >> (32 - bits),
            Scalar::SaturatingAdd => a.saturating_add(b),
            Scalar::SaturatingSubtract => a.saturating_sub(b),
            Scalar::SaturatingMultiply => a.saturating_mul(b),
            Scalar::Less => (a < b).into(),
            Scalar::LessOrEqual => (a <= b).into(),
            Scalar::Greater => (a > b).into(),
            Scalar::GreaterOrEqual => (a >= b).into(),
            Scalar::Equal => (a == b).into(),
            Scalar::NotEqual => (a != b).into(),
            Scalar::Select => [b, c][usize::from(a == 0)],
            Scalar::Operand(_)
            | Scalar::Float(_)
            | Scalar::Quotient
            | Scalar::MultiplyAdd
            | Scalar::Exponential
            | Scalar::Floor
            | Scalar::Round => a,
        }
    }
}

impl Number for f32 {
    #[inline(always)]
    fn of(scalar: Scalar, [a, b, c]: [Self; 3]) -> Self {
        match scalar {
            Scalar::Float(bits) => Self::from_bits(bits),
            Scalar::Add => a + b,
            Scalar::Subtract => a - b,
            Scalar::Multiply => a * b,
            Scalar::Minimum => [b, a][usize::from(a < b)],
            Scalar::Maximum => [b, a][usize::from(a > b)],
            Scalar::Absolute => a.abs(),
            Scalar::Quotient => a / b,
            Scalar::MultiplyAdd => crate::fused::mul_add(a, b, c),
            Scalar::Exponential => exponential(a),
            Scalar::Floor => floor(a),
            Scalar::Round => round(a),
            Scalar::Less => (a < b).into(),
            Scalar::LessOrEqual => (a <= b).into(),
            Scalar::Greater => (a > b).into(),
            Scalar::GreaterOrEqual => (a >= b).into(),
            Scalar::Equal => (a == b).into(),
            Scalar::NotEqual => (a != b).into(),
            Scalar::Select => [b, c][usize::from(a == 0.0)],
            Scalar::Operand(_)
            | Scalar::Constant(_)
            | Scalar::ShiftLeft(_)
            | Scalar::ShiftRight(_)
            | Scalar::Divide(_)
            | Scalar::Low(_)
            | Scalar::SaturatingAdd
            | Scalar::SaturatingSubtract
            | Scalar::SaturatingMultiply => a,
        }
    }
}

/// Real numbers: nothing is rounded, and shifts are products with powers of two.
#[cfg(feature = "real")]
impl Number for f64 {
    fn of(scalar: Scalar, [a, b, c]: [Self; 3]) -> Self {
        match scalar {
            Scalar::Operand(_) => a,
            Scalar::Constant(constant) => constant.into(),
            Scalar::Float(bits) => f32::from_bits(bits).into(),
            Scalar::Add | Scalar::SaturatingAdd => a + b,
            Scalar::Subtract | Scalar::SaturatingSubtract => a - b,
            Scalar::Multiply | Scalar::SaturatingMultiply => a * b,
            Scalar::Minimum => a.min(b),
            Scalar::Maximum => a.max(b),
            Scalar::Absolute => a.max(-a),
            Scalar::ShiftLeft(bits) => a * Self::from(1_u32 << bits),
            Scalar::ShiftRight(bits) => a / Self::from(1_u32 << bits),
            Scalar::Divide(divisor) => a / Self::from(divisor),
            Scalar::Quotient => a / b,
            Scalar::MultiplyAdd => a * b + c,
            Scalar::Exponential => crate::wdl::exp(a),
            Scalar::Floor | Scalar::Round | Scalar::Low(_) => a,
            Scalar::Less => (a < b).into(),
            Scalar::LessOrEqual => (a <= b).into(),
            Scalar::Greater => (a > b).into(),
            Scalar::GreaterOrEqual => (a >= b).into(),
            Scalar::Equal => (a == b).into(),
            Scalar::NotEqual => (a != b).into(),
            Scalar::Select => [b, c][usize::from(a == 0.0)],
        }
    }
}

/// The first float with this size has no fraction, and neither have those above.
const WHOLE: f32 = 8_388_608.0;

/// The greatest integer that is not above `a`; `a` itself if it is infinite or a NaN.
#[inline(always)]
fn floor(a: f32) -> f32 {
    let toward_zero = (a as i32 as f32).copysign(a);
    let below = [toward_zero, toward_zero - 1.0][usize::from(toward_zero > a)];
    [a, below][usize::from(a.abs() < WHOLE)]
}

/// The nearest integer, of two the even one; `a` itself if it is infinite or a NaN.
#[inline(always)]
fn round(a: f32) -> f32 {
    let nearest = ((a.abs() + WHOLE) - WHOLE).copysign(a);
    [a, nearest][usize::from(a.abs() < WHOLE)]
}
