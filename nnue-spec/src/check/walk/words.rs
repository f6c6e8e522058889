//! Values of 16 bits, which one layer each reads as a whole.

use alloc::format;
use alloc::vec::Vec;

use super::value::Value;
use super::{Walk, short};
use crate::diagnostic::Code;
use crate::graph::{Element, Run};
use crate::loc::Loc;
use crate::model::Expr;

impl<'a> Walk<'a, '_> {
    /// Whether runs are of values of 16 bits.
    pub(super) fn are_words(&self, runs: &[Run]) -> bool {
        runs.iter().any(|run| self.nodes.all[run.node].element == Element::Words)
    }

    /// Refuses values of 16 bits where bytes or floats are read, and returns others.
    pub(super) fn refuse_words(&mut self, reader: &str, input: &Expr, value: Value<'a>) -> Value<'a> {
        match value {
            Value::Read { runs, len } if self.are_words(&runs) => {
                self.refuse_words_in(reader, input);
                Value::Read { runs: Vec::new(), len }
            }
            value => value,
        }
    }

    fn refuse_words_in(&mut self, reader: &str, input: &Expr) {
        let message = format!("{reader} does not read 16-bit values, and `{}` are kept in 16 bits", short(input));
        let help = "leave `as i16` out, or let a layer of type `i8` or `i16` read all of them";
        self.error(Code::SixteenBits, input.loc(), message, help.into());
    }

    /// Only accumulators are kept in 16 bits.
    pub(super) fn refuse_words_of_sums(&mut self, words: Option<Loc>) {
        if let Some(loc) = words {
            let message = "only activated accumulators are kept in 16 bits";
            self.error(Code::SixteenBits, loc, message.into(), "leave `as i16` out: layers give bytes".into());
        }
    }
}
