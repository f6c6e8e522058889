//! Histograms of tensors, without the padding of files: zero columns of layers, and bits after the last sign
//! of a binary layer.

use nnue_spec::dense::DenseDesc;
use nnue_spec::{ElementType, LayerKind, NetDesc, TensorDesc, TensorRef, TensorRole};

use crate::plot::drawing::Drawing;
use crate::plot::histogram::{Histogram, Numbers};
use crate::plot::network::Network;

/// Gap between histograms in pixels, and number of columns.
const GAP: f64 = 20.0;
const COLUMNS: usize = 3;

/// Calls `each` with the values of tensor `index`, in file order.
///
/// # Panics
///
/// If there is no such tensor.
pub fn for_each(network: &Network<'_>, index: usize, each: &mut dyn FnMut(f64)) {
    let (desc, tensor) = (&network.desc.tensors[index], network.tensors[index]);
    match signs_of(network.desc, desc) {
        Some(inputs) => signs(tensor, desc.cols, inputs, each),
        None => match tensor {
            TensorRef::I8(values) => columns(values, desc, network.desc, each),
            TensorRef::I16(values) => columns(values, desc, network.desc, each),
            TensorRef::I32(values) => columns(values, desc, network.desc, each),
            TensorRef::F32(values) => columns(values, desc, network.desc, each),
        },
    }
}

/// Number of signs per row, for the weights of a binary layer: eight signs per byte.
pub fn signs_of(net: &NetDesc<'_>, desc: &TensorDesc<'_>) -> Option<usize> {
    match desc.role {
        TensorRole::LayerWeight(layer) if net.layers[layer].kind == LayerKind::Binary => {
            Some(net.layers[layer].inputs)
        }
        _ => None,
    }
}

fn columns<T: Copy + Into<f64>>(
    values: &[T],
    desc: &TensorDesc<'_>,
    net: &NetDesc<'_>,
    each: &mut dyn FnMut(f64),
) {
    let used = match desc.role {
        TensorRole::LayerWeight(layer) => net.layers[layer].inputs.min(desc.cols),
        _ => desc.cols,
    };
    for row in values.chunks_exact(desc.cols) {
        row[..used].iter().for_each(|&value| each(value.into()));
    }
}

/// The signs of rows of `cols` bytes, as 1 and -1.
fn signs(tensor: TensorRef<'_>, cols: usize, inputs: usize, each: &mut dyn FnMut(f64)) {
    for row in 0..tensor.len() / cols {
        for k in 0..inputs {
            let is_set = tensor.get(row * cols + k / 8) >> (k % 8) & 1 == 1;
            each(if is_set { 1.0 } else { -1.0 });
        }
    }
}

/// The histogram of tensor `index`.
///
/// # Panics
///
/// If there is no such tensor.
pub fn histogram(network: &Network<'_>, index: usize) -> Histogram {
    let numbers: &Numbers<'_> = &|each| for_each(network, index, &mut |number| each(number, 1));
    match network.desc.tensors[index].element {
        ElementType::F32 => Histogram::floats(numbers),
        ElementType::I8 | ElementType::I16 | ElementType::I32 => Histogram::whole(numbers),
    }
}

/// The shape of tensor `index`, `8 x 16 x 1024`, without padding and axes of length 1.
///
/// # Panics
///
/// If there is no such tensor.
pub fn shape(net: &NetDesc<'_>, index: usize) -> String {
    let desc = &net.tensors[index];
    let columns = match desc.role {
        TensorRole::LayerWeight(layer) => net.layers[layer].inputs,
        _ => desc.cols,
    };
    let dimensions = [desc.copies, desc.rows, columns]
        .into_iter()
        .filter(|&n| n > 1)
        .map(|n| n.to_string());
    let text = dimensions.collect::<Vec<_>>().join(" x ");
    if text.is_empty() { "1".into() } else { text }
}

/// A histogram for each tensor.
pub fn draw(network: &Network<'_>) -> Drawing {
    let one = |index: usize| {
        let desc = &network.desc.tensors[index];
        let title = format!(
            "{} ({}, {})",
            desc.name,
            shape(network.desc, index),
            desc.element.name()
        );
        histogram(network, index).draw(&title)
    };
    Drawing::grid(
        &(0..network.tensors.len()).map(one).collect::<Vec<_>>(),
        COLUMNS,
        GAP,
    )
}

/// As [`draw`], for a network over a dense input.
pub fn draw_dense(net: &DenseDesc<'_>, tensors: &[Vec<f32>]) -> Drawing {
    let one = |(desc, values): (nnue_spec::dense::DenseTensor, &Vec<f32>)| {
        let shape = desc
            .shape
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" x ");
        let numbers: &Numbers<'_> = &|each| values.iter().for_each(|&value| each(value.into(), 1));
        Histogram::floats(numbers).draw(&format!("{} ({shape}, f32)", desc.name))
    };
    Drawing::grid(
        &net.tensors()
            .into_iter()
            .zip(tensors)
            .map(one)
            .collect::<Vec<_>>(),
        COLUMNS,
        GAP,
    )
}
