//! Why no declaration is found.

use std::error::Error;
use std::{fmt, io};

/// Why no declaration is found.
#[derive(Debug)]
#[non_exhaustive]
pub enum SearchError {
    /// the file cannot be read, or its compression is damaged
    Io(io::Error),
    /// the file holds no network that a declaration reads; the text says why
    File(String),
    /// the trainer's program cannot be read, or saves what cannot be declared
    Program(String),
    /// the name of the declared type is none
    Name(String),
    /// another number of hidden layers is saved than widths were given
    Hidden {
        /// widths that were given
        given: usize,
        /// layers that are saved
        saved: usize,
        /// the program
        program: String,
    },
    /// an output beside the value has not two tensors, or leaves the value none
    Head {
        /// the output, if it is one of several
        name: Option<String>,
        /// what is wrong
        message: String,
    },
    /// no network has the size of the file
    Size(String),
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::File(message) | Self::Program(message) | Self::Size(message) => {
                f.write_str(message)
            }
            Self::Name(name) => write!(f, "`{}` is no name of a type", name.escape_default()),
            Self::Hidden {
                given,
                saved,
                program,
            } => write!(
                f,
                "{given} widths of hidden layers are given, and {saved} hidden layers are saved by {program}"
            ),
            Self::Head {
                name: Some(name),
                message,
            } => write!(f, "output {name}: {message}"),
            Self::Head {
                name: None,
                message,
            } => write!(f, "an output {message}"),
        }
    }
}

impl Error for SearchError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for SearchError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
