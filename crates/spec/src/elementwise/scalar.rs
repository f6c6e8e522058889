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
    /// in generated code: of integers, of vectors of floats
    pub rust: &'static str,
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
        rust,
        onnx,
    })
}

impl Scalar {
    /// A constant float.
    pub const fn float(value: f32) -> Self {
        Self::Float(value.to_bits())
    }

    /// Its definition.
    pub const fn definition(self) -> Definition {
        use Onnx::{Composed, Node, Wrapped};
        match self {
            Self::Operand(_) => Definition::new(form("", "", Composed), form("", "", Composed)),
            Self::Constant(_) => Definition::new(form("{n}", "({n}_i32)", Composed), None),
            Self::Float(_) => {
                Definition::new(None, form("{n}", "simd.splat_f32({n}_f32)", Composed))
            }
            Self::Add => Definition::new(
                form(
                    "wrapping_add({0}, {1})",
                    "{0}.wrapping_add({1})",
                    Wrapped("Add"),
                ),
                form("({0} + {1})", "simd.add_f32({0}, {1})", Node("Add")),
            ),
            Self::Subtract => Definition::new(
                form(
                    "wrapping_sub({0}, {1})",
                    "{0}.wrapping_sub({1})",
                    Wrapped("Sub"),
                ),
                form("({0} - {1})", "simd.sub_f32({0}, {1})", Node("Sub")),
            ),
            Self::Multiply => Definition::new(
                form(
                    "wrapping_mul({0}, {1})",
                    "{0}.wrapping_mul({1})",
                    Wrapped("Mul"),
                ),
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
            | Self::Exponential => 1,
            Self::Add
            | Self::Subtract
            | Self::Multiply
            | Self::Minimum
            | Self::Maximum
            | Self::Quotient => 2,
            Self::MultiplyAdd => 3,
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
            Self::ShiftLeft(bits) | Self::ShiftRight(bits) => format!("{bits}"),
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

    /// Its result for integers; operations of one value ignore `b`, those of none return `a`.
    #[inline(always)]
    pub const fn apply(self, a: i32, b: i32) -> i32 {
        match self {
            Self::Constant(constant) => constant,
            Self::Add => a.wrapping_add(b),
            Self::Subtract => a.wrapping_sub(b),
            Self::Multiply => a.wrapping_mul(b),
            Self::Minimum if b < a => b,
            Self::Maximum if b > a => b,
            Self::Absolute => a.wrapping_abs(),
            Self::ShiftLeft(bits) => a.wrapping_shl(bits),
            Self::ShiftRight(bits) => a.wrapping_shr(bits),
            Self::Divide(divisor) => a.wrapping_div(divisor),
            Self::Operand(_)
            | Self::Minimum
            | Self::Maximum
            | Self::Float(_)
            | Self::Quotient
            | Self::MultiplyAdd
            | Self::Exponential => a,
        }
    }
}

/// A type of the values of an expression.
pub trait Number: Copy + Default {
    /// The result of an operation. Those after the operands that it takes are ignored.
    fn of(scalar: Scalar, operands: [Self; 3]) -> Self;
}

impl Number for i32 {
    #[inline(always)]
    fn of(scalar: Scalar, [a, b, _]: [Self; 3]) -> Self {
        scalar.apply(a, b)
    }
}

impl Number for f32 {
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
            Scalar::Operand(_)
            | Scalar::Constant(_)
            | Scalar::ShiftLeft(_)
            | Scalar::ShiftRight(_)
            | Scalar::Divide(_) => a,
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
            Scalar::Add => a + b,
            Scalar::Subtract => a - b,
            Scalar::Multiply => a * b,
            Scalar::Minimum => a.min(b),
            Scalar::Maximum => a.max(b),
            Scalar::Absolute => a.max(-a),
            Scalar::ShiftLeft(bits) => a * Self::from(1_u32 << bits),
            Scalar::ShiftRight(bits) => a / Self::from(1_u32 << bits),
            Scalar::Divide(divisor) => a / Self::from(divisor),
            Scalar::Quotient => a / b,
            Scalar::MultiplyAdd => a * b + c,
            Scalar::Exponential => crate::wdl::exp(a),
        }
    }
}
