//! Binary layers, which read signs of accumulators, sums and bytes.

use alloc::format;
use alloc::vec::Vec;

use super::value::{Activated, Operand, Value};
use super::{Walk, short};
use crate::descriptor::ElementType;
use crate::diagnostic::Code;
use crate::graph::{Element, Run};
use crate::loc::{Loc, Located};
use crate::model::Expr;

impl<'a> Walk<'a, '_> {
    /// Weights are signs: another type or partial sums are refused.
    pub(super) fn check_binary(
        &mut self,
        element: Located<ElementType>,
        sums: Option<Located<u64>>,
    ) {
        if element.value != ElementType::I8 {
            let message = format!(
                "weights of a binary layer are signs, not `{}`",
                element.value.name()
            );
            self.error(
                Code::BinaryLayer,
                element.loc,
                message,
                "leave the type out: `256 binary`".into(),
            );
        }
        if let Some(sums) = sums {
            let message = "a binary layer counts bits, and has no partial sums".into();
            self.error(
                Code::BinaryLayer,
                sums.loc,
                message,
                "leave `sums` out: `256 binary`".into(),
            );
        }
    }

    /// The signs of the operand of a binary layer.
    pub(super) fn read_signs(&mut self, input: &Expr, value: Value<'a>) -> Value<'a> {
        let len = value.len();
        let runs = match value {
            Value::Unknown => return value,
            Value::Accumulator => {
                let accumulator = &self.nodes.all[0];
                [Run {
                    node: 0,
                    start: 0,
                    len: accumulator.len,
                }]
                .into()
            }
            Value::Activated(Activated {
                operand: Operand::Accumulator,
                function,
                ..
            }) => {
                return self.refuse_activated(function.loc, function.value.name(), len);
            }
            Value::Sums { layer, start, len } => [Run {
                node: self.layers[layer].node,
                start: start as usize,
                len: len as usize,
            }]
            .into(),
            Value::Activated(_) | Value::Read { .. } => match self.made(value) {
                value @ Value::Read { .. } => {
                    let reader = "a binary layer reads sums and bytes";
                    match self.refuse_integers(reader, input, value) {
                        Value::Read { runs, .. } => runs,
                        _ => Vec::new(),
                    }
                }
                _ => Vec::new(),
            },
        };
        if runs
            .iter()
            .any(|run| self.nodes.reads_accumulator(run.node))
        {
            return self.refuse_activated(input.loc(), &short(input), len);
        }
        if runs
            .iter()
            .any(|run| self.nodes.all[run.node].element == Element::F32)
        {
            let message = format!(
                "a binary layer reads whole numbers, and `{}` are floats",
                short(input)
            );
            let help = "let it read the accumulators, or layers of whole numbers";
            self.error(Code::BinaryLayer, input.loc(), message, help.into());
            return Value::hidden(len);
        }
        if runs.is_empty() {
            return Value::hidden(len); // reported already
        }
        let runs: Vec<Run> = runs
            .into_iter()
            .map(|run| Run {
                node: self.nodes.signs(run.node),
                ..run
            })
            .collect();
        let len = runs.iter().map(|run| run.len as u64).sum();
        Value::Read {
            runs,
            len: Some(len),
        }
    }

    /// An activation of accumulators is refused: binary layers take the signs of the accumulators themselves.
    fn refuse_activated(&mut self, loc: Loc, found: &str, len: Option<u64>) -> Value<'a> {
        let message =
            format!("a binary layer takes the signs of accumulators themselves, found `{found}`");
        let name = &self.spec.accumulator.name.value;
        let help = format!("leave it out; in the graph form, write `affine({name}, 256 binary)`");
        self.error(Code::BinaryLayer, loc, message, help);
        Value::hidden(len)
    }
}
