//! A layer of 1024 inputs and 256 outputs with weights of 8 bits, of signs and of floats: `dense`, `binary`, `float`.
//!
//! Their weights take 256, 32 and 1024 KB; `dense` has the form that the level chooses. The inputs are ready in each layer's form; `binary` also has the sums of signs that are scaled.

use criterion::Criterion;
use nnue::AvailableLevel;
use nnue::spec::{
    AccumulatorDesc, BufferDesc, ContainerDesc, CustomDesc, Encoding, LayerDesc, LayerKind,
    NetDesc, OutputDesc, PerspectiveOrder, Segment, Selector, SignOf, Source, StackDesc, ValueDesc,
};
use nnue_runtime::binary::BinaryLayer;
use nnue_runtime::float::FloatLayer;
use nnue_runtime::kernel::{self, Room, Shr};
use nnue_runtime::layer::Layer;
use nnue_runtime::memory::{Bytes, Floats, Signs, Sums};
use nnue_runtime::simd::{Simd, Task, dispatch};

use super::{Case, Random, measure};

const IN: usize = 1024;
const OUT: usize = 256;

/// The three layers, of which each reads a buffer of its own.
const NET: NetDesc<'static> = NetDesc {
    name: "Wide",
    notation: "",
    features: &[],
    accumulator: AccumulatorDesc {
        width: 32,
        perspectives: 1,
        psqt: 0,
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
    buffers: &[
        BufferDesc::new("bytes", IN, 127, Source::Layer(0)),
        BufferDesc::new("signs", IN, 1, Source::Signs(SignOf::Layer(0))),
        BufferDesc::new("floats", IN, 1, Source::Float(0)),
    ],
    layers: &[
        LayerDesc::new(
            "dense",
            &[Segment::new(0, 0, IN)],
            [IN, IN, OUT],
            LayerKind::Dense,
            64,
        ),
        LayerDesc::new(
            "binary",
            &[Segment::new(1, 0, IN)],
            [IN, IN / 8, OUT],
            LayerKind::Binary,
            64,
        ),
        LayerDesc::new(
            "float",
            &[Segment::new(2, 0, IN)],
            [IN, IN, OUT],
            LayerKind::Float {
                partial: 0,
                fused: true,
            },
            1,
        ),
    ],
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
};

/// The layers with random weights and inputs.
struct Wide {
    level: AvailableLevel,
    bytes: Bytes<IN>,
    signs: Signs<{ IN / 32 }>,
    floats: Floats<IN>,
    dense: Layer<IN, OUT, 1, { IN / 4 }, OUT>,
    binary: BinaryLayer<{ IN / 8 }, OUT, 1, { IN / 32 }, OUT>,
    float: FloatLayer<IN, OUT, 1, OUT>,
}

impl Wide {
    fn new(level: AvailableLevel) -> Self {
        let mut random = Random(4);
        let (mut dense, mut binary, mut float) =
            (Layer::zeroed(), BinaryLayer::zeroed(), FloatLayer::zeroed());
        dense
            .weight
            .flat_mut()
            .iter_mut()
            .for_each(|w| *w = random.around_zero(60) as i8);
        binary
            .weight
            .flat_mut()
            .iter_mut()
            .for_each(|w| *w = random.below(256) as i8);
        binary
            .scale
            .flat_mut()
            .iter_mut()
            .for_each(|scale| *scale = 1 + random.below(500) as i16);
        float
            .weight
            .flat_mut()
            .iter_mut()
            .for_each(|w| *w = random.around_zero(1000) as f32 / 1000.0);
        dense.prepare(&NET, 0, level.level());
        binary.prepare(&NET, 1, level.level());
        float.prepare(&NET, 2, level.level());
        let sums: [i32; IN] = core::array::from_fn(|_| random.around_zero(16000) as i32);
        let sums = dispatch(level, Inputs(&sums.into()));
        Self {
            level,
            bytes: sums.0,
            signs: sums.1,
            floats: sums.2,
            dense,
            binary,
            float,
        }
    }
}

/// Sums of a layer before, as each of the layers reads them.
struct Inputs<'a>(&'a Sums<IN>);

impl Task for Inputs<'_> {
    type Output = (Bytes<IN>, Signs<{ IN / 32 }>, Floats<IN>);

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let floats = kernel::float_sums::<S, true, IN, IN>(simd, self.0, &[0.0; IN], 1.0 / 8128.0);
        let floats = kernel::float_crelu(simd, &floats);
        (
            kernel::crelu(simd, self.0, Shr::<6>),
            kernel::sign_sums::<S, IN, IN, { IN / 32 }>(simd, self.0),
            floats,
        )
    }
}

/// Which layer is measured.
#[derive(Clone, Copy)]
enum Weights {
    Bytes,
    Signs,
    Floats,
}

/// A layer, and its sums of the last run.
struct Timed {
    wide: Box<Wide>,
    weights: Weights,
    sums: Sums<OUT>,
    floats: Floats<OUT>,
}

impl Case for Timed {
    fn run(&mut self) {
        match self.weights {
            Weights::Bytes => self.sums = dispatch(self.wide.level, Dense(&self.wide)),
            Weights::Signs => self.sums = dispatch(self.wide.level, Binary(&self.wide)),
            Weights::Floats => self.floats = dispatch(self.wide.level, Float(&self.wide)),
        }
    }

    fn result(&self) -> Vec<i32> {
        let floats = self
            .floats
            .values()
            .iter()
            .map(|y| y.to_bits().cast_signed());
        self.sums.values().iter().copied().chain(floats).collect()
    }
}

struct Dense<'a>(&'a Wide);

impl Task for Dense<'_> {
    type Output = Sums<OUT>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Sums<OUT> {
        let Wide { bytes, dense, .. } = self.0;
        kernel::affine_hidden(simd, bytes, dense, 0, Room::<{ IN / 4 + 16 }>)
    }
}

struct Binary<'a>(&'a Wide);

impl Task for Binary<'_> {
    type Output = Sums<OUT>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Sums<OUT> {
        kernel::affine_binary(simd, &self.0.signs, &self.0.binary, 0)
    }
}

struct Float<'a>(&'a Wide);

impl Task for Float<'_> {
    type Output = Floats<OUT>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Floats<OUT> {
        kernel::affine_float::<S, true, 0, _, _, _, _, _>(simd, &self.0.floats, &self.0.float, 0)
    }
}

/// All three, so that one run compares them.
pub(super) fn measure_all(criterion: &mut Criterion) {
    for (name, weights) in [
        ("dense", Weights::Bytes),
        ("binary", Weights::Signs),
        ("float", Weights::Floats),
    ] {
        measure(criterion, name, "1024x256", |level| {
            let (sums, floats) = (Sums::zeroed(), Floats::zeroed());
            Timed {
                wide: Box::new(Wide::new(level)),
                weights,
                sums,
                floats,
            }
        });
    }
}
