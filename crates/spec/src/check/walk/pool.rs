//! Pools and reductions.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::value::{Activated, Operand, Value};
use super::{Walk, short};
use crate::check::MAX_WIDTH;
use crate::descriptor::{Activation, Unit};
use crate::diagnostic::{Code, Diagnostic};
use crate::graph::{Element, Run};
use crate::loc::{Loc, Located};
use crate::model::{Expr, Function, Pairs, Pool, Reduce};
use crate::op::Strided;
use crate::quant::BUFFER_MAX;

impl<'a> Walk<'a, '_> {
    /// `avg_halves(x)`: x is activated values of layers, or clipped accumulators.
    pub(super) fn pool_of_one(
        &mut self,
        function: &'a Located<Function>,
        input: &Expr,
        value: Value<'a>,
        (shift, words): (Option<Located<u64>>, Option<Loc>),
        name: Option<&'a str>,
    ) -> Value<'a> {
        let Some((pool, pairs)) = function.value.pool() else {
            return Value::Unknown;
        };
        if is_clipped_accumulator(&value) {
            let len = self.accumulator_values(&function.value);
            return Value::Activated(Activated {
                function,
                shift,
                words,
                name,
                operand: Operand::Accumulator,
                len,
            });
        }
        self.refuse_words_of_sums(words);
        let word = Located::new(function.value.name(), function.loc);
        let Some(runs) = self.pooled(word, input, value, (Reads::Clipped, shift)) else {
            return Value::hidden(None);
        };
        let len = length(&runs);
        if !len.is_multiple_of(2) {
            let message = format!(
                "`{}` takes two values each, and `{}` has {len}",
                word.value,
                short(input)
            );
            let help = match len {
                1 => "write a value of 2 or more".to_string(),
                _ => format!(
                    "write a value of {} or {}, or a part: `{input}[..{}]`",
                    len - 1,
                    len + 1,
                    len - 1
                ),
            };
            self.error(Code::PoolLength, word.loc, message, help);
            return Value::hidden(Some((len / 2) as u64));
        }
        self.pool_runs(pool, (pairs, word), &runs, name)
    }

    /// `max(a, b)`
    pub(super) fn pool_of_two(
        &mut self,
        pool: &Located<Pool>,
        operands: &'a [Expr; 2],
        name: Option<&'a str>,
    ) -> Value<'a> {
        let word = Located::new(pool.value.definition().name, pool.loc);
        let both = operands.each_ref().map(|operand| {
            let value = self.value(operand, None);
            self.pooled(word, operand, value, (Reads::Layers, None))
        });
        let [Some(mut runs), Some(second)] = both else {
            return Value::hidden(None);
        };
        let lens = [length(&runs), length(&second)];
        if lens[0] != lens[1] {
            let [first, second] = operands.each_ref().map(short);
            let message = format!(
                "`{}` takes two values of the same length, `{first}` has {} and `{second}` has {}",
                word.value, lens[0], lens[1]
            );
            let longer = &operands[usize::from(lens[0] < lens[1])];
            let least = lens[0].min(lens[1]);
            let help = format!(
                "give both the same number of outputs, or write a part: `{longer}[..{least}]`"
            );
            self.error(Code::PoolLength, word.loc, message, help);
            return Value::hidden(None);
        }
        runs.extend(second);
        self.pool_runs(pool.value, (Pairs::Halves, word), &runs, name)
    }

    /// `mean(x)`, `max_neighbours(x, 4)`: x is all values of a layer, or a part of them.
    pub(super) fn reduce(
        &mut self,
        reduce: Located<Reduce>,
        input: &Expr,
        value: Value<'a>,
        (size, shift): (Option<Located<u64>>, Option<Located<u64>>),
        name: Option<&'a str>,
    ) -> Value<'a> {
        let word = Located::new(reduce.value.name(size.is_none()), reduce.loc);
        let reads = if size.is_some() {
            Reads::Runs
        } else {
            Reads::Layers
        };
        let Some(runs) = self.pooled(word, input, value, (reads, shift)) else {
            return Value::hidden(None);
        };
        let all = match *runs {
            [run] => Located::new(run.len as u64, word.loc),
            _ if size.is_some() => Located::new(0, word.loc),
            _ => {
                let message = format!(
                    "`mean` reads values of one layer, and `{}` has those of several",
                    short(input)
                );
                let help =
                    "take the mean of each, and concatenate them or pool them by `avg(a, b)`"
                        .into();
                self.error(Code::PoolLength, word.loc, message, help);
                return Value::hidden(Some(1));
            }
        };
        let (mut made, is_one) = (Vec::new(), runs.len() == 1);
        for run in runs {
            let whole = is_one.then_some(input);
            let Some(size) =
                self.checked_size(word, size.unwrap_or(all), (whole, input), run.len as u64)
            else {
                return Value::hidden(None);
            };
            let node = self
                .nodes
                .reduce(reduce.value, run, size, name.filter(|_| is_one));
            made.push(Run {
                node,
                start: 0,
                len: run.len / size,
            });
        }
        let len = length(&made);
        Value::Read {
            runs: made,
            len: Some(len as u64),
        }
    }

    /// The number of values per result, if it divides `len`. The values are `whole`, or the part `input` of
    /// one layer.
    fn checked_size(
        &mut self,
        word: Located<&str>,
        size: Located<u64>,
        (whole, input): (Option<&Expr>, &Expr),
        len: u64,
    ) -> Option<usize> {
        let Located { value, loc } = size;
        let name = word.value;
        if value < 2 {
            let (message, help) = match name {
                "mean" => (
                    format!(
                        "`mean` is that of two values or more, and `{}` is one",
                        short(input)
                    ),
                    "leave `mean` out",
                ),
                _ => (
                    format!("`{name}` makes one value of two or more, found {value}"),
                    "write 2 or more",
                ),
            };
            self.error(Code::PoolLength, loc, message, help.into());
            return None;
        }
        if !len.is_multiple_of(value) {
            let Some(input) = whole else {
                let message = format!(
                    "`{name}` takes {value} values of one layer each, and a part of `{}` has {len}",
                    short(input)
                );
                self.error(
                    Code::PoolLength,
                    loc,
                    message,
                    format!("write `{name}` of each part, and concatenate the results"),
                );
                return None;
            };
            let message = format!(
                "`{name}` takes {value} values each, and `{}` has {len}",
                short(input)
            );
            let divisor = (2..value).rev().find(|size| len.is_multiple_of(*size));
            let help = match (divisor, len / value * value) {
                (Some(divisor), 0) => format!("write `{name}({input}, {divisor})`"),
                (Some(divisor), most) => {
                    format!("write `{name}({input}, {divisor})`, or a part: `{input}[..{most}]`")
                }
                (None, 0) => format!("write a value of {value} or more"),
                (None, most) => format!("write a part: `{input}[..{most}]`"),
            };
            self.error(Code::PoolLength, loc, message, help);
            return None;
        }
        Some(value as usize)
    }

    /// A pool of accumulators in floats: for each perspective, of its clipped values.
    pub(super) fn pool_of_accumulators(
        &mut self,
        pool: Pool,
        pairs: Pairs,
        pooled: Activated<'a>,
    ) -> Value<'a> {
        let node =
            self.nodes
                .activate_accumulator((Activation::Crelu, 0), BUFFER_MAX, Element::F32, None);
        let (len, perspectives) = (self.nodes.all[node].len, self.nodes.perspectives());
        let each = len / perspectives;
        let word = Located::new(pooled.function.value.name(), pooled.function.loc);
        let mut all = Vec::new();
        for start in (0..len).step_by(each.max(1)) {
            let name = pooled.name.filter(|_| perspectives == 1);
            if let Value::Read { runs, .. } = self.pool_runs(
                pool,
                (pairs, word),
                &[Run {
                    node,
                    start,
                    len: each,
                }],
                name,
            ) {
                all.extend(runs);
            }
        }
        Value::Read {
            runs: all,
            len: pooled.len,
        }
    }

    /// The operand of a pool as runs; `None` after an error.
    fn pooled(
        &mut self,
        word: Located<&str>,
        input: &Expr,
        value: Value<'a>,
        (reads, shift): (Reads, Option<Located<u64>>),
    ) -> Option<Vec<Run>> {
        let value = match value {
            Value::Sums { .. } => {
                self.refuse_unwritten(word, input, &value, shift);
                return None;
            }
            Value::Accumulator
            | Value::Activated(Activated {
                operand: Operand::Accumulator,
                ..
            }) => {
                self.refuse_accumulators(word, reads, input);
                return None;
            }
            other => {
                self.refuse_shift(word.value, shift);
                self.made(other)
            }
        };
        let reader = format!("`{}` reads activated values", word.value);
        let value = self.refuse_integers(&reader, input, value);
        let Value::Read { runs, len: Some(_) } = value else {
            return None;
        };
        let is_too_long = |run: &Run| self.nodes.all[run.node].len as u64 > 2 * MAX_WIDTH;
        if runs.is_empty() || runs.iter().any(is_too_long) {
            return None; // refused already
        }
        if runs
            .iter()
            .any(|run| self.nodes.reads_accumulator(run.node))
        {
            self.refuse_accumulators(word, reads, input);
            return None;
        }
        Some(runs)
    }

    /// Pools need explicitly activated operands.
    pub(super) fn refuse_unwritten(
        &mut self,
        word: Located<&str>,
        input: &Expr,
        value: &Value<'_>,
        shift: Option<Located<u64>>,
    ) {
        let what = match value {
            Value::Accumulator => "is an accumulator",
            _ => "are sums of a layer",
        };
        let message = format!(
            "`{}` reads activated values, and `{}` {what}",
            word.value,
            short(input)
        );
        let shift = shift.map_or(String::new(), |shift| format!(" >> {}", shift.value));
        let help =
            format!("write the activation that is meant, for example `crelu({input}){shift}`");
        let note =
            "no activation is put in where none is written; earlier versions read `crelu` here";
        self.sink.push(
            Diagnostic::new(Code::MissingActivation, input.loc(), message)
                .help(help)
                .note(note),
        );
    }

    fn refuse_shift(&mut self, name: &str, shift: Option<Located<u64>>) {
        if let Some(shift) = shift {
            let message = format!(
                "`{name}` of activated values has no shift of its own, found `>> {}`",
                shift.value
            );
            self.error(
                Code::MisplacedShift,
                shift.loc,
                message,
                "remove the shift: it belongs to the activation".into(),
            );
        }
    }

    fn refuse_accumulators(&mut self, word: Located<&str>, reads: Reads, input: &Expr) {
        let (name, input) = (word.value, short(input));
        let (message, help) = if reads == Reads::Layers {
            let message = format!(
                "`{name}` reads values of layers, and `{input}` are values of the accumulator"
            );
            (
                message,
                "read the accumulator in a layer, and take activations of that layer".to_string(),
            )
        } else if reads == Reads::Runs {
            let acc = &self.spec.accumulator.name.value;
            let message = format!(
                "`{name}` of more than two values reads those of layers, and `{input}` are values of the accumulator, which become bytes two \
                 at a time"
            );
            (
                message,
                format!(
                    "pool two of the accumulator each, `{name}(crelu({acc}))`, or read it in a layer first"
                ),
            )
        } else {
            let message = format!(
                "`{name}` reads values of layers or clipped accumulators, and `{input}` is neither"
            );
            let acc = &self.spec.accumulator.name.value;
            let help = if name == "pairwise" {
                format!("write it in place of the activation, `{name}({acc})`")
            } else {
                format!("write `{name}(crelu({acc}))`, with the accumulator at `@ 127`")
            };
            (message, help)
        };
        self.error(Code::PoolOperands, word.loc, message, help);
    }

    /// Pools pairs of the concatenated `runs`: one node for each part that lies in two runs.
    fn pool_runs(
        &mut self,
        pool: Pool,
        (pairs, word): (Pairs, Located<&str>),
        runs: &[Run],
        name: Option<&str>,
    ) -> Value<'a> {
        let results = length(runs) / 2;
        let units = runs.iter().map(|run| self.nodes.all[run.node].unit);
        if let Some([one, other]) = differing(units) {
            let message = format!(
                "`{}` takes values of one scale: 1.0 is {one} in some of them, {other} in others",
                word.value
            );
            let help = "activate both by the same function, for example `crelu`".into();
            self.error(Code::PoolOperands, word.loc, message, help);
            return Value::hidden(Some(results as u64));
        }
        let Strided { starts, stride } = pairs.places(2 * results);
        let mut pieces: Vec<[Run; 2]> = Vec::new();
        let mut cursors = starts.map(|start| Cursor::new(runs, start));
        for _ in 0..results {
            let [first, second] = cursors.each_mut().map(|cursor| cursor.take(stride));
            let continues = |before: &Run, next: Run| {
                before.node == next.node && before.start + stride * before.len == next.start
            };
            match pieces.last_mut() {
                Some([before, other]) if continues(before, first) && continues(other, second) => {
                    before.len += 1;
                    other.len += 1;
                }
                _ => pieces.push([first, second]),
            }
        }
        let name = name.filter(|_| pieces.len() == 1);
        let made = pieces.into_iter().map(|operands| {
            let node = self.nodes.pool(pool, operands, stride, (word.value, name));
            Run {
                node,
                start: 0,
                len: operands[0].len,
            }
        });
        Value::Read {
            runs: made.collect(),
            len: Some(results as u64),
        }
    }
}

/// Accepted operands of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reads {
    /// values of layers, and clipped accumulators
    Clipped,
    /// values of layers
    Layers,
    /// values of layers, in runs of more than two
    Runs,
}

/// Whether a pool of this value is a pool of accumulators.
fn is_clipped_accumulator(value: &Value<'_>) -> bool {
    let Value::Activated(Activated {
        function,
        shift: None,
        words: None,
        operand: Operand::Accumulator,
        ..
    }) = value
    else {
        return false;
    };
    matches!(function.value, Function::Known(Activation::Crelu))
}

fn length(runs: &[Run]) -> usize {
    runs.iter().map(|run| run.len).sum()
}

/// A forward-only position in concatenated runs.
struct Cursor<'r> {
    runs: &'r [Run],
    /// index in the first run
    index: usize,
}

impl<'r> Cursor<'r> {
    fn new(runs: &'r [Run], start: usize) -> Self {
        let mut cursor = Self { runs, index: 0 };
        cursor.advance(start);
        cursor
    }

    /// The value at this position; advances by `stride` values.
    fn take(&mut self, stride: usize) -> Run {
        let Run { node, start, .. } = self.runs[0];
        let value = Run {
            node,
            start: start + self.index,
            len: 1,
        };
        self.advance(stride);
        value
    }

    fn advance(&mut self, by: usize) {
        self.index += by;
        while let [first, rest @ ..] = self.runs
            && self.index >= first.len
        {
            self.index -= first.len;
            self.runs = rest;
        }
    }
}

/// The scales of two units that differ, if there are any.
fn differing(mut units: impl Iterator<Item = Unit>) -> Option<[f64; 2]> {
    let first = units.next()?;
    let other = units.find(|unit| *unit != first)?;
    let hundredths =
        |unit: Unit| ((unit.den as f64 / unit.num as f64) * 100.0) as u64 as f64 / 100.0;
    Some([first, other].map(hundredths))
}
