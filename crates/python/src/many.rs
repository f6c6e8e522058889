//! Many positions, on all cores.

use std::thread;

use nnue_runtime::RealEvaluation;
use nnue_runtime::dynamic::{Batch, Network};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyByteArray, PyString};

use crate::board::{Board, Masks, NoPosition};
use crate::errors::PositionError;
use crate::evaluation::{RECORD, records};

/// Columns of an array of positions: six kinds, two colours, the side to move.
const COLUMNS: usize = 9;

/// A thread is worth its start for so many positions.
const PER_THREAD: usize = 256;

/// Positions as Python gave them, read as far as Python is needed.
pub(crate) enum Positions {
    /// one by one
    List(Vec<Item>),
    /// an array of [`COLUMNS`] numbers for each
    Array(Vec<[u64; COLUMNS]>),
}

/// A position of a list.
pub(crate) enum Item {
    Fen(PyBackedStr),
    Board(Board),
}

impl Positions {
    /// Takes an array of numbers, or anything that gives FENs and boards one after the other.
    pub(crate) fn of(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if is_array_of_numbers(given)? {
            return rows(given).map(Self::Array);
        }
        if given.cast::<PyString>().is_ok() {
            return Err(PositionError::new_err(
                "positions are given in a list, as in `evaluate_many([fen])`",
            ));
        }
        let item = |(index, given): (usize, PyResult<Bound<'_, PyAny>>)| {
            let given = given?;
            match given.cast::<PyString>() {
                Ok(fen) => Ok(Item::Fen(fen.clone().try_into()?)),
                Err(_) => Board::of_python(&given)
                    .map(Item::Board)
                    .map_err(|error| numbered(given.py(), index, error)),
            }
        };
        given
            .try_iter()?
            .enumerate()
            .map(item)
            .collect::<PyResult<_>>()
            .map(Self::List)
    }

    /// What `network` says about each, one record after the other, on so many threads.
    pub(crate) fn evaluate(
        &self,
        network: &Network,
        threads: usize,
    ) -> Result<Vec<u8>, NoPosition> {
        let boards = match self {
            Self::List(items) => boards(items, threads, |item| match item {
                Item::Fen(fen) => Board::of_fen(fen),
                Item::Board(board) => Ok(*board),
            }),
            Self::Array(rows) => boards(rows, threads, |&row| of_row(row)),
        }?;
        Ok(records(&evaluate_boards(network, &boards, threads)))
    }
}

/// What `network` says about each, on so many threads.
pub(crate) fn evaluate_boards(
    network: &Network,
    boards: &[Board],
    threads: usize,
) -> Vec<RealEvaluation> {
    let mut values = vec![RealEvaluation::default(); boards.len()];
    let threads = threads.min(boards.len().div_ceil(PER_THREAD)).max(1);
    let mut batches: Vec<_> = (0..threads).map(|_| Batch::new()).collect();
    network.evaluate_on_threads(boards, &mut values, &mut batches);
    values
}

/// As many threads as asked for, or as there are cores.
pub(crate) fn threads(asked: Option<usize>) -> PyResult<usize> {
    const MOST: usize = 1024;
    match asked {
        Some(0) => Err(PyValueError::new_err(
            "threads is 0, and must be at least 1",
        )),
        Some(asked) => Ok(asked.min(MOST)),
        None => Ok(thread::available_parallelism().map_or(1, usize::from)),
    }
}

/// An array of numpy whose fields have names.
pub(crate) fn array(py: Python<'_>, records: &[u8]) -> PyResult<Py<PyAny>> {
    let numpy = py.import(intern!(py, "numpy"))?;
    let array = numpy.call_method1(
        intern!(py, "frombuffer"),
        (PyByteArray::new(py, records), RECORD.to_vec()),
    )?;
    Ok(array.unbind())
}

/// Whether it has a `dtype` of whole numbers.
fn is_array_of_numbers(given: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = given.py();
    let Some(dtype) = given.getattr_opt(intern!(py, "dtype"))? else {
        return Ok(false);
    };
    Ok(matches!(
        dtype.getattr(intern!(py, "kind"))?.extract::<&str>()?,
        "u" | "i"
    ))
}

/// The rows of an array of bitboards.
fn rows(array: &Bound<'_, PyAny>) -> PyResult<Vec<[u64; COLUMNS]>> {
    let py = array.py();
    let dtype: String = array.getattr(intern!(py, "dtype"))?.str()?.extract()?;
    let shape: Vec<usize> = array.getattr(intern!(py, "shape"))?.extract()?;
    if dtype != "uint64" || shape.len() != 2 || shape[1] != COLUMNS {
        return Err(PositionError::new_err(format!(
            "an array of positions has uint64 in the shape (n, {COLUMNS}): pawns, knights, bishops, rooks, queens, kings, white, black, \
             1 if White moves; this has {dtype} in {}",
            array.getattr(intern!(py, "shape"))?.str()?
        )));
    }
    let bytes = array.call_method0(intern!(py, "tobytes"))?;
    let bytes = bytes.cast::<pyo3::types::PyBytes>()?.as_bytes();
    let (numbers, _) = bytes.as_chunks();
    let numbers: Vec<u64> = numbers
        .iter()
        .map(|&bytes| u64::from_ne_bytes(bytes))
        .collect();
    Ok(numbers.as_chunks().0.to_vec())
}

/// The position of a row.
fn of_row(
    [
        pawns,
        knights,
        bishops,
        rooks,
        queens,
        kings,
        white,
        black,
        turn,
    ]: [u64; COLUMNS],
) -> Result<Board, NoPosition> {
    if turn > 1 {
        return Err(NoPosition(format!(
            "the side to move is {turn}, and must be 1 for White or 0 for Black"
        )));
    }
    let kinds = [pawns, knights, bishops, rooks, queens, kings];
    let masks = Masks {
        kinds,
        colors: [white, black],
        white_to_move: turn == 1,
    };
    masks.board().map_err(|error| NoPosition(error.to_string()))
}

/// Reads all positions on so many threads. The error is that of the first one that is wrong.
pub(crate) fn boards<T: Sync, B: Clone + Send>(
    given: &[T],
    threads: usize,
    read: impl Fn(&T) -> Result<B, NoPosition> + Sync,
) -> Result<Vec<B>, NoPosition> {
    let share = given.len().div_ceil(threads).max(PER_THREAD);
    let read_all = |(part, items): (usize, &[T])| {
        let numbered = |at: usize, NoPosition(error)| {
            NoPosition(format!("position {}: {error}", part * share + at))
        };
        items
            .iter()
            .enumerate()
            .map(|(at, item)| read(item).map_err(|error| numbered(at, error)))
            .collect()
    };
    let parts: Vec<Result<Vec<B>, NoPosition>> = thread::scope(|scope| {
        let read_all = &read_all;
        let start = |part| scope.spawn(move || read_all(part));
        let running: Vec<_> = given.chunks(share).enumerate().map(start).collect();
        running
            .into_iter()
            .map(|part| {
                part.join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
            .collect()
    });
    parts
        .into_iter()
        .collect::<Result<Vec<_>, _>>()
        .map(|parts| parts.concat())
}

/// The error of position `index` of a list.
fn numbered(py: Python<'_>, index: usize, error: PyErr) -> PyErr {
    match error.is_instance_of::<PositionError>(py) {
        true => PositionError::new_err(format!("position {index}: {}", error.value(py))),
        false => error,
    }
}
