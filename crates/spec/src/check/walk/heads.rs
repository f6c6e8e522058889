//! Named outputs.

use alloc::format;
use alloc::string::ToString;

use super::value::{Activated, Operand, Value};
use super::{Walk, short};
use crate::check::facts::LayerFacts;
use crate::check::nodes::Layer;
use crate::check::{MAX_NUMBERS, MAX_ROWS, output, quant};
use crate::descriptor::{ElementType, HeadKind, Unit};
use crate::diagnostic::Code;
use crate::graph::{Element, Head, Reach, Run};
use crate::model::{Expr, HeadSpec, ReachKind};

impl<'a> Walk<'a, '_> {
    /// A named output: sums of one layer, or one activation of them.
    pub(super) fn head(&mut self, head: &'a HeadSpec) -> Option<Head> {
        if head.kind.value == HeadKind::Rows {
            return self.rows(head);
        }
        let value = self.value(&head.value, None);
        let run = match self.of_layers(value) {
            Value::Sums { layer, .. }
                if self.refuse_integer_sums("named outputs are", &head.value, layer) =>
            {
                return None;
            }
            Value::Sums { layer, start, len } => {
                self.check_len(head, Some(layer), len);
                Run {
                    node: self.sums_node(layer),
                    start: start as usize,
                    len: len.min(MAX_NUMBERS) as usize,
                }
            }
            value @ Value::Read { .. } => {
                let reader = "a named output has sums or activated values";
                let Value::Read { runs, len } = self.refuse_integers(reader, &head.value, value)
                else {
                    return None;
                };
                self.check_len(head, None, len?);
                self.single_run(head, &runs)?
            }
            Value::Unknown => return None,
            Value::Accumulator | Value::Activated(_) => {
                self.refuse_accumulator(&head.value);
                return None;
            }
        };
        let (name, kind) = (head.name.value.clone(), head.kind.value);
        Some(Head {
            name,
            kind,
            run,
            unit: self.unit(head, run.node),
        })
    }

    /// A layer with rows on demand: it reads one activation as bytes, or 16-bit values.
    fn rows(&mut self, head: &'a HeadSpec) -> Option<Head> {
        let Expr::Affine {
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
        } = &head.value
        else {
            return None;
        };
        let kind = reach.map_or(ReachKind::Blocks, |reach| reach.kind);
        let refused = [
            (
                kind.code(),
                reach.map(|reach| reach.loc),
                match kind {
                    ReachKind::Blocks => "have no blocks of outputs",
                    ReachKind::Shards => "have no groups of outputs",
                },
            ),
            (Code::BinaryLayer, *binary, "are not signs"),
            (
                Code::FloatLayers,
                sums.map(|sums| sums.loc),
                "have no partial sums",
            ),
            (
                Code::FloatLayers,
                bias.map(|bias| bias.loc),
                "have an integer bias as they are",
            ),
            (
                Code::FloatLayers,
                unit.map(|unit| unit.loc),
                "have the unit that follows from the scales",
            ),
        ];
        for (code, loc, message) in refused {
            if let Some(loc) = loc {
                let message = format!("rows are computed one by one, and {message}");
                self.error(
                    code,
                    loc,
                    message,
                    format!("write `rows({input}, {})`", outputs.value),
                );
            }
        }
        let value = self.value(input, None);
        let value = self.made(value);
        self.check_read(input, &value);
        let value = self.refuse_integers("rows read bytes", input, value);
        let words = self.is_words(&value);
        if words {
            self.check_words_len(input, value.len());
        }
        if element.value != ElementType::I8 && !(words && element.value == ElementType::I16) {
            let also = if words { " or `i16`" } else { "" };
            let message = format!(
                "the weights of rows are `i8`{also}, not `{}`",
                element.value.name()
            );
            let help = format!("write `rows({input}, {})`", outputs.value);
            self.error(Code::UnsupportedWeightElement, element.loc, message, help);
        }
        if !(1..=MAX_ROWS).contains(&outputs.value) {
            let message = format!("there are 1 to {MAX_ROWS} rows, not {}", outputs.value);
            self.error(
                Code::LayerWidth,
                outputs.loc,
                message,
                "write the number of moves that have an index".into(),
            );
        }
        quant::check_scale(*scale, self.sink);
        let Value::Read { runs, .. } = value else {
            return None;
        };
        let Some(run) = runs.first().filter(|_| runs.len() == 1 || words) else {
            if !runs.is_empty() {
                let message = format!("rows read one activation, `{}` joins several", short(input));
                let help = "let a layer read them, and rows its activation".to_string();
                self.error(Code::UnsupportedMixedInputs, input.loc(), message, help);
            }
            return None;
        };
        if !words && self.nodes.all[run.node].element != Element::U8 {
            let message = format!("rows read bytes, and `{}` are floats", short(input));
            let help = "let rows read the accumulator, for example `pairwise(acc)`".to_string();
            self.error(Code::FloatLayers, input.loc(), message, help);
            return None;
        }
        let weights = if words {
            element.value
        } else {
            ElementType::I8
        };
        let rows = outputs.value.min(MAX_ROWS) as usize;
        let layer = Layer {
            operands: runs,
            outputs: rows,
            weights,
            scale: scale.value as i32,
            partial: 0,
            on_demand: true,
            binary: false,
            reach: Reach::All,
            integer_bias: false,
            unit: None,
        };
        let node = self.nodes.affine(layer);
        self.layers.push(LayerFacts {
            outputs: *outputs,
            scale: *scale,
            input: input.loc(),
            reads_words: words,
            integer_bias: false,
            node,
        });
        let (name, unit) = (head.name.value.clone(), self.unit(head, node));
        Some(Head {
            name,
            kind: HeadKind::Rows,
            run: Run {
                node,
                start: 0,
                len: rows,
            },
            unit,
        })
    }

    /// Makes the node of activated sums; refuses activated accumulators.
    fn of_layers(&mut self, value: Value<'a>) -> Value<'a> {
        match value {
            Value::Activated(Activated {
                operand: Operand::Accumulator,
                ..
            }) => value,
            value => self.made(value),
        }
    }

    fn single_run(&mut self, head: &HeadSpec, runs: &[Run]) -> Option<Run> {
        let [run] = *runs else {
            if !runs.is_empty() {
                let message = format!(
                    "`{}` are values of several layers, an output has those of one",
                    short(&head.value)
                );
                let help = "write an output for each of them".to_string();
                self.error(Code::OutputTerm, head.value.loc(), message, help);
            }
            return None;
        };
        if self.nodes.reads_accumulator(run.node) {
            self.refuse_accumulator(&head.value);
            return None;
        }
        Some(run)
    }

    fn refuse_accumulator(&mut self, value: &Expr) {
        let message = format!(
            "an output is made of neurons of a layer, `{}` is of the accumulator",
            short(value)
        );
        let input = if matches!(value, Expr::Name(name) if name.value == self.spec.accumulator.name.value)
        {
            format!("crelu({value})")
        } else {
            value.to_string()
        };
        self.error(
            Code::OutputTerm,
            value.loc(),
            message,
            format!("write `affine({input}, 1)`"),
        );
    }

    /// The unit of the numbers of an output, from the values of node `node`.
    fn unit(&self, head: &HeadSpec, node: usize) -> Unit {
        let Unit { num, den } = self.nodes.all[node].unit;
        let (times, over) = head
            .ratio
            .map_or((1, 1), |ratio| (ratio.num.value, ratio.den.value));
        output::lowest(Unit {
            num: num.saturating_mul(times),
            den: den.saturating_mul(over),
        })
    }

    /// `wdl` has three outputs; other outputs have at most [`MAX_NUMBERS`].
    fn check_len(&mut self, head: &HeadSpec, layer: Option<usize>, len: u64) {
        let loc = match (&head.value, layer) {
            (Expr::Affine { .. }, Some(layer)) => self.layers[layer].outputs.loc,
            (value, _) => value.loc(),
        };
        let name = &head.name.value;
        if head.kind.value == HeadKind::Wdl && len != 3 {
            let message =
                format!("`wdl` reads 3 neurons, for a loss, a draw and a win; there are {len}");
            let help = format!("write `output {name} = wdl(affine(x, 3));`");
            self.error(Code::OutputWidth, loc, message, help);
        } else if len > MAX_NUMBERS {
            let message =
                format!("the output `{name}` has {len} numbers, the limit is {MAX_NUMBERS}");
            self.error(
                Code::OutputWidth,
                loc,
                message,
                "end with a smaller layer".into(),
            );
        }
    }
}
