//! Errors.

use std::sync::Arc;

use thiserror::Error as ThisError;

/// An error of a backend or of its description. Positions are byte offsets in the text.
#[derive(Clone, Debug, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// a syntax error
    #[error("byte {at}: expected {expected}, found {found}")]
    Text {
        /// its position
        at: usize,
        /// what was expected
        expected: String,
        /// what was found
        found: String,
    },
    /// an option is given twice in a list
    #[error("byte {at}: `{option}` is given twice")]
    Twice {
        /// the option
        option: String,
        /// position of the second one
        at: usize,
    },
    /// an unknown option
    #[error("byte {at}: no option `{option}` here{}", hint(.nearest))]
    UnknownOption {
        /// the option, with its path
        option: String,
        /// its position
        at: usize,
        /// a similar option
        nearest: Option<String>,
    },
    /// an unknown backend
    #[error("byte {at}: no backend `{name}`{}", hint(.nearest))]
    UnknownBackend {
        /// the name
        name: String,
        /// its position
        at: usize,
        /// a similar backend
        nearest: Option<String>,
    },
    /// an option has an invalid value
    #[error("byte {at}: `{option}` is {expected}, not `{found}`")]
    Value {
        /// the option, with its path
        option: String,
        /// position of the value
        at: usize,
        /// the value
        found: String,
        /// the valid values
        expected: String,
    },
    /// a required option is missing
    #[error("byte {at}: `{backend}` needs `{option}`: {about}")]
    Missing {
        /// the backend
        backend: String,
        /// its position
        at: usize,
        /// the option
        option: String,
        /// description of the option
        about: String,
    },
    /// a backend has a wrong number of backends inside its parentheses
    #[error("byte {at}: `{backend}` takes {expected}, found {found}")]
    Parents {
        /// the backend
        backend: String,
        /// its position
        at: usize,
        /// the expected number
        expected: &'static str,
        /// the number found
        found: usize,
    },
    /// backends that cannot be combined, or a network that does not suit this kind of backend
    #[error("`{backend}`: {what}")]
    Unlike {
        /// the backend that combines them
        backend: String,
        /// what differs
        what: String,
    },
    /// an option of a running backend is set to an invalid value
    #[error("`{option}` is {expected}, not `{found}`")]
    Setting {
        /// the option
        option: String,
        /// the value
        found: String,
        /// the valid values
        expected: String,
    },
    /// a batch is full
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
        /// the reason
        what: String,
    },
    /// the backend was dropped before the batch was computed
    #[error("`{0}` was closed before the batch was computed")]
    Closed(String),
    /// two backends disagree
    #[error("`{backend}`: {what}")]
    Differs {
        /// the backend that compares them
        backend: String,
        /// where they differ
        what: String,
    },
    /// the evaluation failed
    #[error("`{backend}` failed: {source}")]
    Failed {
        /// the backend
        backend: String,
        /// the cause
        source: Arc<dyn std::error::Error + Send + Sync>,
    },
}

impl Error {
    /// A failed evaluation.
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
