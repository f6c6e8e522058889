//! A list of rows, the changes of it, and candidates.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nnue_runtime::dynamic::{self, Network};
use nnue_runtime::rows::{Candidate, RowsShape};
use pyo3::exceptions::{PyIndexError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyTuple};

use crate::evaluation::{Evaluation, records};
use crate::many;
use crate::rows::{Candidates, Listed, Lists, new_stack, refused, shape};

/// Rows that are active, the changes that led to them, and what the network computed on the way.
#[pyclass(frozen, module = "nnue")]
pub(crate) struct RowsStack {
    network: Arc<Network>,
    shape: RowsShape<'static>,
    stack: Mutex<dynamic::RowsStack>,
}

impl RowsStack {
    pub(crate) fn new(network: Arc<Network>) -> PyResult<Self> {
        Ok(Self {
            shape: shape(&network)?,
            stack: Mutex::new(new_stack(&network)?),
            network,
        })
    }

    /// Makes these rows, or none, the root.
    pub(crate) fn begin(
        &self,
        rows: Option<&Bound<'_, PyAny>>,
        black_to_move: bool,
    ) -> PyResult<()> {
        self.locked().set_black_to_move(black_to_move);
        match rows {
            Some(rows) => self.set(rows, black_to_move.then_some(true)),
            None => Ok(()),
        }
    }

    /// Nothing of Python's is called while it is locked.
    fn locked(&self) -> MutexGuard<'_, dynamic::RowsStack> {
        self.stack.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The rows of a change; nothing is no rows.
    fn lists(&self, given: Option<&Bound<'_, PyAny>>) -> PyResult<Lists> {
        match given {
            Some(given) => Lists::of(&self.shape, given),
            None => Ok(Lists::none(&self.shape)),
        }
    }

    /// A candidate as Python gives it: `(added, removed)`.
    fn change(&self, given: &Bound<'_, PyAny>) -> PyResult<[Lists; 2]> {
        let (added, removed): (Bound<'_, PyAny>, Bound<'_, PyAny>) = given
            .extract()
            .map_err(|_| refused("a candidate is a pair of rows, `(added, removed)`"))?;
        Ok([self.lists(Some(&added))?, self.lists(Some(&removed))?])
    }
}

#[pymethods]
impl RowsStack {
    /// Makes these rows the root, and forgets the changes before: a list of integers (of a network with two perspectives a
    /// pair of lists), or a text such as `3 17 40` or `3 17 | 8 9 b`.
    #[pyo3(signature = (rows, *, black_to_move=None))]
    fn set(&self, rows: &Bound<'_, PyAny>, black_to_move: Option<bool>) -> PyResult<()> {
        let rows = Listed::of(&self.shape, rows)?;
        rows.set(&mut self.locked(), black_to_move)
    }

    /// Removes rows and adds others, in this order. Without `black_to_move` the side to move stays.
    #[pyo3(signature = (added=None, removed=None, *, black_to_move=None))]
    fn push_rows(
        &self,
        added: Option<&Bound<'_, PyAny>>,
        removed: Option<&Bound<'_, PyAny>>,
        black_to_move: Option<bool>,
    ) -> PyResult<()> {
        let (added, removed) = (self.lists(added)?, self.lists(removed)?);
        let mut stack = self.locked();
        stack
            .push_rows(added.as_rows(), removed.as_rows())
            .map_err(refused)?;
        if let Some(black) = black_to_move {
            stack.set_black_to_move(black);
        }
        Ok(())
    }

    /// Takes the last change back.
    fn pop(&self) -> PyResult<()> {
        let mut stack = self.locked();
        if stack.depth() == 0 {
            return Err(PyIndexError::new_err("pop from a stack without changes"));
        }
        stack.pop();
        Ok(())
    }

    /// Forgets the changes, and keeps the rows.
    fn make_root(&self) {
        self.locked().make_root();
    }

    /// Evaluates the active rows.
    fn evaluate(&self) -> Evaluation {
        self.locked().evaluate_real(&self.network).into()
    }

    /// The numbers of each output with a name of its own.
    fn outputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (_, outputs) = self.locked().evaluate_with(&self.network);
        outputs.into_py_dict(py)
    }

    /// Evaluates the rows after each of many small changes, pairs `(added, removed)`, and changes nothing.
    ///
    /// The result is an array with the fields `value`, `psqt`, `positional`, `bucket` and `real`.
    fn evaluate_candidates(
        &self,
        py: Python<'_>,
        candidates: &Bound<'_, PyAny>,
    ) -> PyResult<Py<PyAny>> {
        let changes = candidates
            .try_iter()?
            .map(|candidate| self.change(&candidate?))
            .collect::<PyResult<Vec<_>>>()?;
        let evaluated = py.detach(|| {
            let candidates: Vec<_> = changes
                .iter()
                .map(|[added, removed]| Candidate::new(added.as_rows(), removed.as_rows()))
                .collect();
            let mut values = Vec::new();
            self.locked()
                .evaluate_candidates(&self.network, &candidates, &mut values)
                .map(|()| records(&values))
        });
        many::array(py, &evaluated.map_err(refused)?)
    }

    /// `evaluate_candidates` of changes in the form of sparse matrices: line `i` of `added` and of `removed` is a
    /// list of rows of candidate `i`. Matrices are given as to `Network.evaluate_rows`; without `removed` no rows are.
    #[pyo3(signature = (added, removed=None))]
    fn evaluate_candidate_rows(
        &self,
        py: Python<'_>,
        added: &Bound<'_, PyAny>,
        removed: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let candidates = Candidates::of(&self.shape, added, removed)?;
        let batch = candidates.batch()?;
        let evaluated = py.detach(|| {
            let mut values = Vec::new();
            self.locked()
                .evaluate_candidate_batch(&self.network, &batch, &mut values)
                .map(|()| records(&values))
        });
        many::array(py, &evaluated.map_err(refused)?)
    }

    /// Compares the accumulators with those computed from the rows alone. A difference would be a fault of this package.
    fn verify(&self) -> PyResult<()> {
        let verified = self.locked().verify(&self.network);
        verified.map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }

    /// The active rows, ascending: a list, or of a network with two perspectives a pair of lists.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let lists: Vec<Vec<u32>> = {
            let stack = self.locked();
            (0..self.shape.lists)
                .map(|list| {
                    let mut rows = stack.rows().list(list).to_vec();
                    rows.sort_unstable();
                    rows
                })
                .collect()
        };
        match lists.as_slice() {
            [one] => one.into_pyobject(py),
            _ => PyTuple::new(py, lists).map(Bound::into_any),
        }
    }

    /// Whether Black is to move, whose list the network then reads first.
    #[getter]
    fn black_to_move(&self) -> bool {
        self.locked().rows().black_to_move()
    }

    fn __len__(&self) -> usize {
        self.locked().depth()
    }

    fn __repr__(&self) -> String {
        let stack = self.locked();
        format!(
            "<nnue.RowsStack after {} changes: {}>",
            stack.depth(),
            crate::board::shortened(&stack.rows().to_string())
        )
    }
}
