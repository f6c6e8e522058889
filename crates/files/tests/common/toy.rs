//! The toy network of `docs/files.md`: 2 feature rows, 3 neurons, 1 output. No real feature set is so small; files
//! only depend on the tensors.

use nnue_format::Tensors;
use nnue_spec::*;

/// The descriptor.
pub const TOY: NetDesc<'static> = NetDesc {
    name: "Toy",
    notation: "2 -> 3, psqt 2 -> 1",
    features: &[FeatureDesc {
        set: FeatureSetId::Chess768,
        rows: 2,
        element: ElementType::I16,
    }],
    accumulator: AccumulatorDesc {
        width: 3,
        perspectives: 1,
        psqt: 2,
        psqt_floats: 0,
        one: 127,
        order: PerspectiveOrder::SideToMove,
        separate: false,
        nonzero: 16,
    },
    stacks: StackDesc {
        count: 1,
        selector: Selector::Single,
    },
    buffers: &[BufferDesc {
        name: "x0",
        len: 3,
        max: 127,
        source: Source::Accumulator,
    }],
    layers: &[LayerDesc {
        name: "fc0",
        segments: &[Segment {
            buffer: 0,
            start: 0,
            len: 3,
        }],
        inputs: 3,
        file_inputs: 32,
        outputs: 1,
        kind: LayerKind::Row,
        scale: 64,
        shards: None,
    }],
    maps: &[],
    steps: &[
        StepDesc::ActivateAccumulator {
            activation: Activation::Crelu,
            shift: 0,
            buffer: 0,
        },
        StepDesc::Affine { layer: 0 },
    ],
    output: OutputDesc {
        terms: &[OutputTerm {
            layer: 0,
            neuron: 0,
            negative: false,
            ratio: None,
        }],
        ratio: None,
    },
    heads: &[],
    value: ValueDesc::Together { divide: 16 },
    tensors: &[
        tensor(
            "ft_bias",
            TensorRole::TransformerBias,
            ElementType::I16,
            1,
            3,
        ),
        tensor(
            "ft_weight",
            TensorRole::TransformerWeight,
            ElementType::I16,
            2,
            3,
        ),
        tensor(
            "ft_psqt",
            TensorRole::TransformerPsqt,
            ElementType::I32,
            2,
            2,
        ),
        tensor("fc0_bias", TensorRole::LayerBias(0), ElementType::I32, 1, 1),
        tensor(
            "fc0_weight",
            TensorRole::LayerWeight(0),
            ElementType::I8,
            1,
            32,
        ),
    ],
    container: ContainerDesc {
        version: 0x7AF3_2F20,
        transformer_hash: 0x7680_4CBB,
        stack_hash: 0xBA22_AE62,
        encoding: Encoding::Raw,
    },
    raw: None,
    goldens: &[],
    head_goldens: &[],
    custom: CustomDesc::NONE,
};

const fn tensor(
    name: &str,
    role: TensorRole,
    element: ElementType,
    rows: usize,
    cols: usize,
) -> TensorDesc<'_> {
    TensorDesc {
        name,
        role,
        element,
        rows,
        cols,
        copies: 1,
    }
}

/// Its weights.
pub fn toy_tensors() -> Tensors {
    let mut tensors = Tensors::zeroed(&TOY);
    for (index, tensor) in tensors.muts().into_iter().enumerate() {
        match (index, tensor) {
            (0, TensorMut::I16(bias)) => bias.copy_from_slice(&[0, -1, 64]),
            (1, TensorMut::I16(weight)) => weight.copy_from_slice(&[1, -64, 300, 63, -65, -32768]),
            (2, TensorMut::I32(psqt)) => psqt.copy_from_slice(&[100, -100, 8192, -8193]),
            (3, TensorMut::I32(bias)) => bias.copy_from_slice(&[1000]),
            (4, TensorMut::I8(weight)) => weight[..3].copy_from_slice(&[5, -6, 7]),
            (index, tensor) => panic!("tensor {index}: {tensor:?}"),
        }
    }
    tensors
}
