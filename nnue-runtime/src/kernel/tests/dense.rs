//! Dense layers, and layers of one output, that read slices of several small buffers.

use nnue_spec::{BufferDesc, LayerDesc, LayerKind, NetDesc, Segment, Source};

use super::{ACCUMULATOR, naive_sum, net, random_layer, random_row};
use crate::kernel::{
    AtBlock, AtByte, Blocks, Room, affine_add, affine_bias, affine_hidden, row_add, row_bias,
};
use crate::layer::{Layer, RowLayer};
use crate::memory::{Bytes, Sums};
use crate::simd::{AvailableLevel, Level, dispatch};
use crate::testing::Random;

/// All 40 values of a buffer, 7 of 24 from the third on, and 70 of 96. The buffers have 64, 64 and
/// 128 bytes.
const SEGMENTS: [Segment; 3] = [
    Segment {
        buffer: 0,
        start: 0,
        len: 40,
    },
    Segment {
        buffer: 1,
        start: 2,
        len: 7,
    },
    Segment {
        buffer: 2,
        start: 5,
        len: 70,
    },
];

/// A network of one layer that reads [`SEGMENTS`].
pub(super) fn with_net(max: i32, outputs: usize, kind: LayerKind, f: impl FnOnce(&NetDesc)) {
    let buffer = |len| BufferDesc {
        name: "x",
        len,
        max,
        source: Source::Layer(0),
    };
    let buffers = [buffer(40), buffer(24), buffer(96)];
    let layer = LayerDesc {
        name: "fc1",
        segments: &SEGMENTS,
        inputs: 117,
        file_inputs: 128,
        outputs,
        kind,
        scale: 64,
        shards: None,
    };
    f(&net(ACCUMULATOR, &buffers, &[layer]));
}

/// Random activations of at most `max`, padding of at most 127.
fn random_bytes<const NB: usize>(random: &mut Random, max: i32, len: usize) -> Bytes<NB> {
    let mut bytes = Bytes::zeroed();
    for (i, x) in bytes.0.iter_mut().enumerate() {
        let end = if i < len { max } else { 127 };
        *x = if random.below(8) == 0 {
            end as u8
        } else {
            random.below(end as usize + 1) as u8
        };
    }
    bytes
}

/// Three buffers of activations.
pub(super) struct Inputs {
    pub(super) x: Bytes<64>,
    pub(super) y: Bytes<64>,
    pub(super) z: Bytes<128>,
}

impl Inputs {
    pub(super) fn random(random: &mut Random, max: i32) -> Self {
        Self {
            x: random_bytes(random, max, 40),
            y: random_bytes(random, max, 24),
            z: random_bytes(random, max, 96),
        }
    }

    /// The values of all segments in order.
    pub(super) fn values(&self) -> Vec<u8> {
        let buffers: [&[u8]; 3] = [&self.x.0, &self.y.0, &self.z.0];
        SEGMENTS
            .iter()
            .zip(buffers)
            .flat_map(|(segment, x)| x[segment.start..][..segment.len].to_vec())
            .collect()
    }
}

// 31 blocks: 10 + 3 + 18
call!(Dense<'a, const OUT: usize, const OUTP: usize> {
    inputs: &'a Inputs,
    layer: &'a Layer<128, OUT, 3, 31, OUTP>,
    stack: usize
} -> Sums<OUTP>, simd: S => {
    let sums = affine_bias(layer, stack);
    let sums = affine_add(simd, sums, &inputs.x, layer, stack, Blocks::<0, 10>, AtBlock::<0>);
    let sums = affine_add(simd, sums, &inputs.y, layer, stack, Blocks::<0, 3>, AtBlock::<10>);
    affine_add(simd, sums, &inputs.z, layer, stack, Blocks::<1, 18>, AtBlock::<13>)
});

fn check_dense<const OUT: usize, const OUTP: usize>(level: AvailableLevel, random: &mut Random) {
    for max in [127, 255] {
        with_net(max, OUT, LayerKind::Dense, |net| {
            let layer = random_layer::<128, OUT, 3, 31, OUTP>(net, level, random);
            let inputs = Inputs::random(random, max);
            let values = inputs.values();
            for stack in 0..3 {
                let sums = dispatch(
                    level,
                    Dense {
                        inputs: &inputs,
                        layer: &layer,
                        stack,
                    },
                );
                for (o, weights) in layer.weight[stack].iter().enumerate() {
                    let expected = naive_sum(layer.bias[stack][o], weights, &values);
                    assert_eq!(
                        sums.get(o),
                        expected,
                        "{level} output {o} of {OUT}, {:?}",
                        layer.dot(stack)
                    );
                }
            }
        });
    }
}

#[test]
fn dense_layers_match_naive_sums() {
    for level in Level::available() {
        let mut random = Random(1);
        for _ in 0..20 {
            check_dense::<8, 16>(level, &mut random);
            check_dense::<24, 32>(level, &mut random);
            check_dense::<40, 48>(level, &mut random);
            check_dense::<160, 160>(level, &mut random);
        }
    }
}

call!(Hidden<'a, const N: usize, const CAP: usize, const FILE_IN: usize, const OUT: usize, const BLOCKS: usize, const OUTP: usize> {
    x: &'a Bytes<N>,
    layer: &'a Layer<FILE_IN, OUT, 2, BLOCKS, OUTP>,
    stack: usize
} -> Sums<OUTP>, simd: S => affine_hidden(simd, x, layer, stack, Room::<CAP>));

/// A layer that reads all values of one buffer, `FILE_IN` of `N` bytes, in the form that the level
/// chooses for it.
fn check_hidden<
    const N: usize,
    const CAP: usize,
    const FILE_IN: usize,
    const OUT: usize,
    const BLOCKS: usize,
    const OUTP: usize,
>(
    level: AvailableLevel,
    random: &mut Random,
) {
    for max in [127, 255] {
        let buffers = [BufferDesc {
            name: "x",
            len: FILE_IN,
            max,
            source: Source::Layer(0),
        }];
        let segments = [Segment {
            buffer: 0,
            start: 0,
            len: FILE_IN,
        }];
        let (inputs, kind) = (FILE_IN, LayerKind::Dense);
        let layer = LayerDesc {
            name: "fc1",
            segments: &segments,
            inputs,
            file_inputs: inputs,
            outputs: OUT,
            kind,
            scale: 64,
            shards: None,
        };
        let layers = [layer];
        let net = net(ACCUMULATOR, &buffers, &layers);
        assert!(net.is_dense_alone(0) && level.form(&net, 0).is_some());
        let layer = random_layer::<FILE_IN, OUT, 2, BLOCKS, OUTP>(&net, level, random);
        let x: Bytes<N> = random_bytes(random, max, FILE_IN);
        for stack in 0..2 {
            let sums = dispatch(
                level,
                Hidden::<N, CAP, FILE_IN, OUT, BLOCKS, OUTP> {
                    x: &x,
                    layer: &layer,
                    stack,
                },
            );
            for (o, weights) in layer.weight[stack].iter().enumerate() {
                let expected = naive_sum(layer.bias[stack][o], weights, &x.0[..FILE_IN]);
                assert_eq!(
                    sums.get(o),
                    expected,
                    "{level} output {o} of {OUT}, {:?}",
                    layer.dot(stack)
                );
            }
        }
    }
}

#[test]
fn layers_of_one_buffer_match_naive_sums() {
    for level in Level::available() {
        let mut random = Random(3);
        for _ in 0..5 {
            check_hidden::<64, 32, 64, 5, 16, 16>(level, &mut random);
            check_hidden::<64, 32, 61, 24, 16, 32>(level, &mut random);
            check_hidden::<256, 80, 256, 8, 64, 16>(level, &mut random);
            check_hidden::<512, 144, 510, 128, 128, 128>(level, &mut random);
        }
    }
}

call!(Row<'a> { inputs: &'a Inputs, layer: &'a RowLayer<128, 2, 256>, stack: usize } -> i32, simd: S => {
    let sum = row_bias(layer, stack);
    let sum = row_add(simd, sum, &inputs.x, layer, stack, AtByte::<0>);
    let sum = row_add(simd, sum, &inputs.y, layer, stack, AtByte::<64>);
    row_add(simd, sum, &inputs.z, layer, stack, AtByte::<128>)
});

fn check_rows(level: AvailableLevel) {
    let mut random = Random(2);
    for max in [127, 255].repeat(50) {
        with_net(max, 1, LayerKind::Row, |net| {
            let layer = random_row::<128, 2, 256>(net, level, &mut random);
            let inputs = Inputs::random(&mut random, max);
            let values = inputs.values();
            for stack in 0..2 {
                let sum = dispatch(
                    level,
                    Row {
                        inputs: &inputs,
                        layer: &layer,
                        stack,
                    },
                );
                let expected = naive_sum(layer.bias[stack][0], &layer.weight[stack][0], &values);
                assert_eq!(sum, expected, "{level} {:?}", layer.dot());
            }
        });
    }
}

#[test]
fn rows_match_naive_sums() {
    Level::available().for_each(check_rows);
}
