//! Everything that a network computes for a position, as arrays of numpy.

use nnue_runtime::dynamic::{Accumulators, Computed, Network, RowsStack, Stack};
use nnue_spec::reference::StackTrace;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::board::Board;
use crate::evaluation::Evaluation;

/// The results of the kernels for a position, and those of the reference interpreter.
pub(crate) struct Intermediate {
    computed: Computed,
    trace: StackTrace,
}

impl Intermediate {
    pub(crate) fn of_board(network: &Network, board: &Board) -> Self {
        let computed = network.computed(board, &mut Stack::new());
        Self::new(network, computed, &network.accumulate(board))
    }

    pub(crate) fn of_rows(network: &Network, stack: &mut RowsStack) -> Self {
        let computed = stack.computed(network);
        Self::new(network, computed, &network.accumulate_listed(stack.rows()))
    }

    fn new(network: &Network, computed: Computed, accumulators: &Accumulators) -> Self {
        let trace = network.intermediate(accumulators, computed.evaluation.evaluation.bucket);
        Self { computed, trace }
    }

    /// `accumulators`, `activations` and `sums` by name, `evaluation`.
    pub(crate) fn describe<'py>(
        self,
        py: Python<'py>,
        network: &Network,
    ) -> PyResult<Bound<'py, PyDict>> {
        let Self { computed, trace } = self;
        let about = PyDict::new(py);
        let numbers = Arrays::new(py)?;
        about.set_item("accumulators", numbers.of(computed.accumulators, "int16")?)?;
        about.set_item("activations", activations(&numbers, network, &trace)?)?;
        about.set_item("sums", sums(&numbers, network, &trace)?)?;
        about.set_item("evaluation", Evaluation::from(computed.evaluation))?;
        Ok(about)
    }
}

/// The values that layers read.
fn activations<'py>(
    numbers: &Arrays<'py>,
    network: &Network,
    trace: &StackTrace,
) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(numbers.py());
    for (index, buffer) in network.spec().buffers.iter().enumerate() {
        let (words, integers) = (&trace.words[index], &trace.integers[index]);
        let floats = &trace.float_buffers[index];
        let array = match (words.as_slice(), integers.as_slice(), floats.as_slice()) {
            ([_, ..], _, _) => numbers.of(words, "int16"),
            (_, [_, ..], _) => numbers.of(integers, "int32"),
            (_, _, [_, ..]) => numbers.of(floats, "float32"),
            _ => numbers.of(
                trace.buffers[index]
                    .iter()
                    .map(|&byte| i32::from(byte))
                    .collect::<Vec<_>>(),
                "uint8",
            ),
        };
        all.set_item(buffer.name, array?)?;
    }
    Ok(all)
}

/// The sums of layers, before their activations.
fn sums<'py>(
    numbers: &Arrays<'py>,
    network: &Network,
    trace: &StackTrace,
) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(numbers.py());
    for (index, layer) in network.spec().layers.iter().enumerate() {
        let array = match (trace.floats[index].as_slice(), trace.direct) {
            ([_, ..], _) => numbers.of(&trace.floats[index], "float32"),
            ([], Some(sum)) if trace.sums[index].is_empty() => numbers.of([sum], "int64"),
            _ => numbers.of(&trace.sums[index], "int32"),
        };
        all.set_item(layer.name, array?)?;
    }
    Ok(all)
}

/// Makes arrays of numpy.
struct Arrays<'py>(Bound<'py, PyAny>);

impl<'py> Arrays<'py> {
    fn new(py: Python<'py>) -> PyResult<Self> {
        py.import("numpy")?.getattr("array").map(Self)
    }

    fn py(&self) -> Python<'py> {
        self.0.py()
    }

    fn of(&self, numbers: impl IntoPyObject<'py>, element: &str) -> PyResult<Bound<'py, PyAny>> {
        self.0.call1((numbers, element))
    }
}
