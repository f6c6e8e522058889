//! Elementwise arithmetic of floats: which values are floats, and what becomes one.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::arithmetic::{Checked, Kind, joined};
use super::{Walk, short};
use crate::arithmetic::Arithmetic;
use crate::descriptor::{ElementType, Unit};
use crate::diagnostic::Code;
use crate::elementwise::{Scalar, evaluate};
use crate::graph::{Element, Run};
use crate::loc::{Loc, Located};
use crate::model::Expr;
use crate::text::Inside;

/// Integers up to this one are floats without rounding.
const EXACT: i64 = 1 << 24;

/// Greatest number of a unit: the quotient of two floats that are exact is rounded once.
const MAX_UNIT: u64 = EXACT as u64;

impl Checked {
    /// A constant float.
    pub(super) fn float(value: f32) -> Self {
        Self {
            code: [Scalar::float(value)].into(),
            kind: Kind::Floats,
            range: (0, 1),
            len: None,
        }
    }
}

impl<'a> Walk<'a, '_> {
    /// `h1 as f32`
    pub(super) fn converted(
        &mut self,
        inner: &'a Expr,
        loc: Loc,
        leaves: &mut Vec<Vec<Run>>,
    ) -> Option<Checked> {
        if let Expr::Number(_) = inner {
            let part = self.checked(inner, leaves)?;
            return self.as_floats(Arithmetic::ToFloat, inner, part);
        }
        let value = self.value(inner, None);
        let part = self.leaf(inner, value, leaves)?;
        if part.kind == Kind::Floats {
            let message = format!("`{}` are floats already", short(inner));
            let help = match self.sums_of_integers(inner) {
                Some(layer) => format!(
                    "remove `as f32`; if the engine adds integer biases first, write `{layer} bias i32)`"
                ),
                None => "remove `as f32`".into(),
            };
            self.error(Code::Arithmetic, loc, message, help);
            return None;
        }
        Some(Checked {
            kind: Kind::Floats,
            ..part
        })
    }

    /// The text of a layer of integers up to its closing parenthesis.
    fn sums_of_integers(&self, expr: &Expr) -> Option<String> {
        match expr {
            Expr::Affine { element, .. } if element.value != ElementType::F32 => {
                let mut text = expr.to_string();
                text.pop();
                Some(text)
            }
            _ => None,
        }
    }

    /// An operation of floats.
    pub(super) fn combine_floats(
        &mut self,
        operation: Located<Arithmetic>,
        operands: &'a [Expr],
        (parts, len): (Vec<Checked>, Option<u64>),
    ) -> Option<Checked> {
        let Located {
            value: arithmetic,
            loc,
        } = operation;
        let Some(scalars) = arithmetic.float_scalars() else {
            let message = format!("`{}` is of integers, not of floats", arithmetic.word());
            let help = match arithmetic {
                Arithmetic::ShiftLeft => "write a product: `h1 * 256.0`",
                Arithmetic::ShiftRight => "write a product: `h1 * (1.0 / 256.0)`",
                Arithmetic::ToI8 | Arithmetic::ToI16 => {
                    "remove the type; `clamp` limits floats, and `round` rounds them"
                }
                _ => "floats neither wrap nor saturate: write `+`, `-` or `*`",
            };
            self.error(Code::Arithmetic, loc, message, help.into());
            return None;
        };
        let parts: Vec<Option<Checked>> = operands
            .iter()
            .zip(parts)
            .map(|(operand, part)| self.as_floats(arithmetic, operand, part))
            .collect();
        let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
        let code = joined(arithmetic, parts.into_iter(), scalars);
        if len.is_some() {
            return Some(Checked {
                code,
                len,
                ..Checked::float(0.0)
            });
        }
        let value: f32 = evaluate(&code, |_| 0.0);
        if !value.is_finite() {
            let message = format!("this constant is {value}, and constants are finite");
            let help = "write a smaller number, or a divisor other than 0.0";
            self.error(Code::Arithmetic, loc, message, help.into());
            return None;
        }
        Some(Checked::float(value))
    }

    /// A part of an expression as floats: an integer that is written, or floats.
    fn as_floats(&mut self, operation: Arithmetic, expr: &Expr, part: Checked) -> Option<Checked> {
        let (least, _) = part.range;
        let (message, help) = match part.kind {
            Kind::Floats => return Some(part),
            Kind::Literal if least.abs() <= EXACT => return Some(Checked::float(least as f32)),
            Kind::Literal => (
                format!("no 32-bit float is {least} for certain"),
                format!("write the float that is meant: `{:?}`", least as f32),
            ),
            Kind::Integers if part.len.is_none() => (
                format!(
                    "`{}` is computed with integers and gives {least}",
                    short(expr)
                ),
                "write floats, for example `1.0 / 6.0`".into(),
            ),
            Kind::Integers => {
                let message = match operation.is_of_floats() {
                    true => format!(
                        "`{}` is of floats, and `{}` are integers",
                        operation.word(),
                        short(expr)
                    ),
                    false => format!("`{}` are integers beside floats", short(expr)),
                };
                (message, format!("write `{} as f32`", Inside(expr)))
            }
        };
        self.error(Code::Arithmetic, expr.loc(), message, help);
        None
    }

    /// Whether values are floats.
    pub(super) fn are_floats(&self, runs: &[Run]) -> bool {
        let is_float = |run: &Run| self.nodes.all[run.node].element == Element::F32;
        runs.iter().any(is_float)
    }

    /// Refuses floats as operands of a layer of integers.
    pub(super) fn refuse_floats_as_integers(&mut self, expr: &Expr) {
        let message = format!(
            "a layer of integers reads integers, and `{}` are floats",
            short(expr)
        );
        let help = "give the layer the type `f32`";
        self.error(Code::Arithmetic, expr.loc(), message, help.into());
    }

    /// Refuses sums with an integer bias where a network of floats needs floats.
    pub(super) fn refuse_integer_sums(&mut self, reader: &str, expr: &Expr, layer: usize) -> bool {
        let is_integer = self.floats && self.layers[layer].integer_bias;
        if is_integer {
            let message = format!(
                "{reader} floats, and `{}` are integers by `bias i32`",
                short(expr)
            );
            let help = format!(
                "write `{} as f32`, times the unit of the sums",
                Inside(expr)
            );
            self.error(Code::Arithmetic, expr.loc(), message, help);
        }
        is_integer
    }

    /// An integer bias belongs to integer sums; a unit, to those that become floats.
    pub(super) fn check_bias_and_unit(
        &mut self,
        node: usize,
        bias: Option<Located<ElementType>>,
        unit: Option<Located<Unit>>,
    ) {
        let nodes = &self.nodes.all;
        let Some(layer) = nodes[node].layer() else {
            return;
        };
        let has_sums = layer.weights != ElementType::F32 && !layer.is_direct(nodes);
        let wrong_bias = match bias {
            Some(bias) if !has_sums => Some((
                bias.loc,
                "this layer has no integer sums to which a bias is added".into(),
                "leave `bias` out",
            )),
            Some(bias) if bias.value != ElementType::I32 => Some((
                bias.loc,
                format!("an integer bias is `i32`, not `{}`", bias.value.name()),
                "write `bias i32`; its type in the file is said there: `format raw { fc0_bias: i16 }`",
            )),
            _ => None,
        };
        let wrong_unit = unit.and_then(|Located { value, loc }| {
            let becomes_floats = self.floats && has_sums && bias.is_none();
            let allowed = |number: u64| (1..=MAX_UNIT).contains(&number);
            if !becomes_floats {
                let message = "a unit is for integer sums that become floats".to_string();
                Some((
                    loc,
                    message,
                    "leave it out, or give the layers after this one the type `f32`",
                ))
            } else if !(allowed(value.num) && allowed(value.den)) {
                let message = format!(
                    "the numbers of a unit are 1 to {MAX_UNIT}, not {} and {}",
                    value.num, value.den
                );
                Some((loc, message, "write for example `unit 1/16256`"))
            } else {
                None
            }
        });
        for (loc, message, help) in wrong_bias.into_iter().chain(wrong_unit) {
            self.error(Code::FloatLayers, loc, message, help.into());
        }
    }
}
