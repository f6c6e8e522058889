//! Measures the layers of a network.

use nnue_runtime::form::{Form, Shape};
use nnue_spec::reference;
use nnue_spec::{LayerDesc, LayerKind, NetDesc, TensorRef, TensorRole};

use super::candidates::{Measured, Meter, Subject};
use crate::error::Error;
use crate::input::suite;
use crate::network::Opened;

/// Every 16th position of the suite supplies activations.
const EVERY: usize = 16;

pub(super) struct Layer {
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    /// form in use; `None`: see [`other`]
    pub(super) form: Option<Form>,
    /// `None`: these forms do not support its weights or inputs
    pub(super) measured: Option<Measured>,
}

/// Measures every form of each layer, with activations from positions and the weights of the first stack.
pub(super) fn measure(meter: Meter, opened: &Opened) -> Result<Vec<Layer>, Error> {
    let (spec, tensors) = (opened.network.spec(), opened.network.tensors());
    let boards = suite().step_by(EVERY).map(|given| given.position);
    let traces: Vec<_> = boards
        .map(|board| reference::evaluate(spec, &tensors, &board.plain()))
        .collect();
    let level = opened.network.level();
    let mut layers = Vec::new();
    for (index, desc) in spec.layers.iter().enumerate() {
        let form = level.form(spec, index);
        let inputs = || {
            let join = |trace: &reference::Trace| {
                let parts = desc
                    .segments
                    .iter()
                    .map(|part| &trace.stacks[0].buffers[part.buffer][part.start..][..part.len]);
                parts.collect::<Vec<_>>().concat()
            };
            traces.iter().map(join).collect()
        };
        let subject = weights(spec, &tensors, index).map(|weights| Subject {
            name: desc.name.into(),
            bias: vec![0; desc.outputs],
            greatest: desc
                .segments
                .iter()
                .map(|part| spec.buffers[part.buffer].max)
                .max()
                .unwrap_or(0) as u8,
            inputs: inputs(),
            weights,
        });
        let measured = subject
            .as_ref()
            .map(|subject| subject.measure(meter, level))
            .transpose()?;
        let plain = Shape {
            inputs: desc.inputs,
            outputs: desc.outputs,
            blocks: 1000,
            values: 1000,
        };
        let shape = subject.map_or(plain, |subject| subject.shape());
        layers.push(Layer {
            name: desc.name,
            shape,
            form,
            measured,
        });
    }
    Ok(layers)
}

/// The unpadded 8-bit weights of a layer's first stack; `None` for other types.
fn weights(spec: &NetDesc<'_>, tensors: &[TensorRef<'_>], layer: usize) -> Option<Vec<i8>> {
    let desc = &spec.layers[layer];
    if !matches!(
        desc.kind,
        LayerKind::Sparse | LayerKind::Dense | LayerKind::Row
    ) {
        return None;
    }
    let at = spec
        .tensors
        .iter()
        .position(|tensor| tensor.role == TensorRole::LayerWeight(layer))?;
    let TensorRef::I8(values) = &tensors[at] else {
        return None;
    };
    let rows = values.chunks(spec.tensors[at].cols).take(desc.outputs);
    Some(rows.flat_map(|row| &row[..desc.inputs]).copied().collect())
}

/// Describes a layer that has one form only.
pub(crate) const fn other(layer: &LayerDesc<'_>) -> &'static str {
    match layer.kind {
        LayerKind::Sparse => "blocks, one buffer after the other",
        LayerKind::BlockSparse { .. } => "listed inputs, the blocks of outputs that they reach",
        LayerKind::Dense if layer.segments.len() > 1 => "all blocks, one buffer after the other",
        LayerKind::Dense => "all blocks: its inputs are not whole lines of 64",
        LayerKind::Row | LayerKind::Rows => "a row",
        LayerKind::Words => "rows of 16-bit values",
        LayerKind::Integer => "rows of 32-bit integers",
        LayerKind::Direct => "a row of 16-bit weights",
        LayerKind::Binary => "signs",
        LayerKind::Float { .. } => "floats",
    }
}
