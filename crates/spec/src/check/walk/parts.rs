//! `concat` and slices: joined runs of values, and parts of values.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::value::Value;
use super::{Walk, short};
use crate::check::{MAX_CONCAT, MAX_PARTS};
use crate::diagnostic::Code;
use crate::graph::Run;
use crate::loc::{Loc, Located};
use crate::model::Expr;

impl<'a> Walk<'a, '_> {
    pub(super) fn concat(&mut self, parts: &'a [Expr], loc: Loc) -> Value<'a> {
        if parts.len() < 2 {
            let message = format!("`concat` joins 2 or more values, found {}", parts.len());
            let help = parts.first().map_or("write `concat(a, b)`".into(), |part| {
                format!("leave `concat` out: `{part}`")
            });
            self.error(Code::ConcatCount, loc, message, help);
        }
        let (mut all, mut total) = (Vec::new(), Some(0_u64));
        for part in parts {
            let value = self.value(part, None);
            let value = self.made(value);
            let len = match value {
                Value::Read { runs, len } => {
                    if !self.check_joined(&all, part, &runs) {
                        return Value::Unknown;
                    }
                    all.extend(runs);
                    if all.len() > MAX_PARTS {
                        let message = format!(
                            "`concat` joins up to {MAX_PARTS} parts of values, and here are more"
                        );
                        let help = "join fewer, or longer parts".to_string();
                        self.error(Code::Limit, part.loc(), message, help);
                        return Value::Unknown;
                    }
                    len
                }
                Value::Unknown => None,
                Value::Accumulator | Value::Activated(_) | Value::Sums { .. } => {
                    let message = format!(
                        "`{}` is not activated, `concat` joins activated values",
                        short(part)
                    );
                    let help = format!("write `crelu({part})`");
                    self.error(Code::ConcatUnactivated, part.loc(), message, help);
                    None
                }
            };
            total = total.zip(len).map(|(total, len)| total.saturating_add(len));
        }
        if let Some(total) = total.filter(|total| *total > MAX_CONCAT) {
            let message = format!("`concat` joins {total} values, the limit is {MAX_CONCAT}");
            self.error(
                Code::SumOverflow,
                loc,
                message,
                "no i32 holds the sum of so many: join fewer".into(),
            );
            return Value::Unknown;
        }
        Value::Read {
            runs: join(all),
            len: total,
        }
    }

    pub(super) fn slice(
        &mut self,
        input: &Expr,
        value: Value<'a>,
        start: Option<Located<u64>>,
        end: Option<Located<u64>>,
        loc: Loc,
    ) -> Value<'a> {
        let len = match value {
            Value::Unknown | Value::Activated(_) | Value::Read { len: None, .. } => return value,
            Value::Accumulator => {
                let message = format!(
                    "`{input}` is an accumulator, and can be cut only when it is activated"
                );
                let help =
                    format!("write `crelu({input})[..]` with the range after the activation");
                self.error(Code::UnsupportedSlice, loc, message, help);
                return Value::Unknown;
            }
            Value::Sums { len, .. } | Value::Read { len: Some(len), .. } => len,
        };
        if !self.check_slice(input, len, start, end, loc) {
            return Value::Unknown;
        }
        let (first, last) = (
            start.map_or(0, |start| start.value),
            end.map_or(len, |end| end.value),
        );
        match value {
            Value::Sums { layer, start, .. } => Value::Sums {
                layer,
                start: start + first,
                len: last - first,
            },
            Value::Read { runs, .. } => Value::Read {
                runs: cut(runs, first as usize, last as usize),
                len: Some(last - first),
            },
            other => other,
        }
    }

    /// Whether `input[start..end]` is a nonempty part of the `len` values of `input`.
    fn check_slice(
        &mut self,
        input: &Expr,
        len: u64,
        start: Option<Located<u64>>,
        end: Option<Located<u64>>,
        loc: Loc,
    ) -> bool {
        let from = start.map_or(0, |start| start.value);
        let to = end.map_or(len, |end| end.value);
        let input = short(input);
        if from > to && end.is_some() {
            let message = format!("the slice starts at {from} and ends at {to}");
            self.error(
                Code::SliceInverted,
                loc,
                message,
                format!("did you mean `[{to}..{from}]`?"),
            );
        } else if from == to && from < len {
            let message = format!("the slice `{from}..{to}` has no values");
            let help = format!("the end is not included: write `[{from}..{}]`", from + 1);
            self.error(Code::SliceEmpty, loc, message, help);
        } else if to > len || from >= len {
            let (wrong, what) = if from >= len {
                (start, "index")
            } else {
                (end, "end of the slice")
            };
            let value = if from >= len { from } else { to };
            let message = format!("`{input}` has {len} values, the {what} is {value}");
            let help = match len {
                0 => "give it at least one value".to_string(),
                _ => format!(
                    "the last value is `[{}]`, all of them are `[..{len}]`",
                    len - 1
                ),
            };
            self.error(
                Code::SliceRange,
                wrong.map_or(loc, |wrong| wrong.loc),
                message,
                help,
            );
        } else {
            return true;
        }
        false
    }
}

/// Values `start..end` of the concatenated `runs`.
fn cut(runs: Vec<Run>, start: usize, end: usize) -> Vec<Run> {
    let mut at = 0;
    let cut = |run: Run| {
        let (first, last) = (start.max(at), end.min(at + run.len));
        let begin = run.start + first.saturating_sub(at);
        at += run.len;
        (first < last).then(|| Run {
            node: run.node,
            start: begin,
            len: last - first,
        })
    };
    runs.into_iter().filter_map(cut).collect()
}

/// Merges neighbouring runs of the same node.
fn join(runs: Vec<Run>) -> Vec<Run> {
    let mut joined: Vec<Run> = Vec::new();
    for run in runs {
        match joined.last_mut() {
            Some(last) if last.node == run.node && last.start + last.len == run.start => {
                last.len += run.len
            }
            _ => joined.push(run),
        }
    }
    joined
}
