//! Errors of network files, as data and as one line of text with advice.

use alloc::boxed::Box;
use alloc::string::String;
use core::error::Error;
use core::fmt;
#[cfg(feature = "std")]
use {alloc::format, std::io};

use nnue_spec::Encoding;

/// The kind of a [`LoadError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LoadErrorKind {
    /// the operating system could not read the file
    Io,
    /// the file is not a network
    NotANetwork,
    /// the file does not begin like a Stockfish container; it may be a header-less file
    NoHeader,
    /// a network file of another version of the format
    Version,
    /// a network of another architecture
    Architecture,
    /// the file ends too early
    Truncated,
    /// the file continues after the network
    TrailingBytes,
    /// a compressed block is malformed
    Compression,
    /// a value does not fit its type, or makes a sum overflow
    ValueRange,
    /// a position does not have the declared value
    Golden,
}

impl fmt::Display for LoadErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Io => "cannot read",
            Self::NotANetwork => "not a network",
            Self::NoHeader => "no header",
            Self::Version => "wrong version",
            Self::Architecture => "architecture mismatch",
            Self::Truncated => "truncated",
            Self::TrailingBytes => "trailing bytes",
            Self::Compression => "damaged compression",
            Self::ValueRange => "value out of range",
            Self::Golden => "golden value",
        })
    }
}

/// Why a file could not be loaded. `Display` and `{:?}` give one line; `{:#?}` shows the parts.
pub struct LoadError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: LoadErrorKind,
    offset: u64,
    tensor: Option<String>,
    element: Option<u64>,
    expected: Option<u64>,
    found: Option<u64>,
    message: String,
    advice: Option<String>,
    #[cfg(feature = "std")]
    source: Option<io::Error>,
}

impl LoadError {
    /// An error of `kind` at byte `offset` of the file. `message` is displayed after the kind: lower case, no
    /// full stop.
    pub fn new(kind: LoadErrorKind, offset: u64, message: impl Into<String>) -> Self {
        let message = message.into();
        Self(Box::new(Inner {
            kind,
            offset,
            tensor: None,
            element: None,
            expected: None,
            found: None,
            message,
            advice: None,
            #[cfg(feature = "std")]
            source: None,
        }))
    }

    /// An error of the operating system at byte `offset`.
    #[cfg(feature = "std")]
    pub fn io(offset: u64, source: io::Error) -> Self {
        Self::new(
            LoadErrorKind::Io,
            offset,
            format!("{source} (at offset {offset})"),
        )
        .with_source(source)
    }

    /// Adds the error of the operating system that caused this one; [`source`](Error::source) returns it.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn with_source(mut self, source: io::Error) -> Self {
        self.0.source = Some(source);
        self
    }

    /// Adds advice, shown after the message. It replaces earlier advice: callers know more than the file
    /// alone shows.
    #[must_use]
    pub fn with_advice(mut self, advice: impl Into<String>) -> Self {
        self.0.advice = Some(advice.into());
        self
    }

    /// Adds the name of the faulty tensor.
    #[must_use]
    pub fn with_tensor(mut self, name: impl Into<String>) -> Self {
        self.0.tensor = Some(name.into());
        self
    }

    /// Adds the index of the element in the tensor, counting the copies of earlier stacks.
    #[must_use]
    pub fn with_element(mut self, index: u64) -> Self {
        self.0.element = Some(index);
        self
    }

    /// Adds the two values that disagree.
    #[must_use]
    pub fn with_values(mut self, expected: u64, found: u64) -> Self {
        self.0.expected = Some(expected);
        self.0.found = Some(found);
        self
    }

    /// Adds the expected value, where the found one is not known.
    #[must_use]
    pub(crate) fn with_expected(mut self, expected: u64) -> Self {
        self.0.expected = Some(expected);
        self
    }

    /// The kind of a [`LoadError`].
    pub fn kind(&self) -> LoadErrorKind {
        self.0.kind
    }

    /// The offset of the error in the file, in bytes.
    pub fn offset(&self) -> u64 {
        self.0.offset
    }

    /// The name of the faulty tensor.
    pub fn tensor(&self) -> Option<&str> {
        self.0.tensor.as_deref()
    }

    /// The index of the faulty element, counted over all copies of the tensor.
    pub fn element(&self) -> Option<u64> {
        self.0.element
    }

    /// The expected value: a version, a hash, a number of bytes or of elements.
    pub fn expected(&self) -> Option<u64> {
        self.0.expected
    }

    /// The advice that is shown after the message.
    pub fn advice(&self) -> Option<&str> {
        self.0.advice.as_deref()
    }

    /// The found value.
    pub fn found(&self) -> Option<u64> {
        self.0.found
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.kind, self.0.message)?;
        match &self.0.advice {
            Some(advice) => write!(f, ": {advice}"),
            None => Ok(()),
        }
    }
}

/// `unwrap`, and a `main` that returns an error, print this form, so it is as readable as `Display`.
impl fmt::Debug for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            self.0.fmt(f)
        } else {
            fmt::Display::fmt(self, f)
        }
    }
}

impl Error for LoadError {
    #[cfg(feature = "std")]
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0
            .source
            .as_ref()
            .map(|source| source as &(dyn Error + 'static))
    }
}

/// Why a network could not be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum WriteError {
    /// the operating system could not write
    #[cfg(feature = "std")]
    Io(io::Error),
    /// the description is longer than [`MAX_DESCRIPTION`](crate::MAX_DESCRIPTION) bytes
    Description {
        /// its length
        bytes: usize,
    },
    /// the encoding of the header orders the weights of several feature sets otherwise than the declaration
    Encoding {
        /// the encoding of the header
        header: Encoding,
        /// the encoding of the declaration
        declared: Encoding,
    },
    /// a value cannot be expressed in the type and unit that the header-less file stores
    Number {
        /// the tensor
        tensor: String,
        /// its element
        element: usize,
    },
    /// a compressed block would be too long for its 32-bit length field
    Block {
        /// the tensor
        tensor: String,
        /// length of the block
        bytes: u64,
    },
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            #[cfg(feature = "std")]
            Self::Io(source) => write!(f, "cannot write: {source}"),
            Self::Description { bytes } => {
                write!(
                    f,
                    "the description has {bytes} bytes, at most {} can be stored",
                    crate::MAX_DESCRIPTION
                )
            }
            Self::Encoding { header, declared } => {
                write!(
                    f,
                    "{header:?} wants the weights of the feature sets in another order than {declared:?}, which is declared"
                )
            }
            Self::Number { tensor, element } => write!(
                f,
                "element {element} of `{tensor}` is no number of the type and scale that the file has: write it in those of the network"
            ),
            Self::Block { tensor, bytes } => {
                write!(
                    f,
                    "tensor `{tensor}` needs {bytes} bytes as LEB128, a block holds at most 4294967295: write it raw"
                )
            }
        }
    }
}

impl Error for WriteError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            #[cfg(feature = "std")]
            Self::Io(source) => Some(source),
            Self::Description { .. }
            | Self::Encoding { .. }
            | Self::Number { .. }
            | Self::Block { .. } => None,
        }
    }
}

#[cfg(feature = "std")]
impl From<io::Error> for WriteError {
    fn from(source: io::Error) -> Self {
        Self::Io(source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_main_that_fails_shows_one_line() {
        let error = LoadError::new(LoadErrorKind::Truncated, 7, "the file is empty");
        assert_eq!(format!("{error:?}"), "truncated: the file is empty");
        assert!(format!("{error:#?}").contains("offset: 7"));
    }
}
