//! Syntax tree to model.
//!
//! A chain becomes exactly the model of the graph that it abbreviates. Words are resolved here; for an
//! unknown word, an error is recorded and the most likely meaning is used, so that later checks can find
//! other errors.

mod chain;
mod clauses;
mod dense;
mod expr;
mod file;
mod inputs;
mod kings;
mod raw;
mod subnets;
#[cfg(test)]
mod tests;
mod threats;

use nnue_spec::dense::model::DenseSpec;
use nnue_spec::diagnostic::{Code, Diagnostic, Sink};
use nnue_spec::loc::{Loc, Located};
use nnue_spec::model::{NetSpec, StackSpec};
use nnue_spec::subnets::model::SubnetsSpec;
use syn::ext::IdentExt;

use crate::span_table::SpanTable;
use crate::syntax::ast::{Body, Declaration, Selector};
use crate::syntax::place::{At, Int, Place, Wrong};

/// Lowers one declaration. `None` if there are too many errors for a model; they are in the sink.
///
/// `complete` is false if clauses were skipped: then nothing is reported as missing.
pub(crate) fn lower(
    declaration: &Declaration,
    complete: bool,
    spans: &mut SpanTable,
    sink: &mut Sink,
) -> Option<NetSpec> {
    let name = located_name(declaration, spans);
    let mut lowerer = Lowerer {
        spans,
        sink,
        complete,
    };
    match declaration.body.as_ref()? {
        Body::Chain(chain, clauses) => lowerer.lower_chain(name, chain, clauses),
        Body::Graph(clauses) => lowerer.lower_graph(name, clauses),
    }
}

/// As [`lower`], over a dense input.
pub(crate) fn lower_dense(
    declaration: &Declaration,
    complete: bool,
    spans: &mut SpanTable,
    sink: &mut Sink,
) -> Option<DenseSpec> {
    let name = located_name(declaration, spans);
    let Body::Graph(clauses) = declaration.body.as_ref()? else {
        return None;
    };
    Lowerer {
        spans,
        sink,
        complete,
    }
    .lower_dense(name, clauses)
}

/// As [`lower`], for subnets.
pub(crate) fn lower_subnets(
    declaration: &Declaration,
    complete: bool,
    spans: &mut SpanTable,
    sink: &mut Sink,
) -> Option<SubnetsSpec> {
    let name = located_name(declaration, spans);
    let Body::Graph(clauses) = declaration.body.as_ref()? else {
        return None;
    };
    Lowerer {
        spans,
        sink,
        complete,
    }
    .lower_subnets(name, clauses)
}

fn located_name(declaration: &Declaration, spans: &mut SpanTable) -> Located<String> {
    let place = Place::of(declaration.name.span());
    spans.located(At::new(declaration.name.unraw().to_string(), place))
}

/// The shared state of lowering.
struct Lowerer<'a> {
    spans: &'a mut SpanTable,
    sink: &'a mut Sink,
    /// false if clauses were skipped
    complete: bool,
}

impl Lowerer<'_> {
    fn error(&mut self, wrong: Wrong) {
        let diagnostic: Diagnostic = self.spans.diagnostic(wrong);
        self.sink.push(diagnostic);
    }

    /// A number as written, or a default with the location of something else.
    fn or_default(&mut self, written: Option<&Int>, default: u64, place: Place) -> Located<u64> {
        self.spans
            .located(written.copied().unwrap_or(At::new(default, place)))
    }

    fn int(&mut self, written: &Int) -> Located<u64> {
        self.spans.located(*written)
    }

    fn optional_int(&mut self, written: Option<&Int>) -> Option<Located<u64>> {
        written.map(|int| self.spans.located(*int))
    }

    fn lower_stack(
        &mut self,
        count: Option<&Int>,
        by: Option<&Selector>,
        default: Loc,
    ) -> StackSpec {
        let count = match count {
            Some(count) => self.spans.located(*count),
            None => Located::new(1, default),
        };
        let group = by.and_then(|selector| selector.group.as_ref());
        let group = group.map(|word| self.spans.located(At::new(word.value.clone(), word.place)));
        let by = by.map(|selector| self.spans.located(At::new(selector.value, selector.place)));
        StackSpec { count, by, group }
    }

    fn missing(&mut self, code: Code, place: Place, message: &str, help: &str) {
        if self.complete {
            self.error(Wrong::new(code, place, message).help(help));
        }
    }
}
