//! Functions of values: `crelu`, `pairwise >> 9`, `self::my_activation max 100`.

use syn::Token;
use syn::parse::{ParseBuffer, ParseStream};

use super::ast::{Activated, Argument, Body, Clause, ClauseKind, Declaration, Expr};
use super::keyword::FUNCTIONS;
use super::own::{OwnPath, begins_path, parse_path};
use super::parse::Parse;
use super::place::{At, Int, Parsed, Word};
use super::token::{is_word, parse_int, parse_word, peek_word};

/// The name of a function, before it is known what stands behind it.
pub(crate) struct Called<'a> {
    /// its name, or its path as written
    pub word: Word,
    own: Option<OwnPath>,
    /// the tokens from the name on
    start: ParseBuffer<'a>,
}

impl<'a> Called<'a> {
    /// A path of several names, or a word; `what` is expected here.
    pub(crate) fn parse(input: &ParseBuffer<'a>, what: &str) -> Parsed<Self> {
        let start = input.fork();
        let own = if begins_path(input) { Some(parse_path(input)?) } else { None };
        let word = match &own {
            Some(path) => At::new(path.text(), path.place),
            None => parse_word(input, what)?,
        };
        Ok(Self { word, own, start })
    }

    /// With what is written behind it: `max 100`, `>> 9`. A word that the language does not know and that has a maximum is a
    /// function of the user's own.
    pub(crate) fn annotated(self, input: ParseStream) -> Parsed<Activated> {
        let Self { word: function, mut own, start } = self;
        let max = parse_max(input)?;
        if own.is_none() && max.is_some() && !FUNCTIONS.contains(&function.value.as_str()) {
            own = Some(parse_path(&start)?);
        }
        Ok(Activated { function, own, max, shift: parse_shift(input)? })
    }
}

/// Whether an activation stands next, rather than `by` or something else.
pub(crate) fn begins_function(input: ParseStream) -> bool {
    begins_path(input) || peek_word(input).is_some_and(|word| word != "by")
}

impl Parse for Activated {
    fn parse(input: ParseStream) -> Parsed<Self> {
        Called::parse(input, "an activation")?.annotated(input)
    }
}

/// `max n`, if it stands next.
fn parse_max(input: ParseStream) -> Parsed<Option<Int>> {
    if !is_word(input, "max") {
        return Ok(None);
    }
    parse_word(input, "`max`")?;
    parse_int(input, "the greatest value after `max`").map(Some)
}

/// `>> n`, if it stands next.
fn parse_shift(input: ParseStream) -> Parsed<Option<Int>> {
    if !input.peek(Token![>>]) {
        return Ok(None);
    }
    input.parse::<Token![>>]>()?;
    parse_int(input, "a number of bits after `>>`").map(Some)
}

impl Declaration {
    /// The tokens of the activation of the user's own that is written so.
    pub(crate) fn own_activation(&self, text: &str) -> Option<&syn::Path> {
        let own = match self.body.as_ref()? {
            Body::Chain(chain, _) => {
                let behind_layers = chain.layers.iter().map(|layer| layer.activation.as_ref());
                let written = behind_layers.chain([chain.activation.as_ref()]).flatten();
                written.filter_map(|activated| activated.own.as_ref()).find(|own| own.text() == text)
            }
            Body::Graph(clauses) => in_clauses(clauses, text),
        };
        own.map(|own| &own.path)
    }
}

fn in_clauses<'a>(clauses: &'a [Clause], text: &str) -> Option<&'a OwnPath> {
    clauses.iter().find_map(|clause| match &clause.kind {
        ClauseKind::Binding { value, .. } => in_expr(value, text),
        ClauseKind::Stacks { clauses, .. } => in_clauses(clauses, text),
        ClauseKind::Output(sum) => sum.terms.iter().find_map(|term| in_expr(&term.value, text)),
        _ => None,
    })
}

fn in_expr<'a>(expr: &'a Expr, text: &str) -> Option<&'a OwnPath> {
    match expr {
        Expr::Name(_) => None,
        Expr::Slice { input, .. } => in_expr(input, text),
        Expr::Call { own: Some(own), .. } if own.text() == text => Some(own),
        Expr::Call { arguments, .. } => arguments.iter().find_map(|argument| match argument {
            Argument::Value(value) => in_expr(value, text),
            Argument::Width(_) => None,
        }),
    }
}
