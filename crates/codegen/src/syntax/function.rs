//! Functions of values: `crelu`, `pairwise >> 9`, `self::my_activation max 100`.

use nnue_spec::diagnostic::Code;
use syn::parse::{ParseBuffer, ParseStream};
use syn::{Ident, Token};

use super::ast::{Activated, Argument, Body, Clause, ClauseKind, Declaration, Expr};
use super::custom::{CustomPath, begins_path, parse_path};
use super::keyword::{CLAUSES, FUNCTIONS, OTHERS};
use super::number::parse_int;
use super::parse::Parse;
use super::place::{At, Int, Parsed, Place, Word, Wrong};
use super::token::{is_word, parse_word, peek_word};

/// The name of a function, before its annotations are read.
pub(crate) struct Called<'a> {
    /// its name, or its path as written
    pub word: Word,
    own: Option<CustomPath>,
    /// the tokens from the name on
    start: ParseBuffer<'a>,
}

impl<'a> Called<'a> {
    /// Reads a word or a path of several segments. `what` describes the expected item in errors.
    pub(crate) fn parse(input: &ParseBuffer<'a>, what: &str) -> Parsed<Self> {
        let start = input.fork();
        let own = if begins_path(input) {
            Some(parse_path(input)?)
        } else {
            None
        };
        let word = match &own {
            Some(path) => At::new(path.text(), path.place),
            None => parse_word(input, what)?,
        };
        Ok(Self { word, own, start })
    }

    /// Reads the annotations `max 100`, `>> 9`, `as i16`. An unknown word with a maximum is a custom
    /// function.
    pub(crate) fn annotated(self, input: ParseStream) -> Parsed<Activated> {
        let Self {
            word: function,
            mut own,
            start,
        } = self;
        let max = parse_max(input)?;
        if own.is_none() && max.is_some() && !FUNCTIONS.contains(&function.value.as_str()) {
            own = Some(parse_path(&start)?);
        }
        // What follows other functions is an operator.
        let is_other = own.is_none() && OTHERS.contains(&function.value.as_str());
        let (shift, words) = match is_other {
            true => (None, None),
            false => (parse_shift(input)?, parse_words(input)?),
        };
        Ok(Activated {
            function,
            own,
            max,
            shift,
            words,
        })
    }
}

/// Whether an activation is next, rather than `by`, a clause without braces, or the next declaration.
pub(crate) fn begins_function(input: ParseStream) -> bool {
    let is_word =
        || peek_word(input).is_some_and(|word| word != "by" && !CLAUSES.contains(&word.as_str()));
    begins_path(input) || (input.peek(Ident) && is_word())
}

impl Parse for Activated {
    fn parse(input: ParseStream) -> Parsed<Self> {
        Called::parse(input, "an activation")?.annotated(input)
    }
}

/// Takes `max n`, if it is next.
fn parse_max(input: ParseStream) -> Parsed<Option<Int>> {
    if !is_word(input, "max") {
        return Ok(None);
    }
    parse_word(input, "`max`")?;
    parse_int(input, "the greatest value after `max`").map(Some)
}

/// Takes `>> n`, if it is next.
fn parse_shift(input: ParseStream) -> Parsed<Option<Int>> {
    if !input.peek(Token![>>]) {
        return Ok(None);
    }
    input.parse::<Token![>>]>()?;
    parse_int(input, "a number of bits after `>>`").map(Some)
}

/// Takes `as i16`, if it is next. Types that are not shorter integers belong to the factor of a term.
fn parse_words(input: ParseStream) -> Parsed<Option<Place>> {
    let ahead = input.fork();
    let is_shorter = |input| {
        ["i8", "i16", "i32", "u8", "u16", "u32"]
            .iter()
            .any(|element| is_word(input, element))
    };
    if !is_word(&ahead, "as") || parse_word(&ahead, "`as`").is_err() || !is_shorter(&ahead) {
        return Ok(None);
    }
    let word = parse_word(input, "`as`")?;
    let element = parse_word(input, "`i16` after `as`")?;
    if element.value != "i16" {
        let message = format!(
            "values of the accumulators are kept in 16 bits, found `as {}`",
            element.value
        );
        return Err(Wrong::new(Code::SixteenBits, element.place, message)
            .help("write `as i16`, or leave it out"));
    }
    Ok(Some(word.place.to(element.place)))
}

impl Declaration {
    /// The path of the custom activation with this text.
    pub(crate) fn custom_activation(&self, text: &str) -> Option<&syn::Path> {
        let own = match self.body.as_ref()? {
            Body::Chain(chain, _) => {
                let behind_layers = chain.layers.iter().map(|layer| layer.activation.as_ref());
                let written = behind_layers.chain([chain.activation.as_ref()]).flatten();
                written
                    .filter_map(|activated| activated.own.as_ref())
                    .find(|own| own.text() == text)
            }
            Body::Graph(clauses) => in_clauses(clauses, text),
        };
        own.map(|own| &own.path)
    }
}

fn in_clauses<'a>(clauses: &'a [Clause], text: &str) -> Option<&'a CustomPath> {
    clauses.iter().find_map(|clause| match &clause.kind {
        ClauseKind::Binding { value, .. } => in_expr(value, text),
        ClauseKind::Stacks { clauses, .. } => in_clauses(clauses, text),
        ClauseKind::Head(head) => in_expr(&head.value, text),
        ClauseKind::Output(sum) => sum.terms.iter().find_map(|term| in_expr(&term.value, text)),
        _ => None,
    })
}

fn in_expr<'a>(expr: &'a Expr, text: &str) -> Option<&'a CustomPath> {
    match expr {
        Expr::Name(_) | Expr::Number(_) | Expr::Float(_) => None,
        Expr::Operator { operands, .. } => {
            operands.iter().find_map(|operand| in_expr(operand, text))
        }
        Expr::Slice { input, .. } => in_expr(input, text),
        Expr::Call { own: Some(own), .. } if own.text() == text => Some(own),
        Expr::Call { arguments, .. } => arguments.iter().find_map(|argument| match argument {
            Argument::Value(value) => in_expr(value, text),
            Argument::Width(_) | Argument::Option { .. } => None,
        }),
    }
}
