//! Training of networks over lists of rows, on arrays.

use std::fmt;
use std::time::{Duration, Instant};

use nnue_data::rows::{Lists, RecordError, RowsRecord};
use nnue_runtime::rows::{RowSets, RowsShape};
use nnue_train::run::{Error, ListedData, ListedValidation, Observer, Options, Run};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyOSError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyTuple};

use crate::declared;
use crate::errors::{RowsError, TrainingError};
use crate::rows::{Arguments, Matrices, booleans, kind, refused, slice};

/// How often a run asks whether Python wants to stop it.
const INTERVAL: Duration = Duration::from_millis(50);

/// Lists of rows, targets, weights, sides to move.
type Given<'py> = (
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyAny>>,
);

/// Trains the declared network by the text of a run, on records and on those for validation, marks of them, or none.
#[pyfunction]
#[pyo3(name = "_train")]
pub(crate) fn train(
    py: Python<'_>,
    declaration: (String, Option<String>),
    run: String,
    training: Given<'_>,
    validation: Option<Bound<'_, PyAny>>,
    resume: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<()> {
    let (text, name) = declaration;
    let net = declared::choose(&declared::read(&text)?, name.as_deref())?;
    let shape = net.rows_shape().ok_or_else(|| {
        RowsError::new_err(format!(
            "positions of `{}` are boards of chess, not lists of rows: `nnue train` trains it",
            net.name
        ))
    })?;
    let records = records(&shape, &training, "")?;
    let validation = match validation {
        None => ListedValidation::Drawn,
        Some(given) => held_out(&shape, &given, records.len())?,
    };
    let data = ListedData {
        records,
        validation,
    };
    let options = Options {
        resume,
        ..Options::default()
    };
    let mut watch = Watch {
        progress,
        error: None,
        asked: Instant::now(),
    };
    let trained =
        py.detach(|| Run::of_text("options", run, "").train_listed(data, &options, &mut watch));
    match watch.error {
        Some(error) => Err(error),
        None => trained.map_err(failed),
    }
}

/// The records for validation, or a mark for each of `count` records.
fn held_out(
    shape: &RowsShape<'_>,
    given: &Bound<'_, PyAny>,
    count: usize,
) -> PyResult<ListedValidation> {
    if let Ok(others) = given.cast::<PyTuple>() {
        return records(shape, &others.extract()?, "validation: ").map(ListedValidation::Records);
    }
    let marks = booleans(given, "validation")?;
    let marks: Vec<bool> = slice(&marks)?.iter().map(|mark| *mark != 0).collect();
    require_count("validation", marks.len(), count)?;
    Ok(ListedValidation::Marked(marks))
}

/// Copies records, since a run goes on while other threads of Python do. Rows are checked; `part` begins their errors.
fn records(shape: &RowsShape<'_>, given: &Given<'_>, part: &str) -> PyResult<Vec<RowsRecord>> {
    let (lists, targets, weights, black_to_move) = given;
    let matrices = Matrices::of(
        shape,
        &Arguments {
            lists,
            indices: None,
            black_to_move: black_to_move.as_ref(),
        },
    )?;
    let batch = matrices.batch()?;
    let targets = floats(targets, "targets", batch.len())?;
    let weights = match weights {
        Some(weights) => Some(floats(weights, "weights", batch.len())?),
        None => None,
    };
    let (mut rows, mut scratch) = (RowSets::new(shape), Default::default());
    let record = |(index, target)| {
        let read = batch.read(index, &mut rows, &mut scratch);
        read.map_err(|error| refused(format!("{part}{error}")))?;
        let lists = match shape.lists {
            1 => Lists::One(rows.list(0).to_vec()),
            _ => Lists::Two([0, 1].map(|list| rows.list(list).to_vec())),
        };
        Ok(RowsRecord {
            black_to_move: rows.black_to_move(),
            weight: weights.as_ref().map_or(1.0, |weights| weights[index]),
            ..RowsRecord::new(lists, target)
        })
    };
    targets.into_iter().enumerate().map(record).collect()
}

/// A number for each of `count` records.
fn floats(given: &Bound<'_, PyAny>, name: &str, count: usize) -> PyResult<Vec<f32>> {
    let py = given.py();
    let numpy = py.import(intern!(py, "numpy"))?;
    let array = numpy.call_method1(intern!(py, "asarray"), (given,))?;
    let dtype = array.getattr(intern!(py, "dtype"))?;
    let dimensions: usize = array.getattr(intern!(py, "ndim"))?.extract()?;
    if dimensions != 1 || !matches!(kind(&dtype)?, 'b' | 'i' | 'u' | 'f') {
        return Err(TrainingError::new_err(format!(
            "`{name}` has {} in {dimensions} dimensions, expected numbers in one",
            dtype.str()?
        )));
    }
    let array = array.call_method1(intern!(py, "astype"), (intern!(py, "float64"),))?;
    let numbers: PyReadonlyArray1<'_, f64> = array.extract()?;
    let numbers: Vec<f32> = slice(&numbers)?
        .iter()
        .map(|number| *number as f32)
        .collect();
    require_count(name, numbers.len(), count)?;
    Ok(numbers)
}

fn require_count(name: &str, found: usize, expected: usize) -> PyResult<()> {
    if found == expected {
        return Ok(());
    }
    Err(TrainingError::new_err(format!(
        "`{name}` has {found} numbers for {expected} lists"
    )))
}

fn failed(error: Error) -> PyErr {
    let message = error.to_string();
    match error {
        Error::File(_) => PyOSError::new_err(message),
        Error::Record {
            fault: RecordError::Rows(_),
            ..
        } => RowsError::new_err(message),
        Error::DataChanged { .. } => {
            TrainingError::new_err("the data are others than those of the checkpoint")
        }
        _ => TrainingError::new_err(message),
    }
}

/// Gives the progress to Python, which can stop the run.
struct Watch {
    progress: Option<Py<PyAny>>,
    /// what Python raised
    error: Option<PyErr>,
    asked: Instant,
}

impl Watch {
    fn call(&mut self, call: impl FnOnce(Python<'_>) -> PyResult<()>) {
        if self.error.is_none() {
            self.error = Python::attach(call).err();
        }
    }

    fn log(&mut self, level: &str, line: fmt::Arguments<'_>) {
        self.call(|py| {
            let logging = py.import(intern!(py, "logging"))?;
            let logger = logging.call_method1(intern!(py, "getLogger"), ("nnue",))?;
            logger.call_method1(level, ("%s", line.to_string()))?;
            Ok(())
        });
    }
}

impl Observer for Watch {
    fn line(&mut self, line: fmt::Arguments<'_>) {
        self.log("info", line);
    }

    fn note(&mut self, note: fmt::Arguments<'_>) {
        self.log("warning", note);
    }

    fn metrics(&mut self, row: &[(String, f64)]) {
        let Some(progress) = self.progress.take() else {
            return;
        };
        self.call(|py| {
            let row = row.iter().map(|(name, number)| (name, number));
            progress.call1(py, (row.into_py_dict(py)?,)).map(drop)
        });
        self.progress = Some(progress);
    }

    fn should_stop(&mut self) -> bool {
        if self.asked.elapsed() >= INTERVAL {
            self.call(|py| py.check_signals());
            self.asked = Instant::now();
        }
        self.error.is_some()
    }
}
