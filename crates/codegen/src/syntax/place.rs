//! Places in the source, and errors of the parser.

use nnue_spec::diagnostic::Code;
use proc_macro2::Span;

/// A run of tokens: the span of the first and of the last one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// first token
    pub start: Span,
    /// last token
    pub end: Span,
}

impl Place {
    /// The place of a single token.
    pub(crate) fn of(span: Span) -> Self {
        Self {
            start: span,
            end: span,
        }
    }

    /// From the start of this place to the end of another.
    pub(crate) fn to(self, other: Self) -> Self {
        Self {
            start: self.start,
            end: other.end,
        }
    }
}

/// A value and the place where it was written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At<T> {
    /// what was written
    pub value: T,
    /// where
    pub place: Place,
}

/// A number as written.
pub(crate) type Int = At<u64>;

/// A name as written.
pub(crate) type Word = At<String>;

impl<T> At<T> {
    /// Joins a value with its place.
    pub(crate) fn new(value: T, place: Place) -> Self {
        Self { value, place }
    }
}

/// An error of the parser: the parts of a diagnostic, before its places are numbered.
#[derive(Debug)]
pub(crate) struct Wrong {
    /// which error
    pub code: Code,
    /// the smallest wrong token
    pub place: Place,
    /// what is wrong
    pub message: Box<str>,
    /// text to paste
    pub help: Option<Box<str>>,
    /// the reason
    pub note: Option<Box<str>>,
    /// other places that are involved, each with a label
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

    /// Adds another place.
    #[must_use]
    pub(crate) fn related(mut self, place: Place, what: impl Into<String>) -> Self {
        self.related.push((place, what.into()));
        self
    }
}

/// Longest text of an error, in characters.
const MAX_MESSAGE: usize = 1000;

/// A text that repeats what was written, without its end if that is long.
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
