//! Expressions as written in a declaration, without default annotations.

use core::fmt;

use crate::descriptor::ElementType;
use crate::loc::Located;
use crate::model::{Arithmetic, CustomFunction, Expr, Function};
use crate::quant;

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(&name.value),
            Self::Affine {
                input,
                outputs,
                element,
                scale,
                sums,
                bias,
                unit,
                binary,
                reach,
                ..
            } => {
                write!(f, "affine({input}, {}", outputs.value)?;
                if element.value != ElementType::I8 {
                    write!(f, ": {}", element.value.name())?;
                }
                if scale.value != quant::DEFAULT_SCALE {
                    write!(f, " @ {}", scale.value)?;
                }
                if let Some(sums) = sums {
                    write!(f, " sums {}", sums.value)?;
                }
                if let Some(bias) = bias {
                    write!(f, " bias {}", bias.value.name())?;
                }
                if let Some(Located { value: unit, .. }) = unit {
                    write!(f, " unit {}/{}", unit.num, unit.den)?;
                }
                if binary.is_some() {
                    f.write_str(" binary")?;
                }
                if let Some(reach) = reach {
                    let (count, size) = (reach.count.value, reach.size.value);
                    write!(f, ", {} {count} of {size}", reach.kind.name())?;
                }
                f.write_str(")")
            }
            Self::Activate {
                function,
                input,
                shift,
                words,
            } => {
                write!(f, "{}({input})", function.value.name())?;
                if let Function::Custom(CustomFunction { max: Some(max), .. }) = &function.value {
                    write!(f, " max {}", max.value)?;
                }
                if let Some(shift) = shift {
                    write!(f, " >> {}", shift.value)?;
                }
                f.write_str(if words.is_some() { " as i16" } else { "" })
            }
            Self::Pool { pool, operands } => {
                let [first, second] = &**operands;
                write!(f, "{}({first}, {second})", pool.value.definition().name)
            }
            Self::Reduce {
                reduce,
                input,
                size,
                shift,
            } => {
                write!(f, "{}({input}", reduce.value.name(size.is_none()))?;
                if let Some(size) = size {
                    write!(f, ", {}", size.value)?;
                }
                f.write_str(")")?;
                shift.map_or(Ok(()), |shift| write!(f, " >> {}", shift.value))
            }
            Self::Concat { parts, .. } => {
                f.write_str("concat(")?;
                for (index, part) in parts.iter().enumerate() {
                    write!(f, "{}{part}", if index == 0 { "" } else { ", " })?;
                }
                f.write_str(")")
            }
            Self::Slice {
                input, start, end, ..
            } => write_slice(f, input, *start, *end),
            Self::Number(number) => write!(f, "{}", number.value),
            Self::Float(number) => write!(f, "{:?}", number.value),
            Self::Arithmetic {
                operation,
                operands,
            } => write_arithmetic(f, operation.value, operands),
        }
    }
}

fn write_arithmetic(
    f: &mut fmt::Formatter<'_>,
    operation: Arithmetic,
    operands: &[Expr],
) -> fmt::Result {
    let word = operation.word();
    match operands {
        [only] if operation == Arithmetic::Negate => write!(f, "-{}", Inside(only)),
        [only] if operation.is_cast() => write!(f, "{} {word}", Inside(only)),
        [condition, chosen, other] if operation == Arithmetic::Select => {
            write!(f, "if {condition} {{ {chosen} }} else {{ {other} }}")
        }
        [first, second] if operation.is_infix() => {
            write!(f, "{} {word} {}", Inside(first), Inside(second))
        }
        _ => {
            write!(f, "{word}(")?;
            for (index, operand) in operands.iter().enumerate() {
                write!(f, "{}{operand}", if index == 0 { "" } else { ", " })?;
            }
            f.write_str(")")
        }
    }
}

/// An operand of an operator, in parentheses if it is an operator itself.
pub(crate) struct Inside<'a>(pub(crate) &'a Expr);

impl fmt::Display for Inside<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Expr::Arithmetic { operation, .. }
                if operation.value.is_infix()
                    || matches!(operation.value, Arithmetic::Negate | Arithmetic::Select) =>
            {
                write!(f, "({})", self.0)
            }
            operand => operand.fmt(f),
        }
    }
}

fn write_slice(
    f: &mut fmt::Formatter<'_>,
    input: &Expr,
    start: Option<Located<u64>>,
    end: Option<Located<u64>>,
) -> fmt::Result {
    match (start.map(|start| start.value), end.map(|end| end.value)) {
        (Some(start), Some(end)) if start.checked_add(1) == Some(end) => {
            write!(f, "{input}[{start}]")
        }
        (Some(start), Some(end)) => write!(f, "{input}[{start}..{end}]"),
        (Some(start), None) => write!(f, "{input}[{start}..]"),
        (None, Some(end)) => write!(f, "{input}[..{end}]"),
        (None, None) => write!(f, "{input}[..]"),
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use crate::model::Activation;
    use crate::testing::*;

    #[test]
    fn expressions_read_as_they_are_written() {
        let h = || name("h1");
        let expr = affine(
            concat([sqr_crelu(slice(h(), 0, 15)), crelu(slice(h(), 3, 4))]),
            32,
        );
        assert_eq!(
            expr.to_string(),
            "affine(concat(sqr_crelu(h1[0..15]), crelu(h1[3])), 32)"
        );
        assert_eq!(
            shifted(Activation::Pairwise, name("acc"), 9).to_string(),
            "pairwise(acc) >> 9"
        );
        let custom = |max| apply(custom("self::swish", max), h());
        assert_eq!(custom(None).to_string(), "self::swish(h1)");
        assert_eq!(custom(Some(100)).to_string(), "self::swish(h1) max 100");
    }
}
