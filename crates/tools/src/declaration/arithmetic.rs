//! Operations of elementwise expressions as written in a declaration.

use nnue_spec::Scalar;

/// An operation of integers. Operations that may wrap are written as such.
pub(super) fn of_integers(scalar: Scalar, parts: &[String]) -> String {
    let part = |index: usize| parts.get(index).map_or("", String::as_str);
    let (first, second) = (part(0), part(1));
    match scalar {
        Scalar::Constant(constant) => constant.to_string(),
        Scalar::Add => format!("wrapping_add({first}, {second})"),
        Scalar::Subtract => format!("wrapping_sub({first}, {second})"),
        Scalar::Multiply => format!("wrapping_mul({first}, {second})"),
        Scalar::Minimum => format!("min({first}, {second})"),
        Scalar::Maximum => format!("max({first}, {second})"),
        Scalar::Absolute => format!("abs({first})"),
        Scalar::ShiftLeft(bits) => format!("({first} << {bits})"),
        Scalar::ShiftRight(bits) => format!("({first} >> {bits})"),
        Scalar::Divide(divisor) => format!("({first} / {divisor})"),
        Scalar::Operand(_)
        | Scalar::Float(_)
        | Scalar::Quotient
        | Scalar::MultiplyAdd
        | Scalar::Exponential => String::new(),
    }
}

/// An operation of floats.
pub(super) fn of_floats(scalar: Scalar, parts: &[String]) -> String {
    let part = |index: usize| parts.get(index).map_or("", String::as_str);
    let (first, second, third) = (part(0), part(1), part(2));
    match scalar {
        Scalar::Float(bits) => format!("{:?}", f32::from_bits(bits)),
        Scalar::Add => format!("({first} + {second})"),
        Scalar::Subtract => format!("({first} - {second})"),
        Scalar::Multiply => format!("({first} * {second})"),
        Scalar::Quotient => format!("({first} / {second})"),
        Scalar::Minimum => format!("min({first}, {second})"),
        Scalar::Maximum => format!("max({first}, {second})"),
        Scalar::Absolute => format!("abs({first})"),
        Scalar::MultiplyAdd => format!("mul_add({first}, {second}, {third})"),
        Scalar::Exponential => format!("exp({first})"),
        Scalar::Operand(_)
        | Scalar::Constant(_)
        | Scalar::ShiftLeft(_)
        | Scalar::ShiftRight(_)
        | Scalar::Divide(_) => String::new(),
    }
}
