//! What can go wrong.

use std::sync::Arc;

use thiserror::Error as ThisError;

/// An error of a backend or of the text that describes one. Places are bytes from the beginning of the text.
#[derive(Clone, Debug, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// the text is no list of options
    #[error("byte {at}: expected {expected}, found {found}")]
    Text {
        /// where
        at: usize,
        /// what could stand there
        expected: String,
        /// what stands there
        found: String,
    },
    /// an option is given twice in one list
    #[error("byte {at}: `{option}` is given twice")]
    Twice {
        /// the option
        option: String,
        /// where it is given again
        at: usize,
    },
    /// nobody reads this option
    #[error("byte {at}: no option `{option}` here{}", hint(.nearest))]
    UnknownOption {
        /// the option, with the backends around it
        option: String,
        /// where
        at: usize,
        /// the option that was perhaps meant
        nearest: Option<String>,
    },
    /// there is no backend of this name
    #[error("byte {at}: no backend `{name}`{}", hint(.nearest))]
    UnknownBackend {
        /// the name
        name: String,
        /// where
        at: usize,
        /// the backend that was perhaps meant
        nearest: Option<String>,
    },
    /// the value of an option is none that it can have
    #[error("byte {at}: `{option}` is {expected}, not `{found}`")]
    Value {
        /// the option, with the backends around it
        option: String,
        /// where the value is
        at: usize,
        /// the value
        found: String,
        /// what it can be
        expected: String,
    },
    /// an option that has no default is not given
    #[error("byte {at}: `{backend}` needs `{option}`: {about}")]
    Missing {
        /// the backend
        backend: String,
        /// where it is named
        at: usize,
        /// the option
        option: String,
        /// what it is for
        about: String,
    },
    /// a backend has not as many backends inside its parentheses as it takes
    #[error("byte {at}: `{backend}` takes {expected}, found {found}")]
    Parents {
        /// the backend
        backend: String,
        /// where it is named
        at: usize,
        /// how many it takes
        expected: &'static str,
        /// how many there are
        found: usize,
    },
    /// these backends cannot be combined, or this network cannot be a backend of this kind
    #[error("`{backend}`: {what}")]
    Unlike {
        /// the backend that combines them
        backend: String,
        /// what differs
        what: String,
    },
    /// a value given to a running backend is none that the option can have
    #[error("`{option}` is {expected}, not `{found}`")]
    Setting {
        /// the option
        option: String,
        /// the value
        found: String,
        /// what it can be
        expected: String,
    },
    /// a batch has as many positions as it can have
    #[error("a batch of `{backend}` has at most {maximum} positions")]
    Full {
        /// the backend
        backend: String,
        /// its maximum
        maximum: usize,
    },
    /// a sample cannot be evaluated
    #[error("`{backend}` cannot evaluate this: {what}")]
    Sample {
        /// the backend
        backend: String,
        /// what is wrong with it
        what: String,
    },
    /// the backend was dropped before the batch was computed
    #[error("`{0}` was closed before the batch was computed")]
    Closed(String),
    /// two backends that should agree do not
    #[error("`{backend}`: {what}")]
    Differs {
        /// the backend that compares them
        backend: String,
        /// where they differ
        what: String,
    },
    /// the work failed
    #[error("`{backend}` failed: {source}")]
    Failed {
        /// the backend
        backend: String,
        /// why
        source: Arc<dyn std::error::Error + Send + Sync>,
    },
}

impl Error {
    /// A failure of the work of a backend.
    pub fn failed(
        backend: &str,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self::Failed {
            backend: backend.to_owned(),
            source: Arc::from(source.into()),
        }
    }
}

fn hint(nearest: &Option<String>) -> String {
    nearest
        .as_ref()
        .map(|name| format!("; did you mean `{name}`?"))
        .unwrap_or_default()
}
