//! Positions that are lists of rows: one as Python writes it, many as sparse matrices.

use std::sync::Arc;

use nnue_runtime::RealEvaluation;
use nnue_runtime::dynamic::{Network, RowsStack};
use nnue_runtime::rows::{
    BatchError, CandidateBatch, Integers, RowBatch, RowLists, RowMatrix, RowsShape,
};
use numpy::{Element, PyReadonlyArray1};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyBool, PyInt, PyString, PyTuple};

use crate::board::shortened;
use crate::errors::{PositionError, RowsError};
use crate::evaluation::records;

/// A thread is worth its start for so many positions.
const PER_THREAD: usize = 64;

/// The sizes of positions, or a refusal: the network reads boards.
pub(crate) fn shape(network: &Network) -> PyResult<RowsShape<'static>> {
    network.rows_shape().ok_or_else(|| not_rows(network))
}

/// The refusal of a list of rows: the network reads boards.
pub(crate) fn not_rows(network: &Network) -> PyErr {
    RowsError::new_err(format!(
        "positions of `{}` are boards of chess, not lists of rows: `evaluate` evaluates one, `evaluate_many` many, \
         `stack` follows moves",
        network.spec().name
    ))
}

/// The refusal of a board: the network reads lists of rows.
pub(crate) fn not_boards(network: &Network) -> PyErr {
    PositionError::new_err(format!(
        "positions of `{}` are lists of rows, not boards of chess: `evaluate_listed` evaluates one, `evaluate_rows` many, \
         `rows_stack` follows changes",
        network.spec().name
    ))
}

/// Refuses networks whose positions are lists of rows.
pub(crate) fn require_boards(network: &Network) -> PyResult<()> {
    match network.rows_shape() {
        None => Ok(()),
        Some(_) => Err(not_boards(network)),
    }
}

/// A stack of a network over lists of rows.
pub(crate) fn new_stack(network: &Network) -> PyResult<RowsStack> {
    RowsStack::new(network).ok_or_else(|| not_rows(network))
}

/// An error of rows as Python's exception.
pub(crate) fn refused(error: impl std::fmt::Display) -> PyErr {
    RowsError::new_err(error.to_string())
}

/// One position: a text such as `3 17 | 8 9 b`, or one list of integers for each perspective.
pub(crate) enum Listed {
    Text(PyBackedStr),
    Lists(Lists),
}

impl Listed {
    pub(crate) fn of(shape: &RowsShape<'_>, given: &Bound<'_, PyAny>) -> PyResult<Self> {
        match given.cast::<PyString>() {
            Ok(text) => Ok(Self::Text(text.clone().try_into()?)),
            Err(_) => Lists::of(shape, given).map(Self::Lists),
        }
    }

    /// Makes this position the root of a stack. Without `black_to_move` a text says it, and lists leave it.
    pub(crate) fn set(&self, stack: &mut RowsStack, black_to_move: Option<bool>) -> PyResult<()> {
        match self {
            Self::Text(text) => stack
                .set_text(text)
                .map_err(|error| refused(format!("`{}`: {error}", shortened(text))))?,
            Self::Lists(lists) => stack.set(lists.as_rows()).map_err(refused)?,
        }
        if let Some(black) = black_to_move {
            stack.set_black_to_move(black);
        }
        Ok(())
    }
}

/// One list of rows for each perspective.
#[derive(Default)]
pub(crate) struct Lists {
    first: Vec<u32>,
    second: Option<Vec<u32>>,
}

impl Lists {
    /// Reads a list, or of a network with two perspectives a pair of lists. Indices are not checked.
    pub(crate) fn of(shape: &RowsShape<'_>, given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if shape.lists == 1 {
            let first = list(shape, None, given)?;
            return Ok(Self {
                first,
                second: None,
            });
        }
        let [white, black] = pair(given, "lists")?;
        Ok(Self {
            first: list(shape, Some(0), &white)?,
            second: Some(list(shape, Some(1), &black)?),
        })
    }

    /// No rows.
    pub(crate) fn none(shape: &RowsShape<'_>) -> Self {
        Self {
            second: (shape.lists > 1).then(Vec::new),
            ..Self::default()
        }
    }

    pub(crate) fn as_rows(&self) -> RowLists<'_> {
        match &self.second {
            Some(second) => RowLists::Two([&self.first, second]),
            None => RowLists::One(&self.first),
        }
    }
}

/// Both parts of what is given for two perspectives.
fn pair<'py>(given: &Bound<'py, PyAny>, what: &str) -> PyResult<[Bound<'py, PyAny>; 2]> {
    let parts: Vec<_> = match given.getattr_opt(intern!(given.py(), "indptr"))? {
        Some(_) => Vec::new(),
        None => given.try_iter()?.take(3).collect::<PyResult<_>>()?,
    };
    parts.try_into().map_err(|_| not_a_pair(what))
}

fn not_a_pair(what: &str) -> PyErr {
    RowsError::new_err(format!(
        "the network has two perspectives: give a pair of {what}, `(white, black)`"
    ))
}

/// A list of integers: an array, or anything that gives them one after the other.
fn list(
    shape: &RowsShape<'_>,
    list: Option<usize>,
    given: &Bound<'_, PyAny>,
) -> PyResult<Vec<u32>> {
    let no_row = |found: i128| {
        refused(nnue_runtime::rows::RowsError::Number {
            found: found.to_string(),
            list,
            rows: shape.rows,
        })
    };
    if given.hasattr(intern!(given.py(), "dtype"))? && !is_boolean(given)? {
        return Array::of(given, "rows")?.rows(&no_row);
    }
    let row = |given: PyResult<Bound<'_, PyAny>>| {
        let given = given?;
        let is_integer = given.is_exact_instance_of::<PyInt>();
        if let (true, Ok(row)) = (is_integer, given.extract()) {
            return Ok(row);
        }
        if !is_integer && is_boolean(&given)? {
            return Err(PyTypeError::new_err(
                "a row is an integer, not a boolean: `numpy.flatnonzero` lists the rows of a mask",
            ));
        }
        let found: i128 = given.extract().map_err(|error: PyErr| {
            match error.is_instance_of::<PyOverflowError>(given.py()) {
                true => RowsError::new_err("a row is an integer of 128 bits or more"),
                false => error,
            }
        })?;
        u32::try_from(found).map_err(|_| no_row(found))
    };
    given.try_iter()?.map(row).collect()
}

fn is_boolean(given: &Bound<'_, PyAny>) -> PyResult<bool> {
    if given.is_instance_of::<PyBool>() {
        return Ok(true);
    }
    let dtype = given.getattr_opt(intern!(given.py(), "dtype"))?;
    dtype.map_or(Ok(false), |dtype| Ok(kind(&dtype)? == 'b'))
}

/// The letter by which numpy says what kind of numbers a type has.
pub(crate) fn kind(dtype: &Bound<'_, PyAny>) -> PyResult<char> {
    dtype.getattr(intern!(dtype.py(), "kind"))?.extract()
}

/// An array of integers, read in place if its type allows.
enum Array<'py> {
    I32(PyReadonlyArray1<'py, i32>),
    I64(PyReadonlyArray1<'py, i64>),
    U32(PyReadonlyArray1<'py, u32>),
    U64(PyReadonlyArray1<'py, u64>),
}

impl<'py> Array<'py> {
    fn of(given: &Bound<'py, PyAny>, name: &str) -> PyResult<Self> {
        let array = required(given)?;
        let py = array.py();
        let dtype = array.getattr(intern!(py, "dtype"))?;
        let dimensions: usize = array.getattr(intern!(py, "ndim"))?.extract()?;
        let is_empty = array.len().is_ok_and(|len| len == 0); // of floats, if it was an empty list
        if dimensions != 1 || !(is_empty || matches!(kind(&dtype)?, 'i' | 'u')) {
            return Err(RowsError::new_err(format!(
                "`{name}` has {} in {dimensions} dimensions, expected integers in one",
                dtype.str()?
            )));
        }
        if let Ok(values) = array.extract() {
            return Ok(Self::I32(values));
        }
        if let Ok(values) = array.extract() {
            return Ok(Self::I64(values));
        }
        if let Ok(values) = array.extract() {
            return Ok(Self::U32(values));
        }
        if let Ok(values) = array.extract() {
            return Ok(Self::U64(values));
        }
        // Small integers, and those in the other order of bytes.
        let copy = array.call_method1(intern!(py, "astype"), (intern!(py, "int64"),))?;
        Ok(Self::I64(copy.extract()?))
    }

    fn rows(&self, no_row: &impl Fn(i128) -> PyErr) -> PyResult<Vec<u32>> {
        match self {
            Self::I32(values) => rows_of(values, no_row),
            Self::I64(values) => rows_of(values, no_row),
            Self::U32(values) => rows_of(values, no_row),
            Self::U64(values) => rows_of(values, no_row),
        }
    }

    fn integers(&self) -> PyResult<Integers<'_>> {
        Ok(match self {
            Self::I32(values) => Integers::I32(slice(values)?),
            Self::I64(values) => Integers::I64(slice(values)?),
            Self::U32(values) => Integers::U32(slice(values)?),
            Self::U64(values) => Integers::U64(slice(values)?),
        })
    }
}

/// Integers as rows. `no_row` is the error for another number.
fn rows_of<T: Element + Copy + TryInto<u32> + Into<i128>>(
    array: &PyReadonlyArray1<'_, T>,
    no_row: &impl Fn(i128) -> PyErr,
) -> PyResult<Vec<u32>> {
    let row = |&value: &T| value.try_into().map_err(|_| no_row(value.into()));
    slice(array)?.iter().map(row).collect()
}

pub(crate) fn slice<'a, T: Element>(array: &'a PyReadonlyArray1<'_, T>) -> PyResult<&'a [T]> {
    array.as_slice().map_err(PyErr::from)
}

/// The array itself if it is contiguous and aligned, or one that is.
fn required<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let numpy = given.py().import(intern!(given.py(), "numpy"))?;
    numpy.call_method1(intern!(given.py(), "require"), (given, None::<()>, "CA"))
}

/// A sparse matrix, whose rows are lists.
struct Matrix<'py> {
    indptr: Array<'py>,
    indices: Array<'py>,
}

impl<'py> Matrix<'py> {
    fn of_arrays(indptr: &Bound<'py, PyAny>, indices: &Bound<'py, PyAny>) -> PyResult<Self> {
        Ok(Self {
            indptr: Array::of(indptr, "indptr")?,
            indices: Array::of(indices, "indices")?,
        })
    }

    /// A `scipy.sparse.csr_matrix`, or a pair of its arrays.
    fn of(given: &Bound<'py, PyAny>) -> PyResult<Self> {
        let py = given.py();
        if let Some(indptr) = given.getattr_opt(intern!(py, "indptr"))? {
            let matrix = Self::of_arrays(&indptr, &given.getattr(intern!(py, "indices"))?)?;
            require_ones(given)?;
            return Ok(matrix);
        }
        let Ok(parts) = given.cast::<PyTuple>() else {
            return Err(PyTypeError::new_err(format!(
                "lists are given as a `scipy.sparse.csr_matrix` or as its arrays `(indptr, indices)`, not as `{}`",
                given.get_type().fully_qualified_name()?
            )));
        };
        let (indptr, indices) = parts.extract()?;
        Self::of_arrays(&indptr, &indices)
    }

    fn lists(&self) -> PyResult<RowMatrix<'_>> {
        RowMatrix::new(self.indptr.integers()?, self.indices.integers()?).map_err(refused)
    }

    /// The lists; an error has the name of the argument.
    fn lists_of(&self, argument: &str) -> PyResult<RowMatrix<'_>> {
        RowMatrix::new(self.indptr.integers()?, self.indices.integers()?)
            .map_err(|error| refused(format!("`{argument}`: {error}")))
    }
}

/// Refuses a sparse matrix that has columns where others have rows, and one with other numbers than 1.
fn require_ones(matrix: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = matrix.py();
    if let Some(format) = matrix.getattr_opt(intern!(py, "format"))? {
        let format: String = format.extract()?;
        if format != "csr" {
            return Err(RowsError::new_err(format!(
                "the matrix has the format `{format}`, expected `csr`: `matrix.tocsr()` converts it"
            )));
        }
    }
    let Some(data) = matrix.getattr_opt(intern!(py, "data"))? else {
        return Ok(());
    };
    let others = data.call_method1(intern!(py, "__ne__"), (1,))?;
    if !others.call_method0(intern!(py, "any"))?.is_truthy()? {
        return Ok(());
    }
    let at = others.call_method0(intern!(py, "argmax"))?;
    Err(RowsError::new_err(format!(
        "`data[{at}]` is {}, expected 1: a row is present or not",
        data.get_item(&at)?.str()?
    )))
}

/// A sparse matrix for each list of a position.
fn matrices<'py>(shape: &RowsShape<'_>, given: &Bound<'py, PyAny>) -> PyResult<Vec<Matrix<'py>>> {
    if shape.lists == 1 {
        return Ok(vec![Matrix::of(given)?]);
    }
    let matrices = pair(given, "matrices")?;
    matrices.iter().map(Matrix::of).collect()
}

/// The lists of each matrix; an error has the name of the argument.
fn lists_of<'a>(matrices: &'a [Matrix<'_>], argument: &str) -> PyResult<Vec<RowMatrix<'a>>> {
    let lists = matrices.iter().map(|matrix| matrix.lists_of(argument));
    lists.collect()
}

/// Many positions as Python gives them: a matrix for each perspective, and sides to move.
pub(crate) struct Matrices<'py> {
    matrices: Vec<Matrix<'py>>,
    black_to_move: Option<PyReadonlyArray1<'py, u8>>,
}

/// The arguments of `evaluate_rows`.
pub(crate) struct Arguments<'a, 'py> {
    pub(crate) lists: &'a Bound<'py, PyAny>,
    pub(crate) indices: Option<&'a Bound<'py, PyAny>>,
    pub(crate) black_to_move: Option<&'a Bound<'py, PyAny>>,
}

impl<'py> Matrices<'py> {
    pub(crate) fn of(shape: &RowsShape<'_>, arguments: &Arguments<'_, 'py>) -> PyResult<Self> {
        let lists = arguments.lists;
        let matrices = match (shape.lists, arguments.indices) {
            (1, Some(indices)) => vec![Matrix::of_arrays(lists, indices)?],
            (_, Some(_)) => return Err(not_a_pair("matrices")),
            (_, None) => matrices(shape, lists)?,
        };
        Ok(Self {
            matrices,
            black_to_move: arguments
                .black_to_move
                .map(|given| booleans(given, "black_to_move"))
                .transpose()?,
        })
    }

    /// The positions, in the memory of the arrays.
    pub(crate) fn batch(&self) -> PyResult<RowBatch<'_>> {
        let batch = match self.matrices.as_slice() {
            [white, black] => RowBatch::two(white.lists()?, black.lists()?).map_err(refused)?,
            [lists, ..] => RowBatch::one(lists.lists()?),
            [] => return Err(refused("there is no matrix")),
        };
        match &self.black_to_move {
            Some(sides) => batch.with_black_to_move(slice(sides)?).map_err(refused),
            None => Ok(batch),
        }
    }
}

/// Candidates as Python gives them: for each list a matrix of added rows, and one of removed rows.
pub(crate) struct Candidates<'py> {
    added: Vec<Matrix<'py>>,
    /// nothing if no rows are removed
    removed: Option<Vec<Matrix<'py>>>,
}

impl<'py> Candidates<'py> {
    pub(crate) fn of(
        shape: &RowsShape<'_>,
        added: &Bound<'py, PyAny>,
        removed: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        Ok(Self {
            added: matrices(shape, added)?,
            removed: removed.map(|given| matrices(shape, given)).transpose()?,
        })
    }

    /// The candidates, in the memory of the arrays.
    pub(crate) fn batch(&self) -> PyResult<CandidateBatch<'_>> {
        let added = lists_of(&self.added, "added")?;
        let removed = match &self.removed {
            Some(removed) => lists_of(removed, "removed")?,
            None => added
                .iter()
                .map(|added| RowMatrix::none(added.len()))
                .collect(),
        };
        let batch = match (added.as_slice(), removed.as_slice()) {
            (&[added, of_second], &[removed, from_second]) => {
                CandidateBatch::two([added, of_second], [removed, from_second])
            }
            (&[added], &[removed]) => CandidateBatch::one(added, removed),
            _ => return Err(refused("there is no matrix")),
        };
        batch.map_err(refused)
    }
}

/// An array of booleans as bytes.
pub(crate) fn booleans<'py>(
    given: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<PyReadonlyArray1<'py, u8>> {
    let array = required(given)?;
    let py = array.py();
    let dtype = array.getattr(intern!(py, "dtype"))?;
    let is_empty = array.len().is_ok_and(|len| len == 0);
    if !is_empty && kind(&dtype)? != 'b' {
        return Err(RowsError::new_err(format!(
            "`{name}` has {}, expected an array of bool",
            dtype.str()?
        )));
    }
    let bytes = match is_empty {
        true => array.call_method1(intern!(py, "astype"), (intern!(py, "uint8"),))?,
        false => array.call_method1(intern!(py, "view"), (intern!(py, "uint8"),))?,
    };
    bytes.extract().map_err(|_| {
        RowsError::new_err(format!(
            "`{name}` has another number of dimensions than one"
        ))
    })
}

/// The records of all positions, on so many threads.
pub(crate) fn evaluate(
    network: &Arc<Network>,
    batch: &RowBatch<'_>,
    threads: usize,
) -> Result<Vec<u8>, BatchError> {
    let threads = threads.min(batch.len().div_ceil(PER_THREAD)).max(1);
    let mut stacks: Vec<_> = (0..threads)
        .filter_map(|_| RowsStack::new(network))
        .collect();
    let mut values = vec![RealEvaluation::default(); batch.len()];
    network.evaluate_rows_on_threads(batch, &mut values, &mut stacks)?;
    Ok(records(&values))
}
