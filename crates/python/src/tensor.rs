//! Tensors as numpy sees them: an address that numpy reads from, and an object that keeps it valid.

use std::sync::Arc;

use nnue_runtime::dynamic::Network;
use nnue_spec::{TensorRef, TensorRole};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A tensor of a network. Numpy's arrays over it keep it, and it keeps the network, whose weights never move or change.
#[pyclass(frozen, module = "nnue")]
pub(crate) struct Tensor {
    network: Arc<Network>,
    index: usize,
}

impl Tensor {
    pub(crate) fn new(network: Arc<Network>, index: usize) -> Self {
        Self { network, index }
    }
}

#[pymethods]
impl Tensor {
    /// Numpy's protocol for memory of others, in its third version.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (address, element) = match self.network.tensors()[self.index] {
            TensorRef::I8(numbers) => (numbers.as_ptr().addr(), "|i1"),
            TensorRef::I16(numbers) => (numbers.as_ptr().addr(), "=i2"),
            TensorRef::I32(numbers) => (numbers.as_ptr().addr(), "=i4"),
            TensorRef::F32(numbers) => (numbers.as_ptr().addr(), "=f4"),
        };
        let native = if cfg!(target_endian = "little") {
            "<"
        } else {
            ">"
        };
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("typestr", element.replace('=', native))?;
        interface.set_item(
            "shape",
            pyo3::types::PyTuple::new(py, shape(&self.network, self.index))?,
        )?;
        const READ_ONLY: bool = true;
        interface.set_item("data", (address, READ_ONLY))?;
        Ok(interface)
    }
}

/// Biases have one dimension, weights two; those of layers have the layer stack before them.
pub(crate) fn shape(network: &Network, index: usize) -> Vec<usize> {
    let desc = &network.spec().tensors[index];
    match desc.role {
        TensorRole::TransformerBias | TensorRole::SecondBias => vec![desc.cols],
        TensorRole::LayerBias(_) | TensorRole::LayerScale(_) => {
            vec![desc.copies, desc.rows * desc.cols]
        }
        TensorRole::LayerWeight(_) => vec![desc.copies, desc.rows, desc.cols],
        _ => vec![desc.rows, desc.cols],
    }
}
