//! Columns of FENs from any library that speaks Arrow, and columns of values for it.

mod c;
mod texts;

use std::sync::Arc;

use nnue_runtime::dynamic::Network;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::board::{Board, NoPosition};
use crate::many;
use c::Values;
use texts::Texts;

/// What becomes of a text that is no position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrong {
    Error,
    Null,
}

impl Wrong {
    pub(crate) fn of(name: &str) -> PyResult<Self> {
        match name {
            "error" => Ok(Self::Error),
            "null" => Ok(Self::Null),
            _ => Err(PyValueError::new_err(format!(
                "wrong is `{name}`, and must be `error` or `null`"
            ))),
        }
    }
}

/// A column of FENs.
pub(crate) struct Fens(Texts);

impl Fens {
    /// Reads an object with `__arrow_c_array__` or `__arrow_c_stream__`.
    pub(crate) fn of(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = given.py();
        if let Some(export) = given.getattr_opt(intern!(py, "__arrow_c_array__"))? {
            let capsules = export.call0()?;
            let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) =
                capsules.extract()?;
            return c::texts_of_array(&schema, &array).map(Self);
        }
        if let Some(export) = given.getattr_opt(intern!(py, "__arrow_c_stream__"))? {
            let stream = export.call0()?;
            return c::texts_of_stream(stream.cast::<PyCapsule>()?).map(Self);
        }
        Err(PyTypeError::new_err(format!(
            "a column of FENs is an Arrow array (pyarrow.Array, polars.Series, ..), not `{}`",
            given.get_type().fully_qualified_name()?
        )))
    }

    /// The value of each, on so many threads; a null has none.
    pub(crate) fn evaluate(
        &self,
        network: &Network,
        threads: usize,
        wrong: Wrong,
    ) -> Result<ArrowValues, NoPosition> {
        let read = |text: &Option<&str>| match (text.map(Board::of_fen), wrong) {
            (Some(Err(error)), Wrong::Error) => Err(error),
            (board, _) => Ok(board.and_then(Result::ok)),
        };
        let boards = many::boards(&self.0.list(), threads, read)?;
        let present: Vec<Board> = boards.iter().copied().flatten().collect();
        let mut found = many::evaluate_boards(network, &present, threads).into_iter();
        let mut values = Values {
            values: Vec::with_capacity(boards.len()),
            valid: vec![0; boards.len().div_ceil(8)],
            null_count: boards.len() - present.len(),
        };
        for (at, board) in boards.iter().enumerate() {
            let value = board.and_then(|_| found.next());
            values.valid[at / 8] |= u8::from(value.is_some()) << (at % 8);
            values
                .values
                .push(value.map_or(0, |value| value.evaluation.value));
        }
        Ok(ArrowValues(Arc::new(values)))
    }
}

/// A column of 32-bit values, for any library that reads Arrow: `pyarrow.array(values)`, `polars.Series(values)`.
#[pyclass(frozen, module = "nnue")]
pub(crate) struct ArrowValues(Arc<Values>);

#[pymethods]
impl ArrowValues {
    /// Arrow's C data interface: capsules of the type and of the values, which are not copied.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema; // there is one type
        c::exported(py, &self.0)
    }

    /// The values of the column; a null is `None`.
    fn to_pylist(&self) -> Vec<Option<i32>> {
        let Values { values, valid, .. } = &*self.0;
        let value = |(at, &value)| (valid[at / 8] >> (at % 8) & 1 == 1).then_some(value);
        values.iter().enumerate().map(value).collect()
    }

    /// How many of the values are null.
    #[getter]
    fn null_count(&self) -> usize {
        self.0.null_count
    }

    fn __len__(&self) -> usize {
        self.0.values.len()
    }

    fn __repr__(&self) -> String {
        format!(
            "<nnue.ArrowValues: {} values, {} null>",
            self.0.values.len(),
            self.0.null_count
        )
    }
}
