//! Diagnostics as `compile_error!` at the user's tokens, and as text.

use nnue_spec::diagnostic::Diagnostic;
use proc_macro2::{Delimiter, Group, Literal, Span, TokenStream, TokenTree};
use quote::quote_spanned;

use crate::span_table::SpanTable;

/// `::core::compile_error! { "message" }`, underlining the place of the diagnostic.
///
/// rustc underlines an invocation from its first to its last token; giving these two the spans of the first
/// and the last wrong token underlines all wrong tokens on a stable compiler.
pub(crate) fn emit_error(diagnostic: &Diagnostic, spans: &SpanTable) -> TokenStream {
    let place = spans.place(diagnostic.loc);
    let mut message = TokenTree::Literal(Literal::string(&text(diagnostic, spans)));
    message.set_span(place.end);
    let mut group = Group::new(Delimiter::Brace, message.into());
    group.set_span(place.end);
    let start = place.start;
    quote_spanned!(start=> ::core::compile_error! #group)
}

/// Message, help, notes and related locations.
pub(crate) fn text(diagnostic: &Diagnostic, spans: &SpanTable) -> String {
    let mut lines = Vec::new();
    if let Some(help) = &diagnostic.help {
        lines.push(format!("help: {help}"));
    }
    if let Some(note) = &diagnostic.note {
        lines.push(format!("note: {note}"));
    }
    for (loc, what) in &diagnostic.related {
        let (line, column) = line_column(spans.place(*loc).start);
        lines.push(format!("note: line {line}, column {column}: {what}"));
    }
    if lines.is_empty() {
        return diagnostic.message.clone();
    }
    format!("{}\n\n{}", diagnostic.message, lines.join("\n"))
}

/// Line and column of a span, both from 1. The end of a text without tokens counts as its start.
pub(crate) fn line_column(span: Span) -> (usize, usize) {
    let start = span.start();
    (start.line.max(1), start.column + 1)
}
