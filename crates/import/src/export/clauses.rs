//! The clause of each step in the declaration. Layers are named after their tensors, as in a comparison.

use nnue_spec::{LayerKind, MapSource, NetDesc, SignOf, StepDesc};

pub(super) fn clause(net: &NetDesc<'_>, step: &StepDesc) -> String {
    let layer = |layer: usize| net.layers[layer].name;
    match *step {
        StepDesc::ActivateAccumulator { activation, .. }
        | StepDesc::FloatAccumulator { activation, .. } => net.activated_accumulator(activation),
        StepDesc::Affine { layer: index } => {
            let word = if net.layers[index].kind == LayerKind::Rows {
                "rows"
            } else {
                "affine"
            };
            let binary = if net.layers[index].kind == LayerKind::Binary {
                " binary"
            } else {
                ""
            };
            format!(
                "{}: {word}(.., {}{binary})",
                layer(index),
                net.layers[index].outputs
            )
        }
        StepDesc::AffineDirect {
            activation,
            layer: index,
        } => {
            format!(
                "{}: affine({}, 1)",
                layer(index),
                net.activated_accumulator(activation)
            )
        }
        StepDesc::Map { map, .. } => {
            let operands: Vec<&str> = net.maps[map]
                .operands
                .iter()
                .map(|operand| match operand.source {
                    MapSource::Accumulator => "acc",
                    MapSource::Layer(index) => layer(index),
                    MapSource::Buffer(buffer) => net.buffers[buffer].name,
                })
                .collect();
            format!("arithmetic of {}", operands.join(", "))
        }
        StepDesc::FloatSums { layer: index, .. } => format!("{}, as floats", layer(index)),
        StepDesc::ActivateSums {
            activation,
            layer: index,
            ..
        }
        | StepDesc::ActivateFloat {
            activation,
            layer: index,
            ..
        } => {
            format!("{}({})", net.activation_name(activation), layer(index))
        }
        StepDesc::Sign {
            of: SignOf::Accumulator,
            ..
        } => "signs of acc".into(),
        StepDesc::Sign {
            of: SignOf::Layer(index),
            ..
        } => format!("signs of {}", layer(index)),
        StepDesc::Sign {
            of: SignOf::Buffer(_),
            ..
        } => "signs of values".into(),
        StepDesc::Reduce {
            reduce,
            operand,
            size,
            ..
        } if size == operand.len => format!("{}(..)", reduce.name(true)),
        StepDesc::Reduce { reduce, size, .. } => format!("{}(.., {size})", reduce.name(false)),
        StepDesc::Pool { pool, .. } => format!("{}(.., ..)", pool.definition().name),
    }
}
