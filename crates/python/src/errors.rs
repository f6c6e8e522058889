//! Exceptions of Python. Each is a `ValueError` with the message of the error in Rust.

use nnue_format::LoadErrorKind;
use nnue_runtime::dynamic::OpenError;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::{PyErr, create_exception};

create_exception!(
    nnue,
    LoadError,
    PyValueError,
    "A file is not exactly one network of the architecture."
);
create_exception!(
    nnue,
    DeclarationError,
    PyValueError,
    "A declaration is wrong, or needs code of a program; or no architecture has the name."
);
create_exception!(
    nnue,
    PositionError,
    PyValueError,
    "What was given is no position."
);
create_exception!(
    nnue,
    RowsError,
    PyValueError,
    "Rows are no position of the network, or no change of one."
);
create_exception!(
    nnue,
    TrainingError,
    PyValueError,
    "A training cannot begin or go on."
);
create_exception!(
    nnue,
    MoveError,
    PyValueError,
    "A move is none of the position."
);

/// A file that the system cannot read is an `OSError`, as for `open`.
pub(crate) fn load(error: &nnue_format::LoadError) -> PyErr {
    match error.kind() {
        LoadErrorKind::Io => PyOSError::new_err(error.to_string()),
        _ => LoadError::new_err(error.to_string()),
    }
}

/// A network that cannot be opened.
pub(crate) fn open(error: &OpenError) -> PyErr {
    match error {
        OpenError::Load(error) => load(error),
        _ => DeclarationError::new_err(error.to_string()),
    }
}
