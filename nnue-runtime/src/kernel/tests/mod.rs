//! Compares every kernel, at every level that this processor has, with loops that follow the
//! definitions.

/// Declares the call of a kernel as a task. Only the call is compiled for each level, with the
/// level's features, as in a network; the checks of the result are compiled once.
macro_rules! call {
    ($name:ident<$lifetime:lifetime $(, const $constant:ident: $of:ty)*> { $($field:ident: $type:ty),* } -> $output:ty,
     $simd:ident: $S:ident => $body:expr) => {
        struct $name<$lifetime $(, const $constant: $of)*> {
            $($field: $type),*
        }

        impl<$lifetime $(, const $constant: $of)*> $crate::simd::Task for $name<$lifetime $(, $constant)*> {
            type Output = $output;

            #[inline(always)]
            fn run<$S: $crate::simd::Simd>(self, $simd: $S) -> $output {
                let Self { $($field),* } = self;
                $body
            }
        }
    };
}

mod activation;
mod binary;
mod block_sparse;
mod dense;
mod direct;
mod float;
mod integers;
mod pool;
mod rows;
mod sums;
mod words;

use nnue_spec::{
    AccumulatorDesc, BufferDesc, ContainerDesc, CustomDesc, Encoding, LayerDesc, LayerKind,
    NetDesc, OutputDesc, PerspectiveOrder, Segment, Selector, StackDesc, ValueDesc,
};

use crate::layer::{Layer, RowLayer};
use crate::simd::{AvailableLevel, Level, Task, dispatch};
use crate::testing::Random;

/// A network with one layer, which reads all of `buffer`.
fn with_layer(
    buffer: BufferDesc<'_>,
    outputs: usize,
    kind: LayerKind,
    f: impl FnOnce(&NetDesc<'_>),
) {
    let inputs = buffer.len;
    let segments = [Segment {
        buffer: 0,
        start: 0,
        len: inputs,
    }];
    let layer = LayerDesc {
        name: "fc1",
        segments: &segments,
        inputs,
        file_inputs: inputs,
        outputs,
        kind,
        scale: 1,
        shards: None,
    };
    f(&net(ACCUMULATOR, &[buffer], &[layer]));
}

fn at_all_levels(task: impl Task<Output = ()> + Copy) {
    Level::available().for_each(|level| dispatch(level, task));
}

/// The accumulator of networks whose layers do not read it.
const ACCUMULATOR: AccumulatorDesc = AccumulatorDesc {
    width: 32,
    perspectives: 2,
    psqt: 0,
    psqt_floats: 0,
    one: 127,
    order: PerspectiveOrder::SideToMove,
    separate: false,
    nonzero: 16,
};

/// A network with only buffers and layers.
fn net<'a>(
    accumulator: AccumulatorDesc,
    buffers: &'a [BufferDesc<'a>],
    layers: &'a [LayerDesc<'a>],
) -> NetDesc<'a> {
    NetDesc {
        name: "Test",
        notation: "",
        features: &[],
        accumulator,
        stacks: StackDesc {
            count: 1,
            selector: Selector::Single,
        },
        buffers,
        layers,
        maps: &[],
        steps: &[],
        output: OutputDesc {
            terms: &[],
            ratio: None,
        },
        heads: &[],
        value: ValueDesc::Together { divide: 16 },
        tensors: &[],
        container: ContainerDesc {
            version: 0,
            transformer_hash: 0,
            stack_hash: 0,
            encoding: Encoding::Raw,
        },
        raw: None,
        goldens: &[],
        head_goldens: &[],
        custom: CustomDesc::NONE,
    }
}

/// Fills in weights of a random magnitude and random biases. Padding columns get random weights too.
fn fill(weights: &mut [i8], bias: &mut [i32], random: &mut Random) {
    let magnitude = random.of(&[3, 30, 64, 127, 128]);
    weights
        .iter_mut()
        .for_each(|w| *w = (random.below(2 * magnitude) as i32 - magnitude as i32) as i8);
    bias.iter_mut().for_each(|b| *b = random.i32());
}

/// `bias + sum of weight * x`, wrapping.
fn naive_sum(bias: i32, weights: &[i8], x: &[u8]) -> i32 {
    weights.iter().zip(x).fold(bias, |sum, (&w, &x)| {
        sum.wrapping_add(i32::from(w) * i32::from(x))
    })
}

/// A layer with random weights, prepared.
fn random_layer<
    const FILE_IN: usize,
    const OUT: usize,
    const STACKS: usize,
    const BLOCKS: usize,
    const OUTP: usize,
>(
    net: &NetDesc,
    level: AvailableLevel,
    random: &mut Random,
) -> Layer<FILE_IN, OUT, STACKS, BLOCKS, OUTP> {
    let mut layer = Layer::zeroed();
    fill(layer.weight.flat_mut(), layer.bias.flat_mut(), random);
    layer.prepare(net, 0, level.level());
    layer
}

/// A layer of one output with random weights, prepared.
fn random_row<const FILE_IN: usize, const STACKS: usize, const BYTES: usize>(
    net: &NetDesc,
    level: AvailableLevel,
    random: &mut Random,
) -> RowLayer<FILE_IN, STACKS, BYTES> {
    let mut layer = RowLayer::zeroed();
    fill(layer.weight.flat_mut(), layer.bias.flat_mut(), random);
    layer.prepare(net, 0, level.level());
    layer
}
