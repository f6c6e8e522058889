//! 16-bit values: their readers and concatenations.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::value::{Activated, Operand, Value};
use super::{Walk, short};
use crate::diagnostic::Code;
use crate::graph::{Element, Run};
use crate::loc::Loc;
use crate::model::Expr;

impl<'a> Walk<'a, '_> {
    /// Whether runs have 16-bit values.
    pub(super) fn are_words(&self, runs: &[Run]) -> bool {
        runs.iter()
            .any(|run| self.nodes.all[run.node].element == Element::Words)
    }

    /// Whether a value is 16-bit.
    pub(super) fn is_words(&self, value: &Value<'_>) -> bool {
        match value {
            Value::Activated(Activated {
                operand: Operand::Accumulator,
                words,
                ..
            }) => words.is_some(),
            Value::Read { runs, .. } => self.are_words(runs),
            _ => false,
        }
    }

    /// 16-bit values can only be joined with values of the same unit. `runs` follow `before`; returns false
    /// if they do not fit.
    pub(super) fn check_joined(&mut self, before: &[Run], part: &Expr, runs: &[Run]) -> bool {
        let (Some(first), Some(this)) = (before.first(), runs.first()) else {
            return true;
        };
        let [first, this] = [first, this].map(|run| &self.nodes.all[run.node]);
        let [words, joins_words] = [this, first].map(|node| node.element == Element::Words);
        if words != joins_words {
            let [it, others] = if words { ["", " not"] } else { [" not", ""] };
            let message = format!(
                "`{}` is{it} kept in 16 bits, and what stands before it is{others}",
                short(part)
            );
            let help =
                "write `as i16` after each activation of accumulators, or after none of them"
                    .into();
            self.error(Code::SixteenBits, part.loc(), message, help);
            return false;
        }
        if words && first.unit != this.unit {
            let [one, other] = [first, this].map(|node| node.unit.den / node.unit.num);
            let message = format!(
                "1.0 is {other} in `{}`, and {one} in the 16-bit values before it",
                short(part)
            );
            let help =
                "join values of one activation with one shift, or let a layer read each of them"
                    .into();
            self.error(Code::SixteenBits, part.loc(), message, help);
            return false;
        }
        true
    }

    /// Rows of weights of 16-bit values must be whole vectors.
    pub(super) fn check_words_len(&mut self, input: &Expr, len: Option<u64>) {
        let Some(len) = len.filter(|len| !len.is_multiple_of(16)) else {
            return;
        };
        let message = format!(
            "16-bit values are read 16 at a time, and `{}` are {len}",
            short(input)
        );
        let help = match len / 16 * 16 {
            0 => "read 16".to_string(),
            less => format!("read {less} or {}", less + 16),
        };
        self.error(Code::SixteenBits, input.loc(), message, help);
    }

    /// Refuses 16-bit values where bytes or floats are needed, and returns others.
    pub(super) fn refuse_words(
        &mut self,
        reader: &str,
        input: &Expr,
        value: Value<'a>,
    ) -> Value<'a> {
        match value {
            Value::Read { runs, len } if self.are_words(&runs) => {
                self.refuse_words_in(reader, input);
                Value::Read {
                    runs: Vec::new(),
                    len,
                }
            }
            value => value,
        }
    }

    fn refuse_words_in(&mut self, reader: &str, input: &Expr) {
        let message = format!(
            "{reader} does not read 16-bit values, and `{}` are kept in 16 bits",
            short(input)
        );
        let help = "leave `as i16` out, or let a layer of type `i8` or `i16` read them";
        self.error(Code::SixteenBits, input.loc(), message, help.into());
    }

    /// Only accumulators can be kept in 16 bits.
    pub(super) fn refuse_words_of_sums(&mut self, words: Option<Loc>) {
        if let Some(loc) = words {
            let message = "only activated accumulators are kept in 16 bits";
            self.error(
                Code::SixteenBits,
                loc,
                message.into(),
                "leave `as i16` out: layers give bytes".into(),
            );
        }
    }
}
