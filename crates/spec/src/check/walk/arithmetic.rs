//! Elementwise arithmetic: its operands, their lengths, and the proof that no integer wraps.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::value::{Activated, Operand, Value};
use super::{Walk, short};
use crate::arithmetic::{Arithmetic, Facts, I32, fits};
use crate::descriptor::ElementType;
use crate::diagnostic::{Code, Diagnostic};
use crate::elementwise::{MAX_DEPTH, MAX_OPERANDS, MAX_SCALARS, Scalar, depth, evaluate};
use crate::graph::{Element, Map, Run};
use crate::loc::{Loc, Located};
use crate::model::{Expr, Pool};
use crate::text::Inside;

/// A checked part of an expression.
pub(super) struct Checked {
    pub(super) code: Vec<Scalar>,
    pub(super) kind: Kind,
    /// least and greatest integer
    pub(super) range: (i64, i64),
    /// number of values; `None` for a constant
    pub(super) len: Option<u64>,
}

/// The type of a part of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// an integer as written, which is a float beside floats
    Literal,
    Integers,
    Floats,
}

impl Checked {
    fn constant(value: i64, kind: Kind) -> Self {
        Self {
            code: [Scalar::Constant(value as i32)].into(),
            kind,
            range: (value, value),
            len: None,
        }
    }
}

impl<'a> Walk<'a, '_> {
    /// An expression as values: one node for each part whose operands are whole runs.
    pub(super) fn arithmetic(&mut self, expr: &'a Expr, name: Option<&'a str>) -> Value<'a> {
        let mut leaves = Vec::new();
        let Some(checked) = self.checked(expr, &mut leaves) else {
            return Value::hidden(None);
        };
        let Some(len) = checked.len else {
            let message = format!("`{}` is a number, and no values of a network", short(expr));
            let help = "write it beside values, for example `min(h1, 64)`".into();
            self.error(Code::Arithmetic, expr.loc(), message, help);
            return Value::hidden(None);
        };
        let is_small = checked.code.len() <= MAX_SCALARS
            && leaves.len() <= MAX_OPERANDS
            && depth(&checked.code, leaves.len()).is_some_and(|depth| depth <= MAX_DEPTH);
        if !is_small {
            let message = format!(
                "an expression has up to {MAX_SCALARS} operations and {MAX_OPERANDS} operands, and keeps \
                 {MAX_DEPTH} values at once"
            );
            let help = "bind parts of it to names: `let c = clamp(h1, 0, 64);`".into();
            self.error(Code::Limit, expr.loc(), message, help);
            return Value::hidden(Some(len));
        }
        self.pieces(checked, &leaves, name)
    }

    /// Makes a node for each stretch of values in which every operand is one run.
    fn pieces(
        &mut self,
        checked: Checked,
        leaves: &[Vec<Run>],
        name: Option<&'a str>,
    ) -> Value<'a> {
        let Checked {
            code, kind, len, ..
        } = checked;
        let len = len.unwrap_or(0) as usize;
        let (mut runs, mut at) = (Vec::new(), 0);
        while at < len {
            let rest: Vec<Run> = leaves.iter().filter_map(|leaf| from(leaf, at)).collect();
            let piece = rest.iter().map(|run| run.len).min().unwrap_or(0);
            if piece == 0 || rest.len() < leaves.len() {
                return Value::hidden(Some(len as u64)); // an operand is wrong, which is reported
            }
            let facts: Vec<Facts> = rest.iter().map(|run| self.facts(run)).collect();
            let operands = rest.into_iter().map(|run| Run { len: piece, ..run });
            let (element, facts) = match kind {
                Kind::Floats => (ElementType::F32, Facts::FLOATS),
                Kind::Literal | Kind::Integers => (ElementType::I32, Facts::of(&code, &facts)),
            };
            let map = Map {
                operands: operands.collect(),
                code: code.clone(),
                element,
            };
            let name = name.filter(|_| piece == len);
            let node = self.nodes.map(map, facts, name);
            runs.push(Run {
                node,
                start: 0,
                len: piece,
            });
            at += piece;
        }
        Value::Read {
            runs,
            len: Some(len as u64),
        }
    }

    /// The range and the unit of the values of a run.
    fn facts(&self, run: &Run) -> Facts {
        let node = &self.nodes.all[run.node];
        Facts {
            range: node.range.unwrap_or(I32),
            unit: Some(node.unit),
        }
    }

    /// Checks an expression and appends its operands to `leaves`.
    pub(super) fn checked(
        &mut self,
        expr: &'a Expr,
        leaves: &mut Vec<Vec<Run>>,
    ) -> Option<Checked> {
        match expr {
            Expr::Number(number) => {
                let number = self.number(*number)?;
                Some(Checked::constant(number, Kind::Literal))
            }
            Expr::Float(number) => Some(Checked::float(number.value)),
            Expr::Arithmetic {
                operation,
                operands,
            } if operation.value == Arithmetic::ToFloat => {
                self.converted(operands.first()?, operation.loc, leaves)
            }
            Expr::Arithmetic {
                operation,
                operands,
            } => {
                let checked: Vec<Option<Checked>> = operands
                    .iter()
                    .map(|operand| self.checked(operand, leaves))
                    .collect();
                let parts = checked.into_iter().collect::<Option<Vec<_>>>()?;
                self.combine(*operation, operands, parts)
            }
            Expr::Pool { pool, operands } if self.is_maximum_of_integers(expr) => {
                let parts = operands.each_ref().map(|part| self.checked(part, leaves));
                let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
                let maximum = Located::new(Arithmetic::Maximum, pool.loc);
                self.combine(maximum, operands.as_slice(), parts)
            }
            leaf => {
                let value = self.value(leaf, None);
                self.leaf(leaf, value, leaves)
            }
        }
    }

    /// Whether `max(a, b)` is arithmetic and no pool: an operand is an expression, or a name of one.
    pub(super) fn is_maximum_of_integers(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Pool { pool, operands } => {
                pool.value == Pool::Maximum
                    && operands
                        .iter()
                        .any(|operand| self.are_of_expression(operand))
            }
            _ => false,
        }
    }

    /// Whether values are written by arithmetic, seen from the text alone: nothing is evaluated.
    fn are_of_expression(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Number(_) | Expr::Float(_) | Expr::Arithmetic { .. } => true,
            Expr::Name(name) => match self.names.get(name.value.as_str()) {
                Some(Value::Read { runs, .. }) => self.nodes.are_of_expression(runs),
                _ => false,
            },
            Expr::Slice { input, .. } => self.are_of_expression(input),
            Expr::Concat { parts, .. } => parts.iter().any(|part| self.are_of_expression(part)),
            Expr::Pool { .. } => self.is_maximum_of_integers(expr),
            Expr::Affine { .. } | Expr::Activate { .. } | Expr::Reduce { .. } => false,
        }
    }

    fn number(&mut self, number: Located<i64>) -> Option<i64> {
        if fits((number.value, number.value)) {
            return Some(number.value);
        }
        let message = format!("no 32-bit integer is {}", number.value);
        let help = format!("write {} to {}", I32.0, I32.1);
        self.error(Code::BadNumber, number.loc, message, help);
        None
    }

    /// An operation of checked operands.
    fn combine(
        &mut self,
        operation: Located<Arithmetic>,
        operands: &'a [Expr],
        parts: Vec<Checked>,
    ) -> Option<Checked> {
        let Located {
            value: arithmetic,
            loc,
        } = operation;
        let len = self.common_len(operation, operands, &parts)?;
        let is_float = |part: &Checked| part.kind == Kind::Floats;
        if arithmetic.is_of_floats() || parts.iter().any(is_float) {
            return self.combine_floats(operation, operands, (parts, len));
        }
        if arithmetic.takes_constant() {
            self.check_constant(arithmetic, operands, &parts)?;
        }
        let ranges: Vec<(i64, i64)> = parts.iter().map(|part| part.range).collect();
        let same = matches!(&*parts, [first, second] if first.code == second.code);
        let range = arithmetic.range(&ranges, same);
        if !fits(range) {
            self.refuse_range(arithmetic, loc, operands, (&ranges, range));
            return None;
        }
        let code = code(arithmetic, parts);
        if len.is_none() {
            let value = evaluate::<i32>(&code, |_| 0);
            return Some(Checked::constant(value.into(), Kind::Integers));
        }
        Some(Checked {
            code,
            kind: Kind::Integers,
            range,
            len,
        })
    }

    /// The length of the results: that of all operands that are no constants.
    fn common_len(
        &mut self,
        operation: Located<Arithmetic>,
        operands: &[Expr],
        parts: &[Checked],
    ) -> Option<Option<u64>> {
        let mut of_values = operands
            .iter()
            .zip(parts)
            .filter_map(|(expr, part)| Some((expr, part.len?)));
        let Some((first, len)) = of_values.next() else {
            return Some(None);
        };
        if let Some((other, found)) = of_values.find(|(_, found)| *found != len) {
            let message = format!(
                "`{}` takes values of the same length, `{}` has {len} and `{}` has {found}",
                operation.value.word(),
                short(first),
                short(other)
            );
            let longer = if len > found { first } else { other };
            let help = format!("write a part: `{}[..{}]`", Inside(longer), len.min(found));
            self.error(Code::Arithmetic, operation.loc, message, help);
            return None;
        }
        Some(Some(len))
    }

    /// The second operand of a shift is 0 to 31, that of a division above 0, and both are constants.
    fn check_constant(
        &mut self,
        arithmetic: Arithmetic,
        operands: &[Expr],
        parts: &[Checked],
    ) -> Option<()> {
        let (Some(expr), Some(part)) = (operands.get(1), parts.get(1)) else {
            return None;
        };
        let is_shift = arithmetic != Arithmetic::Divide;
        let allowed = if is_shift { (0, 31) } else { (1, I32.1) };
        let word = arithmetic.word();
        let message = if part.len.is_some() {
            format!(
                "`{word}` takes a number after it, and `{}` are values",
                short(expr)
            )
        } else if part.range.0 < allowed.0 || part.range.1 > allowed.1 {
            let what = if is_shift { "shifts by" } else { "divides by" };
            format!(
                "`{word}` {what} {} to {}, not {}",
                allowed.0, allowed.1, part.range.0
            )
        } else {
            return Some(());
        };
        let help = match arithmetic {
            Arithmetic::Divide => "write for example `h1 / 64`",
            _ => "write for example `h1 >> 6`",
        };
        self.error(Code::Arithmetic, expr.loc(), message, help.into());
        None
    }

    /// An operation whose result may not fit in 32 bits.
    fn refuse_range(
        &mut self,
        arithmetic: Arithmetic,
        loc: Loc,
        operands: &[Expr],
        (ranges, (least, greatest)): (&[(i64, i64)], (i64, i64)),
    ) {
        let mut of_operands: Vec<String> = operands
            .iter()
            .zip(ranges)
            .filter(|(expr, _)| !matches!(expr, Expr::Number(_)))
            .map(|(expr, (least, greatest))| format!("`{}` is {least} to {greatest}", short(expr)))
            .collect();
        of_operands.dedup();
        let message = format!(
            "`{}` may give {least} to {greatest}, which does not fit in 32 bits",
            arithmetic.word()
        );
        let wrapping = arithmetic.wrapping().map(|wrapping| {
            let operands: Vec<String> = operands.iter().map(Expr::to_string).collect();
            format!("{}({})", wrapping.word(), operands.join(", "))
        });
        let help = match wrapping {
            Some(wrapping) => format!(
                "clip or shift the operands first; if the engine computes modulo 2^32, write `{wrapping}`"
            ),
            None => "clip or shift the operand first, for example `clamp(h1, 0, 127)`".into(),
        };
        let diagnostic = Diagnostic::new(Code::ArithmeticRange, loc, message).help(help);
        self.sink.push(diagnostic.note(of_operands.join(", ")));
    }

    /// Values that an expression reads: sums of layers, and values that layers read.
    pub(super) fn leaf(
        &mut self,
        expr: &'a Expr,
        value: Value<'a>,
        leaves: &mut Vec<Vec<Run>>,
    ) -> Option<Checked> {
        let runs = match value {
            Value::Unknown => return None,
            Value::Accumulator => [Run {
                node: 0,
                start: 0,
                len: self.nodes.all[0].len,
            }]
            .into(),
            Value::Activated(Activated {
                operand: Operand::Accumulator,
                ..
            }) if self.joined != Element::F32 => return self.refuse_activation(expr),
            Value::Sums { layer, start, len } => [Run {
                node: self.sums_node(layer),
                start: start as usize,
                len: len as usize,
            }]
            .into(),
            other => match self.made(other) {
                Value::Read { runs, .. } => runs,
                _ => return None,
            },
        };
        if runs.is_empty() {
            return None; // reported already
        }
        let is_float = |run: &Run| self.nodes.all[run.node].element == Element::F32;
        let kind = match runs.iter().all(is_float) {
            true => Kind::Floats,
            false
                if runs
                    .iter()
                    .all(|run| run.node == 0 || self.is_of_integers(run)) =>
            {
                Kind::Integers
            }
            false => return self.refuse_leaf(expr),
        };
        let ranges = runs.iter().map(|run| self.facts(run).range);
        let range = ranges.fold((i64::MAX, i64::MIN), |(least, most), (a, b)| {
            (least.min(a), most.max(b))
        });
        let len = runs.iter().map(|run| run.len as u64).sum();
        let index = leaves
            .iter()
            .position(|leaf| *leaf == runs)
            .unwrap_or_else(|| {
                leaves.push(runs);
                leaves.len() - 1
            });
        Some(Checked {
            code: [Scalar::Operand(index)].into(),
            kind,
            range,
            len: Some(len),
        })
    }

    /// Sums of a layer as they are, as operand of a layer of 32-bit integers.
    pub(super) fn sums_as_integers(&mut self, expr: &'a Expr, sums: Value<'a>) -> Value<'a> {
        let mut leaves = Vec::new();
        match self.leaf(expr, sums, &mut leaves) {
            Some(checked) if checked.kind == Kind::Floats => {
                self.refuse_floats_as_integers(expr);
                Value::hidden(checked.len)
            }
            Some(checked) => self.pieces(checked, &leaves, None),
            None => Value::hidden(None),
        }
    }

    /// Whether a run has integers of layers: bytes, sums, or results of expressions.
    pub(super) fn is_of_integers(&self, run: &Run) -> bool {
        matches!(self.nodes.all[run.node].element, Element::U8 | Element::I32)
            && !self.nodes.reads_accumulator(run.node)
    }

    /// Refuses an activation of accumulators, which only layers read.
    fn refuse_activation(&mut self, expr: &Expr) -> Option<Checked> {
        let (acc, one) = (
            &self.spec.accumulator.name.value,
            self.spec.accumulator.one.value,
        );
        let message = format!(
            "arithmetic reads accumulators as they are, and `{}` activates them for a layer",
            short(expr)
        );
        let help = format!("write what it computes, for example `clamp({acc}, 0, {one})`");
        self.error(Code::Arithmetic, expr.loc(), message, help);
        None
    }

    fn refuse_leaf(&mut self, expr: &Expr) -> Option<Checked> {
        let message = format!(
            "arithmetic reads values of layers, and `{}` is not of a layer",
            short(expr)
        );
        let help = "let a layer read it first, for example `affine(pairwise(acc), 16) >> 6`";
        self.error(Code::Arithmetic, expr.loc(), message, help.into());
        None
    }

    /// Refuses integers where bytes are needed, and returns other values.
    pub(super) fn refuse_integers(
        &mut self,
        reader: &str,
        input: &Expr,
        value: Value<'a>,
    ) -> Value<'a> {
        match value {
            Value::Read { runs, len } if self.nodes.are_integers(&runs) => {
                let message = format!(
                    "{reader}, and `{}` are integers of an expression",
                    short(input)
                );
                let help = "let a layer read them, for example `affine(x, 16: i32)`";
                self.error(Code::Arithmetic, input.loc(), message, help.into());
                Value::hidden(len)
            }
            value => value,
        }
    }
}

/// The part of joined runs from value `at` on that is in one run.
fn from(runs: &[Run], at: usize) -> Option<Run> {
    let mut before = 0;
    for run in runs {
        if at < before + run.len {
            let skipped = at - before;
            return Some(Run {
                node: run.node,
                start: run.start + skipped,
                len: run.len - skipped,
            });
        }
        before += run.len;
    }
    None
}

/// The operations of an operation of integers and its operands.
fn code(arithmetic: Arithmetic, parts: Vec<Checked>) -> Vec<Scalar> {
    let constant = parts.get(1).map_or(0, |part| part.range.0) as i32;
    let taken = if arithmetic.takes_constant() { 1 } else { 3 };
    let parts = parts.into_iter().take(taken);
    joined(arithmetic, parts, arithmetic.scalars(constant))
}

/// Operands, then the operations on them. The bounds of a clamp follow the value one after the other.
pub(super) fn joined(
    arithmetic: Arithmetic,
    parts: impl Iterator<Item = Checked>,
    scalars: Vec<Scalar>,
) -> Vec<Scalar> {
    let mut code = Vec::new();
    for (index, part) in parts.enumerate() {
        code.extend(part.code);
        if arithmetic == Arithmetic::Clamp && index > 0 {
            code.push([Scalar::Maximum, Scalar::Minimum][index - 1]);
        }
    }
    code.extend(scalars);
    code
}
