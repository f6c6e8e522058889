//! The module `nnue._nnue` of Python's package `nnue`: networks that are opened, evaluated and looked at, without compiling anything.
//!
//! Networks are descriptions at run time ([`nnue_runtime::dynamic`]): those that the command `nnue` knows, and declarations of one's own.
//!
//! ```text
//!   network    open, evaluate, inspect, tensors     known      the architectures with names, recognition of files
//!   many       many positions on all cores          declared   declarations as text
//!   stack      a game and its accumulators          board      positions: FEN, python-chess, bitboards
//!   tensor     memory for numpy                     errors     exceptions
//!   rows       positions that are lists of rows   rows_stack   changes of them
//!   intermediate   all that a network computes        declarations   which declaration reads a file
//!   training   networks over lists of rows from arrays
//!   arrow      columns of FENs and of values           contributions   of pieces to a value
//! ```
#![deny(unsafe_code)]

mod arrow;
mod board;
mod contributions;
mod declarations;
mod declared;
mod errors;
mod evaluation;
mod inspect;
mod intermediate;
mod known;
mod many;
mod network;
mod rows;
mod rows_stack;
mod stack;
mod tensor;
mod training;

#[pyo3::pymodule]
mod _nnue {
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }

    #[pymodule_export]
    use crate::arrow::ArrowValues;
    #[pymodule_export]
    use crate::declarations::{Guess, declarations};
    #[pymodule_export]
    use crate::errors::{
        DeclarationError, LoadError, MoveError, PositionError, RowsError, TrainingError,
    };
    #[pymodule_export]
    use crate::evaluation::Evaluation;
    #[pymodule_export]
    use crate::known::architectures;
    #[pymodule_export]
    use crate::network::Network;
    #[pymodule_export]
    use crate::rows_stack::RowsStack;
    #[pymodule_export]
    use crate::stack::Stack;
    #[pymodule_export]
    use crate::training::train;
}
