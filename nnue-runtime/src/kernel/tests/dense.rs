//! Dense layers and rows that read several small buffers, in slices.

use nnue_spec::{AccumulatorDesc, BufferDesc, LayerDesc, LayerKind, NetDesc, PerspectiveOrder, Segment, Source};

use super::{at_all_levels, naive_sum, net, random_layer, random_row};
use crate::kernel::{affine_add, affine_bias, row_add, row_bias};
use crate::memory::Bytes;
use crate::simd::{AvailableLevel, Simd, Task};
use crate::testing::Random;

/// 40 of 40 values, 7 of 24 from the third on, 70 of 96: three buffers of 64, 64 and 128 bytes.
const SEGMENTS: [Segment; 3] = [
    Segment { buffer: 0, start: 0, len: 40 },
    Segment { buffer: 1, start: 2, len: 7 },
    Segment { buffer: 2, start: 5, len: 70 },
];

/// A network of one layer that reads [`SEGMENTS`].
fn with_net(max: i32, outputs: usize, kind: LayerKind, f: impl FnOnce(&NetDesc)) {
    let buffer = |len| BufferDesc { name: "x", len, max, source: Source::Layer(0) };
    let buffers = [buffer(40), buffer(24), buffer(96)];
    let layer = LayerDesc { name: "fc1", segments: &SEGMENTS, inputs: 117, file_inputs: 128, outputs, kind, scale: 64 };
    f(&net(
        AccumulatorDesc {
            width: 32,
            perspectives: 2,
            psqt: 0,
            one: 127,
            order: PerspectiveOrder::SideToMove,
            separate: false,
        },
        &buffers,
        &[layer],
    ));
}

/// Random activations of at most `max`, padding of at most 127.
fn random_bytes<const NB: usize>(random: &mut Random, max: i32, len: usize) -> Bytes<NB> {
    let mut bytes = Bytes::zeroed();
    for (i, x) in bytes.0.iter_mut().enumerate() {
        let end = if i < len { max } else { 127 };
        *x = if random.below(8) == 0 { end as u8 } else { random.below(end as usize + 1) as u8 };
    }
    bytes
}

/// The values of the segments, one after the other.
fn inputs(buffers: [&[u8]; 3]) -> Vec<u8> {
    SEGMENTS.iter().zip(buffers).flat_map(|(segment, x)| x[segment.start..][..segment.len].to_vec()).collect()
}

struct Dense(AvailableLevel);

impl Dense {
    /// `BLOCKS` = 10 + 3 + 18.
    #[inline(always)]
    fn check<S: Simd, const OUT: usize, const OUTP: usize>(&self, simd: S, random: &mut Random) {
        for max in [127, 255] {
            with_net(max, OUT, LayerKind::Dense, |net| {
                let layer = random_layer::<128, OUT, 3, 31, OUTP>(net, self.0, random);
                let x: Bytes<64> = random_bytes(random, max, 40);
                let y: Bytes<64> = random_bytes(random, max, 24);
                let z: Bytes<128> = random_bytes(random, max, 96);
                let values = inputs([&x.0, &y.0, &z.0]);
                for stack in 0..3 {
                    let sums = affine_bias(&layer, stack);
                    let sums = affine_add::<S, 64, 0, 10, 0, _, _, _, _, _>(simd, sums, &x, &layer, stack);
                    let sums = affine_add::<S, 64, 0, 3, 10, _, _, _, _, _>(simd, sums, &y, &layer, stack);
                    let sums = affine_add::<S, 128, 1, 18, 13, _, _, _, _, _>(simd, sums, &z, &layer, stack);
                    for (o, weights) in layer.weight[stack].iter().enumerate() {
                        let expected = naive_sum(layer.bias[stack][o], weights, &values);
                        assert_eq!(sums.get(o), expected, "{} output {o} of {OUT}, {:?}", self.0, layer.dot(stack));
                    }
                }
            });
        }
    }
}

impl Task for Dense {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let mut random = Random(1);
        for _ in 0..20 {
            self.check::<S, 8, 16>(simd, &mut random);
            self.check::<S, 24, 32>(simd, &mut random);
            self.check::<S, 40, 48>(simd, &mut random);
            self.check::<S, 160, 160>(simd, &mut random);
        }
    }
}

#[test]
fn dense_layers_match_naive_sums() {
    at_all_levels(Dense);
}

struct Row(AvailableLevel);

impl Task for Row {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let mut random = Random(2);
        for max in [127, 255].repeat(50) {
            with_net(max, 1, LayerKind::Row, |net| {
                let layer = random_row::<128, 2, 256>(net, self.0, &mut random);
                let x: Bytes<64> = random_bytes(&mut random, max, 40);
                let y: Bytes<64> = random_bytes(&mut random, max, 24);
                let z: Bytes<128> = random_bytes(&mut random, max, 96);
                let values = inputs([&x.0, &y.0, &z.0]);
                for stack in 0..2 {
                    let sum = row_bias(&layer, stack);
                    let sum = row_add::<S, 64, 0, _, _, _>(simd, sum, &x, &layer, stack);
                    let sum = row_add::<S, 64, 64, _, _, _>(simd, sum, &y, &layer, stack);
                    let sum = row_add::<S, 128, 128, _, _, _>(simd, sum, &z, &layer, stack);
                    let expected = naive_sum(layer.bias[stack][0], &layer.weight[stack][0], &values);
                    assert_eq!(sum, expected, "{} {:?}", self.0, layer.dot());
                }
            });
        }
    }
}

#[test]
fn rows_match_naive_sums() {
    at_all_levels(Row);
}
