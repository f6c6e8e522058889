//! Places in the source, and errors of the parser.

use nnue_spec::diagnostic::Code;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;

/// A run of tokens: the span of the first and of the last one.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// first token
    pub start: Span,
    /// last token
    pub end: Span,
}

impl Place {
    /// The place of a single token.
    pub fn of(span: Span) -> Self {
        Self { start: span, end: span }
    }

    /// The place of all tokens of a syntax node; the macro call if there are none.
    pub fn of_tokens(node: &impl ToTokens) -> Self {
        let mut tokens = TokenStream::new();
        node.to_tokens(&mut tokens);
        let mut tokens = tokens.into_iter();
        let start = tokens.next().map_or_else(Span::call_site, |token| TokenTree::span(&token));
        let end = tokens.last().map_or(start, |token| TokenTree::span(&token));
        Self { start, end }
    }

    /// From the start of this place to the end of another.
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start, end: other.end }
    }
}

/// A value and the place where it was written.
#[derive(Clone, Copy, Debug)]
pub struct At<T> {
    /// what was written
    pub value: T,
    /// where
    pub place: Place,
}

/// A number as written.
pub type Int = At<u64>;

/// A name as written.
pub type Word = At<String>;

impl<T> At<T> {
    /// Joins a value with its place.
    pub fn new(value: T, place: Place) -> Self {
        Self { value, place }
    }
}

/// An error of the parser: the parts of a diagnostic, with places that are not numbered yet.
#[derive(Debug)]
pub struct Wrong {
    /// which error
    pub code: Code,
    /// the smallest wrong token
    pub place: Place,
    /// what is wrong
    pub message: String,
    /// text to paste
    pub help: Option<String>,
    /// the reason
    pub note: Option<String>,
    /// other places that take part
    pub related: Vec<(Place, String)>,
}

/// The result of every parse function. Boxed, because an error is much larger than most values.
pub type Parsed<T> = Result<T, Box<Wrong>>;

impl Wrong {
    /// An error without help or note.
    pub fn new(code: Code, place: Place, message: impl Into<String>) -> Box<Self> {
        Box::new(Self { code, place, message: message.into(), help: None, note: None, related: Vec::new() })
    }

    /// Adds the text to paste.
    #[must_use]
    pub fn help(mut self: Box<Self>, help: impl Into<String>) -> Box<Self> {
        self.help = Some(help.into());
        self
    }

    /// Adds the reason.
    #[must_use]
    pub fn note(mut self: Box<Self>, note: impl Into<String>) -> Box<Self> {
        self.note = Some(note.into());
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn related(mut self: Box<Self>, place: Place, what: impl Into<String>) -> Box<Self> {
        self.related.push((place, what.into()));
        self
    }
}

impl From<syn::Error> for Box<Wrong> {
    fn from(error: syn::Error) -> Self {
        Wrong::new(Code::Syntax, Place::of(error.span()), error.to_string())
    }
}
