//! Errors of a declaration, as data.

use alloc::string::String;
use alloc::vec::Vec;

use crate::loc::Loc;

/// What kind of error; the slug names its test in `tests/ui`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Code {
    /// the tokens do not form a declaration
    Syntax,
}

/// One error: what is wrong, where, what to write instead, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// which error
    pub code: Code,
    /// the smallest wrong token
    pub loc: Loc,
    /// lower case, no full stop, under 100 characters, user names in backticks, both numbers
    pub message: String,
    /// text to paste
    pub help: Option<String>,
    /// the reason, when it is not obvious
    pub note: Option<String>,
    /// other places that take part in the error
    pub related: Vec<(Loc, String)>,
}

impl Diagnostic {
    /// An error without help or note.
    pub fn new(code: Code, loc: Loc, message: impl Into<String>) -> Self {
        Self { code, loc, message: message.into(), help: None, note: None, related: Vec::new() }
    }

    /// Adds the text to paste.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds the reason.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn related(mut self, loc: Loc, what: impl Into<String>) -> Self {
        self.related.push((loc, what.into()));
        self
    }
}

/// Collects errors. A sink that is dropped unread panics, so that no error is lost.
#[derive(Debug, Default)]
pub struct Sink {
    diagnostics: Vec<Diagnostic>,
    read: bool,
}

impl Sink {
    /// An empty sink.
    pub fn new() -> Self {
        Self::default()
    }

    /// Records an error.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// True if an error was recorded.
    pub fn has_errors(&self) -> bool {
        !self.diagnostics.is_empty()
    }

    /// The errors, in the order in which they were recorded.
    pub fn into_diagnostics(mut self) -> Vec<Diagnostic> {
        self.read = true;
        core::mem::take(&mut self.diagnostics)
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        debug_assert!(self.read || self.diagnostics.is_empty(), "errors were recorded and never reported");
    }
}
