//! The compiler for text, used by the command `nnue`.

use std::fmt;
use std::panic::resume_unwind;

use nnue_spec::dense::DenseGraph;
use nnue_spec::diagnostic::Code;
use nnue_spec::graph::Graph;
use nnue_spec::model::NetSpec;
use nnue_spec::plan::{Plan, plan};
use nnue_spec::subnets::SubnetsGraph;
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

use crate::compile::{Compilation, Graphs, compile, compile_graphs};
use crate::features::Features;
use crate::report;
use crate::syntax::limits::MAX_TEXT;
use crate::syntax::place::Place;

/// An error in the text of a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// line, from 1
    pub line: usize,
    /// column, from 1
    pub column: usize,
    /// length of the wrong part of this line in characters, at least 1
    pub length: usize,
    /// message, help and notes, on several lines
    pub message: String,
    /// the name of the diagnostic; empty if the text cannot be split into tokens
    pub slug: &'static str,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            line,
            column,
            message,
            ..
        } = self;
        write!(f, "{line}:{column}: {message}")
    }
}

impl std::error::Error for TextError {}

impl TextError {
    /// An error of the text as a whole.
    pub(crate) fn of_all(message: String, slug: &'static str) -> Self {
        Self {
            line: 1,
            column: 1,
            length: 1,
            message,
            slug,
        }
    }

    fn new(place: Place, message: String, slug: &'static str) -> Self {
        let (line, column) = report::line_column(place.start);
        let end = place.end.end();
        // A place of several lines is underlined up to the end of its first token.
        let end = if end.line == line {
            end.column
        } else {
            place.start.end().column
        };
        Self {
            line,
            column,
            length: (end + 1).saturating_sub(column).max(1),
            message,
            slug,
        }
    }

    /// The error in the style of a compiler: the location in the file `name`, the line of `source` with the
    /// wrong part underlined, then help and notes.
    ///
    /// ```
    /// let source = "struct Tiny = Chess768[700] -> 64x2 -> 1;";
    /// let errors = nnue_codegen::expand_text(source).unwrap_err();
    /// assert_eq!(errors[0].shown_in("tiny.rs", source), "\
    /// tiny.rs:1:24: `Chess768` has 768 inputs, not 700
    ///   |
    /// 1 | struct Tiny = Chess768[700] -> 64x2 -> 1;
    ///   |                        ^^^
    ///   = help: write `768`, or `..` for as many as there are");
    /// ```
    pub fn shown_in(&self, name: &str, source: &str) -> String {
        let mut parts = self.message.lines().filter(|line| !line.is_empty());
        let message = parts.next().unwrap_or_default();
        let text = source.lines().nth(self.line - 1).unwrap_or_default();
        let number = self.line.to_string();
        let gutter = " ".repeat(number.len());
        let (text, column) = window(text, self.column);
        let before = text
            .chars()
            .take(column - 1)
            .map(|c| if c == '\t' { '\t' } else { ' ' });
        let length = self.length.min(MAX_SHOWN);
        let underlined: String = before.chain(std::iter::repeat_n('^', length)).collect();
        let mut shown = format!(
            "{name}:{}:{}: {message}\n{gutter} |\n{number} | {text}\n{gutter} | {underlined}",
            self.line, self.column
        );
        for part in parts {
            shown += &format!("\n{gutter} = {part}");
        }
        shown
    }
}

/// Longest line shown in full, in characters.
const MAX_SHOWN: usize = 400;

/// The shown part of a line and the column in it; long lines are cut around the column.
fn window(line: &str, column: usize) -> (String, usize) {
    if line.len() <= MAX_SHOWN {
        return (line.to_owned(), column);
    }
    let start = column.saturating_sub(1 + MAX_SHOWN / 2);
    let mut text: String = line.chars().skip(start).take(MAX_SHOWN).collect();
    let mut column = column - start;
    if start > 0 {
        text.insert_str(0, "..");
        column += 2;
    }
    (text, column)
}

/// Expands the declarations in `source`: the inside of a macro call, or a Rust file with any number of
/// `nnue! { .. }`. The result is unformatted Rust.
///
/// # Errors
///
/// All errors of the declarations, in the order of the source.
pub fn expand_text(source: &str) -> Result<TokenStream, Vec<TextError>> {
    let (mut items, mut errors) = (TokenStream::new(), Vec::new());
    for call in calls(source)? {
        let compilation = compile(call, Features::ALL);
        errors.extend(text_errors(&compilation));
        items.extend(compilation.items);
    }
    if errors.is_empty() {
        Ok(items)
    } else {
        Err(errors)
    }
}

/// The plans of the declarations in `source` (see [`expand_text`]), without code.
///
/// # Errors
///
/// As [`expand_text`].
pub fn plan_text(source: &str) -> Result<Vec<Plan>, Vec<TextError>> {
    Ok(graph_text(source)?.iter().map(plan).collect())
}

/// The plan of a text with one declaration; `None` if it is wrong or has several.
pub fn single_plan(source: &str) -> Option<Plan> {
    let [plan] = <[Plan; 1]>::try_from(plan_text(source).ok()?).ok()?;
    Some(plan)
}

/// The graphs of the declarations in `source` (see [`expand_text`]), the input of trainers.
///
/// # Errors
///
/// As [`expand_text`].
pub fn graph_text(source: &str) -> Result<Vec<Graph>, Vec<TextError>> {
    Ok(graphs_of(source)?
        .accumulated
        .into_iter()
        .map(|(_, graph)| graph)
        .collect())
}

/// The models of the declarations in `source` (see [`expand_text`]), for tools that change numbers of a
/// declaration and check it again.
///
/// # Errors
///
/// As [`expand_text`].
pub fn model_text(source: &str) -> Result<Vec<NetSpec>, Vec<TextError>> {
    Ok(graphs_of(source)?
        .accumulated
        .into_iter()
        .map(|(model, _)| model)
        .collect())
}

/// The networks over a dense input in `source` (see [`expand_text`]).
///
/// # Errors
///
/// As [`expand_text`].
pub fn dense_text(source: &str) -> Result<Vec<DenseGraph>, Vec<TextError>> {
    Ok(graphs_of(source)?.dense)
}

/// The networks of subnets in `source` (see [`expand_text`]).
///
/// # Errors
///
/// As [`expand_text`].
pub fn subnets_text(source: &str) -> Result<Vec<SubnetsGraph>, Vec<TextError>> {
    Ok(graphs_of(source)?.subnets)
}

/// The network of subnets of a text with one declaration; `None` if it is wrong or has several.
pub fn single_subnets(source: &str) -> Option<SubnetsGraph> {
    let [graph] = <[SubnetsGraph; 1]>::try_from(subnets_text(source).ok()?).ok()?;
    Some(graph)
}

/// The graphs of a text. They are made in a separate thread: `proc_macro2` keeps every text it reads, for
/// spans, in thread-local memory, which ends with the thread.
fn graphs_of(source: &str) -> Result<Graphs, Vec<TextError>> {
    std::thread::scope(|scope| {
        let reader = std::thread::Builder::new().stack_size(STACK);
        match reader.spawn_scoped(scope, || read_graphs(source)) {
            Ok(reader) => reader
                .join()
                .unwrap_or_else(|payload| resume_unwind(payload)),
            Err(_) => read_graphs(source),
        }
    })
}

/// Stack of the thread that reads a text, the usual size of a main thread.
const STACK: usize = 8 << 20;

fn read_graphs(source: &str) -> Result<Graphs, Vec<TextError>> {
    let (mut graphs, mut errors) = (Graphs::default(), Vec::new());
    for call in calls(source)? {
        let (checked, compilation) = compile_graphs(call);
        errors.extend(text_errors(&compilation));
        graphs.accumulated.extend(checked.accumulated);
        graphs.dense.extend(checked.dense);
        graphs.subnets.extend(checked.subnets);
    }
    if errors.is_empty() {
        Ok(graphs)
    } else {
        Err(errors)
    }
}

/// The insides of all macro calls in a text, or the whole text if there are none.
fn calls(source: &str) -> Result<Vec<TokenStream>, Vec<TextError>> {
    if source.len() > MAX_TEXT {
        let message = format!(
            "a text of declarations has up to {MAX_TEXT} bytes, this one {}",
            source.len()
        );
        return Err(vec![TextError::of_all(message, Code::Limit.slug())]);
    }
    let tokens: TokenStream = source.parse().map_err(|error: proc_macro2::LexError| {
        let (line, column) = report::line_column(error.span());
        let text = source.lines().nth(line - 1).unwrap_or_default();
        let message = not_tokens(text.chars().nth(column - 1));
        vec![TextError::new(Place::of(error.span()), message, "")]
    })?;
    let mut calls = Vec::new();
    find_calls(tokens.clone(), 0, &mut calls);
    if calls.is_empty() {
        calls.push(tokens);
    }
    Ok(calls)
}

/// The error for a text that cannot be split into tokens; `first` is the character where tokenising stops.
fn not_tokens(first: Option<char>) -> String {
    match first {
        Some('→' | '⟶' | '⇒') => "arrows are written `->`\n\nhelp: write `->`".to_owned(),
        Some('×' | '✕') => "multipliers are written `x`\n\nhelp: write `x`".to_owned(),
        Some(open @ ('(' | '[' | '{')) => format!("`{open}` is not closed"),
        _ => "this is not made of Rust tokens".to_owned(),
    }
}

fn text_errors(compilation: &Compilation) -> impl Iterator<Item = TextError> {
    compilation.diagnostics.iter().map(|diagnostic| {
        let message = report::text(diagnostic, &compilation.spans);
        TextError::new(
            compilation.spans.place(diagnostic.loc),
            message,
            diagnostic.code.slug(),
        )
    })
}

/// Greatest nesting depth of searched groups, to bound the recursion.
const MAX_DEPTH: usize = 128;

/// Collects the insides of all `nnue! { .. }`, at any depth.
fn find_calls(tokens: TokenStream, depth: usize, calls: &mut Vec<TokenStream>) {
    if depth > MAX_DEPTH {
        return;
    }
    let mut last: [Option<TokenTree>; 2] = [None, None];
    for token in tokens {
        if let TokenTree::Group(group) = &token {
            if group.delimiter() != Delimiter::None && is_call(&last) {
                calls.push(group.stream());
            } else {
                find_calls(group.stream(), depth + 1, calls);
            }
        }
        let [_, previous] = last;
        last = [previous, Some(token)];
    }
}

fn is_call(last: &[Option<TokenTree>; 2]) -> bool {
    let is_name = |ident: &Ident| *ident == "nnue";
    matches!(last, [Some(TokenTree::Ident(name)), Some(TokenTree::Punct(bang))] if is_name(name) && bang.as_char() == '!')
}

/// As [`expand_text`], formatted.
///
/// # Errors
///
/// As [`expand_text`].
#[cfg(feature = "format")]
pub fn expand_formatted(source: &str) -> Result<String, Vec<TextError>> {
    let tokens = expand_text(source)?;
    let file: syn::File = syn::parse2(tokens).map_err(|error| {
        vec![TextError::new(
            Place::of(error.span()),
            format!("the expansion is not Rust: {error}"),
            "",
        )]
    })?;
    Ok(prettyplease::unparse(&file))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slugs(source: &str) -> Vec<&'static str> {
        expand_text(source)
            .expect_err("something is wrong")
            .iter()
            .map(|error| error.slug)
            .collect()
    }

    #[test]
    fn texts_that_are_too_much_are_errors() {
        let graph = |output: &str| {
            format!(
                "struct N {{ acc = accumulate(768, 32) x 2; h = affine(crelu(acc), 16); output affine(crelu(h), 1){output}; }}"
            )
        };
        assert_eq!(
            slugs(&format!("{}{}", "(".repeat(100_000), ")".repeat(100_000))),
            ["syntax"]
        );
        let nested = format!("+ {}h{}", "crelu(".repeat(50_000), ")".repeat(50_000));
        assert_eq!(slugs(&graph(&nested)), ["syntax"]);
        assert_eq!(
            slugs(&graph(&format!("+ h{}", "[..]".repeat(50_000)))),
            ["bad-slice"]
        );
        assert_eq!(slugs(&graph(&"+ h[1]".repeat(50_000))), ["bad-output"]);
        let value = |value: &str| {
            format!(
                "struct N {{ acc = accumulate(768, 32) x 2; h = affine(crelu(acc), 16); let v = {value}; output affine(v, 1: i32); format raw }}"
            )
        };
        let choices = format!("{}{{ h }}", "if h { h } else ".repeat(20_000));
        assert_eq!(slugs(&value(&choices)), ["limit"]);
        let casts = format!("h{}", " as i8".repeat(50_000));
        assert_eq!(slugs(&value(&casts)), ["limit"]);
    }

    #[test]
    fn errors_have_places_from_line_one_even_in_an_empty_text() {
        for (text, place) in [("", (1, 1)), ("\n 5", (2, 2)), ("// nothing", (1, 1))] {
            let errors = expand_text(text).expect_err("nothing is declared");
            assert_eq!(
                (errors[0].line, errors[0].column),
                place,
                "{text:?}: {}",
                errors[0]
            );
        }
    }
}
