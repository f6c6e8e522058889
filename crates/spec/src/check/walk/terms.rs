//! The terms of the output.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::value::Value;
use super::{Walk, short};
use crate::check::facts::LayerFacts;
use crate::check::{MAX_OUTPUTS, build};
use crate::diagnostic::Code;
use crate::graph::{Op, Term};
use crate::model::{Expr, TermSpec, ValueForm};

impl<'a> Walk<'a, '_> {
    /// Checks that a term is a single neuron, or the three of `wdl`.
    pub(super) fn term(&mut self, term: &'a TermSpec) -> Vec<Term> {
        let expr = &term.value;
        match self.value(expr, None) {
            Value::Sums { layer, .. }
                if self.refuse_integer_sums("the output is made of", expr, layer) =>
            {
                Vec::new()
            }
            Value::Sums { layer, start, len } => {
                if self.is_wdl() {
                    self.check_wdl(expr, len, layer);
                } else if len != 1 {
                    self.check_single(expr, len, layer);
                }
                self.neurons(term, layer, start, len)
            }
            Value::Unknown => Vec::new(),
            Value::Accumulator | Value::Activated(_) | Value::Read { .. } => {
                let message = format!(
                    "a term of the output is a neuron of a layer, `{}` is not",
                    short(expr)
                );
                let input = if matches!(expr, Expr::Name(name) if name.value == self.spec.accumulator.name.value)
                {
                    format!("crelu({expr})")
                } else {
                    expr.to_string()
                };
                self.error(
                    Code::OutputTerm,
                    expr.loc(),
                    message,
                    format!("write `affine({input}, 1)`"),
                );
                Vec::new()
            }
        }
    }

    /// One or several terms, as floats in networks of floats.
    fn neurons(&mut self, term: &TermSpec, layer: usize, start: u64, len: u64) -> Vec<Term> {
        let node = self.sums_node(layer);
        let (negative, ratio) = (term.negative, term.ratio.map(build::ratio));
        let neurons =
            (start..start.saturating_add(len.min(MAX_OUTPUTS))).map(|neuron| neuron as usize);
        neurons
            .map(|neuron| Term {
                node,
                neuron,
                negative,
                ratio,
            })
            .collect()
    }

    /// The node with the sums of a layer, as floats in networks of floats.
    pub(super) fn sums_node(&mut self, layer: usize) -> usize {
        let LayerFacts {
            node, integer_bias, ..
        } = self.layers[layer];
        match self.floats && !integer_bias {
            true => self.nodes.floats(node),
            false => node,
        }
    }

    fn check_single(&mut self, value: &Expr, len: u64, layer: usize) {
        if !(1..=MAX_OUTPUTS).contains(&len) {
            return; // a layer of no outputs, or of too many, is wrong in itself
        }
        let node = &self.nodes.all[self.layers[layer].node];
        if matches!(&node.op, Op::Affine(affine) if affine.is_direct(&self.nodes.all)) {
            return; // so is one of 16-bit weights with several outputs
        }
        if matches!(value, Expr::Affine { .. }) {
            let message = format!("the output is 1 neuron, its layer has {len}");
            let help = match len {
                3 => {
                    "for a loss, a draw and a win, write `value wdl * 1000;` after layers of floats; else end with 1 neuron"
                }
                _ => {
                    "end with a layer of 1 neuron; for one output per number of pieces, write layer stacks: `1x8`"
                }
            };
            let help = help.into();
            self.error(
                Code::OutputWidth,
                self.layers[layer].outputs.loc,
                message,
                help,
            );
        } else {
            let message = format!(
                "a term of the output is 1 neuron, `{}` has {len}",
                short(value)
            );
            let help = format!("write `{value}[0]`, or `affine(crelu({value}), 1)`");
            self.error(Code::OutputWidth, value.loc(), message, help);
        }
    }

    /// Whether the outputs are loss, draw and win.
    fn is_wdl(&self) -> bool {
        self.spec
            .value
            .is_some_and(|value| value.form == ValueForm::Wdl)
    }

    fn check_wdl(&mut self, value: &Expr, len: u64, layer: usize) {
        if len != 3 {
            let loc = if matches!(value, Expr::Affine { .. }) {
                self.layers[layer].outputs.loc
            } else {
                value.loc()
            };
            let message = format!(
                "`value wdl` reads 3 outputs, for a loss, a draw and a win; there are {len}"
            );
            self.error(
                Code::OutputWidth,
                loc,
                message,
                "write `output affine(x, 3: f32)`".into(),
            );
        }
    }
}
