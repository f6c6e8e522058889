//! What is in a network, as dictionaries that `json.dumps` takes.

use nnue_runtime::dynamic::Network;
use nnue_spec::{PerspectiveOrder, TensorDesc, TensorRef};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::tensor::shape;

/// Everything but the weights.
pub(crate) fn describe<'py>(py: Python<'py>, network: &Network) -> PyResult<Bound<'py, PyDict>> {
    let spec = network.spec();
    let about = PyDict::new(py);
    about.set_item("name", spec.name)?;
    about.set_item("notation", spec.notation)?;
    about.set_item("file", file(py, network)?)?;
    about.set_item("features", features(py, network)?)?;
    about.set_item("accumulator", accumulator(py, network)?)?;
    about.set_item("stacks", spec.stacks.count)?;
    about.set_item("layers", layers(py, network)?)?;
    about.set_item(
        "outputs",
        spec.heads.iter().map(|head| head.name).collect::<Vec<_>>(),
    )?;
    about.set_item("tensors", tensors(py, network)?)?;
    about.set_item("bytes", spec.parameter_bytes())?;
    about.set_item("level", network.level().to_string())?;
    about.set_item("level_reason", network.choice().reason.to_string())?;
    let bounds = nnue_tools::bounds::prove(spec, &network.tensors());
    about.set_item("bounds", bounds.to_string())?;
    Ok(about)
}

/// What the file says about itself.
fn file<'py>(py: Python<'py>, network: &Network) -> PyResult<Bound<'py, PyDict>> {
    let (spec, header) = (network.spec(), network.header());
    let file = PyDict::new(py);
    file.set_item("description", String::from_utf8_lossy(&header.description))?;
    if spec.raw.is_some() {
        file.set_item("format", "raw")?;
        return Ok(file);
    }
    let container = spec.container;
    file.set_item("format", "stockfish")?;
    file.set_item("version", container.version)?;
    file.set_item("hash", header.transformer_hash ^ container.stack_hash)?;
    file.set_item("encoding", format!("{:?}", header.encoding).to_lowercase())?;
    Ok(file)
}

fn features<'py>(py: Python<'py>, network: &Network) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let spec = network.spec();
    let describe = |feature: &nnue_spec::FeatureDesc| {
        let about = PyDict::new(py);
        about.set_item("set", spec.set_name(feature.set))?;
        about.set_item("rows", feature.rows)?;
        about.set_item("element", feature.element.name())?;
        Ok(about)
    };
    spec.features.iter().map(describe).collect()
}

fn accumulator<'py>(py: Python<'py>, network: &Network) -> PyResult<Bound<'py, PyDict>> {
    let accumulator = network.spec().accumulator;
    let about = PyDict::new(py);
    about.set_item("width", accumulator.width)?;
    about.set_item("perspectives", accumulator.perspectives)?;
    about.set_item("psqt", accumulator.psqt)?;
    about.set_item("one", accumulator.one)?;
    about.set_item(
        "white_first",
        accumulator.order == PerspectiveOrder::WhiteFirst,
    )?;
    about.set_item("separate", accumulator.separate)?;
    Ok(about)
}

fn layers<'py>(py: Python<'py>, network: &Network) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let describe = |layer: &nnue_spec::LayerDesc<'_>| {
        let about = PyDict::new(py);
        about.set_item("name", layer.name)?;
        about.set_item("inputs", layer.inputs)?;
        about.set_item("outputs", layer.outputs)?;
        about.set_item("scale", layer.scale)?;
        Ok(about)
    };
    network.spec().layers.iter().map(describe).collect()
}

/// Shapes and ranges. Columns of padding, where layers have them, count.
fn tensors<'py>(py: Python<'py>, network: &Network) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for (index, (desc, tensor)) in network
        .spec()
        .tensors
        .iter()
        .zip(network.tensors())
        .enumerate()
    {
        all.set_item(
            desc.name,
            describe_tensor(py, &shape(network, index), desc, tensor)?,
        )?;
    }
    Ok(all)
}

fn describe_tensor<'py>(
    py: Python<'py>,
    shape: &[usize],
    desc: &TensorDesc<'_>,
    tensor: TensorRef<'_>,
) -> PyResult<Bound<'py, PyDict>> {
    let about = PyDict::new(py);
    about.set_item("shape", PyTuple::new(py, shape)?)?;
    about.set_item("element", desc.element.name())?;
    let (least, most, zeros) = match tensor {
        TensorRef::I8(numbers) => range(numbers),
        TensorRef::I16(numbers) => range(numbers),
        TensorRef::I32(numbers) => range(numbers),
        TensorRef::F32(numbers) => range(numbers),
    };
    // all numbers of 32 bits are numbers of 64
    let whole = desc.element != nnue_spec::ElementType::F32;
    for (name, number) in [("min", least), ("max", most)] {
        if whole {
            about.set_item(name, number as i64)?
        } else {
            about.set_item(name, number)?
        }
    }
    about.set_item("zeros", zeros)?;
    Ok(about)
}

/// Least, greatest, and how many are zero.
fn range<T: Copy + Into<f64>>(numbers: &[T]) -> (f64, f64, usize) {
    let of = |fold: fn(f64, f64) -> f64, start| {
        numbers
            .iter()
            .fold(start, |found, &number| fold(found, number.into()))
    };
    let zeros = numbers
        .iter()
        .filter(|&&number| number.into() == 0.0)
        .count();
    (
        of(f64::min, f64::INFINITY),
        of(f64::max, f64::NEG_INFINITY),
        zeros,
    )
}
