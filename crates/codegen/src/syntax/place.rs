//! Source locations, and errors of the parser.

use nnue_spec::diagnostic::Code;
use proc_macro2::Span;

/// A run of tokens: the spans of the first and the last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub start: Span,
    pub end: Span,
}

impl Place {
    /// The location of a single token.
    pub(crate) fn of(span: Span) -> Self {
        Self {
            start: span,
            end: span,
        }
    }

    /// From the start of this location to the end of another.
    pub(crate) fn to(self, other: Self) -> Self {
        Self {
            start: self.start,
            end: other.end,
        }
    }
}

/// A value and its source location.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At<T> {
    pub value: T,
    pub place: Place,
}

/// A number as written.
pub(crate) type Int = At<u64>;

/// A name as written.
pub(crate) type Word = At<String>;

impl<T> At<T> {
    pub(crate) fn new(value: T, place: Place) -> Self {
        Self { value, place }
    }
}

/// An error of the parser: a diagnostic before its locations are numbered.
#[derive(Debug)]
pub(crate) struct Wrong {
    pub code: Code,
    /// location of the smallest wrong token
    pub place: Place,
    pub message: Box<str>,
    /// text to paste
    pub help: Option<Box<str>>,
    /// the reason
    pub note: Option<Box<str>>,
    /// other relevant locations, each with a label
    pub related: Vec<(Place, String)>,
}

/// The result of every parse function.
pub(crate) type Parsed<T> = Result<T, Wrong>;

impl Wrong {
    /// An error without help or note.
    pub(crate) fn new(code: Code, place: Place, message: impl Into<String>) -> Self {
        Self {
            code,
            place,
            message: shortened(message.into()),
            help: None,
            note: None,
            related: Vec::new(),
        }
    }

    /// Adds the text to paste.
    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(shortened(help.into()));
        self
    }

    /// Adds the reason.
    #[must_use]
    pub(crate) fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(shortened(note.into()));
        self
    }

    /// Adds another location.
    #[must_use]
    pub(crate) fn related(mut self, place: Place, what: impl Into<String>) -> Self {
        self.related.push((place, what.into()));
        self
    }
}

/// Greatest length of an error text, in characters.
const MAX_MESSAGE: usize = 1000;

/// Truncates a text that repeats long input.
fn shortened(mut text: String) -> Box<str> {
    if let Some((end, _)) = text.char_indices().nth(MAX_MESSAGE) {
        text.truncate(end);
        text += " ..";
    }
    text.into()
}

impl From<syn::Error> for Wrong {
    fn from(error: syn::Error) -> Self {
        Wrong::new(Code::Syntax, Place::of(error.span()), error.to_string())
    }
}
