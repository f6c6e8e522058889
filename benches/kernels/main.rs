//! `cargo bench --bench kernels [-- FILTER]`: the kernels one by one, on every level of this processor.
//!
//! Names are `kernel/level/shape`, as in `affine_sparse/avx2/1024x16`. Before a kernel is measured on a level, its result is
//! compared with that of the level `scalar`. See `benches/README.md`.

mod planes;
mod wide;

use std::hint::black_box;
use std::time::Duration;

use criterion::Criterion;
use nnue::stockfish::{Sfnnv5, Sfnnv9};
use nnue::{Architecture, AvailableLevel, Level, Model};
use nnue_runtime::kernel::{self, AtBlock, AtByte, Blocks, One, Readers, Shr};
use nnue_runtime::layer::{Layer, RowLayer};
use nnue_runtime::memory::{Bytes, Sparse, Sums};
use nnue_runtime::simd::{Simd, Task, dispatch};
use nnue_runtime::transform::{Frame, RowChanges, Transform};
use nnue_runtime::transformer::{Accumulator, FeatureTransformer};

/// Pseudo-random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    /// From `-magnitude` to `magnitude - 1`.
    fn around_zero(&mut self, magnitude: i64) -> i64 {
        self.below(2 * magnitude as u64) as i64 - magnitude
    }
}

/// A kernel with its operands, prepared for a level.
trait Case {
    /// Runs the kernel.
    fn run(&mut self);
    /// The result of the last run, as numbers that are the same on every level.
    fn result(&self) -> Vec<i32>;
}

/// Measures a kernel on every level.
fn measure<C: Case>(
    criterion: &mut Criterion,
    kernel: &str,
    shape: &str,
    make: impl Fn(AvailableLevel) -> C,
) {
    let result = |level| {
        let mut case = make(level);
        case.run();
        case.result()
    };
    for level in Level::available() {
        criterion.bench_function(&format!("{kernel}/{level}/{shape}"), |bencher| {
            let scalar = Level::Scalar.check().expect("every processor has it");
            assert_eq!(
                result(level),
                result(scalar),
                "{kernel} {shape} on {level} differs from scalar"
            );
            let mut case = make(level);
            bencher.iter(|| black_box(&mut case).run());
        });
    }
}

/// Two accumulators of which `percent` percent of the values are positive. Activation and first layer are measured together, because
/// the order of the activations differs between levels.
struct First<const W: usize, const BLOCKS: usize, const CAP: usize> {
    level: AvailableLevel,
    accumulators: [Box<Accumulator<W, 8>>; 2],
    x: Sparse<W, CAP>,
    layer: Layer<W, 16, 8, BLOCKS, 16>,
    sums: Sums<16>,
    activates: bool,
}

impl<const W: usize, const BLOCKS: usize, const CAP: usize> First<W, BLOCKS, CAP> {
    fn new<A: Architecture>(level: AvailableLevel, percent: u64, activates: bool) -> Self {
        let mut random = Random(1);
        let mut layer = Layer::zeroed();
        layer
            .weight
            .flat_mut()
            .iter_mut()
            .for_each(|w| *w = random.around_zero(30) as i8);
        layer.prepare(&A::SPEC, 0, level.level());
        let accumulators = [0, 1].map(|_| {
            let mut accumulator = Box::new(Accumulator::zeroed());
            accumulator.values.iter_mut().for_each(|value| {
                let positive = random.below(100) < percent;
                *value = if positive {
                    20 + random.below(120) as i16
                } else {
                    -(random.below(200) as i16)
                };
            });
            accumulator
        });
        let mut case = Self {
            level,
            accumulators,
            x: Sparse::new(),
            layer,
            sums: Sums::zeroed(),
            activates,
        };
        case.activate();
        case
    }

    fn activate(&mut self) {
        dispatch(
            self.level,
            Activate {
                accumulators: &self.accumulators,
                x: &mut self.x,
            },
        );
    }
}

impl<const W: usize, const BLOCKS: usize, const CAP: usize> Case for First<W, BLOCKS, CAP> {
    fn run(&mut self) {
        if self.activates {
            self.activate();
        } else {
            self.sums = dispatch(
                self.level,
                Affine {
                    x: &self.x,
                    layer: &self.layer,
                },
            );
        }
    }

    fn result(&self) -> Vec<i32> {
        dispatch(
            self.level,
            Affine {
                x: &self.x,
                layer: &self.layer,
            },
        )
        .values()
        .to_vec()
    }
}

struct Activate<'a, const W: usize, const CAP: usize> {
    accumulators: &'a [Box<Accumulator<W, 8>>; 2],
    x: &'a mut Sparse<W, CAP>,
}

impl<const W: usize, const CAP: usize> Task for Activate<'_, W, CAP> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let halves = self
            .accumulators
            .each_ref()
            .map(|accumulator| &accumulator.values);
        kernel::activate_pairwise(simd, halves, self.x, One::<127>, Shr::<7>, Readers::<16>);
    }
}

struct Affine<'a, const W: usize, const BLOCKS: usize, const CAP: usize> {
    x: &'a Sparse<W, CAP>,
    layer: &'a Layer<W, 16, 8, BLOCKS, 16>,
}

impl<const W: usize, const BLOCKS: usize, const CAP: usize> Task for Affine<'_, W, BLOCKS, CAP> {
    type Output = Sums<16>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Sums<16> {
        kernel::affine_sparse(simd, self.x, self.layer, 3)
    }
}

/// Everything after the first layer of SFNNv5.
struct Head {
    level: AvailableLevel,
    sums: Sums<16>,
    fc1: Layer<32, 32, 8, 8, 32>,
    fc2: RowLayer<32, 8, 64>,
    output: i32,
}

impl Head {
    fn new(level: AvailableLevel) -> Self {
        let mut random = Random(2);
        let (mut fc1, mut fc2) = (
            Layer::<32, 32, 8, 8, 32>::zeroed(),
            RowLayer::<32, 8, 64>::zeroed(),
        );
        fc1.bias
            .flat_mut()
            .iter_mut()
            .for_each(|bias| *bias = random.around_zero(4000) as i32);
        fc1.weight
            .flat_mut()
            .iter_mut()
            .for_each(|w| *w = random.around_zero(60) as i8);
        fc2.weight
            .flat_mut()
            .iter_mut()
            .for_each(|w| *w = random.around_zero(60) as i8);
        fc1.prepare(&Sfnnv5::SPEC, 1, level.level());
        fc2.prepare(&Sfnnv5::SPEC, 2, level.level());
        // The biases of the first outputs are used as sums of the layer before.
        let sums: [i32; 16] = fc1.bias[0][..16].try_into().expect("sixteen of 32");
        Self {
            level,
            sums: sums.into(),
            fc1,
            fc2,
            output: 0,
        }
    }
}

impl Case for Head {
    fn run(&mut self) {
        self.output = dispatch(self.level, HeadTask(self));
    }

    fn result(&self) -> Vec<i32> {
        vec![self.output]
    }
}

struct HeadTask<'a>(&'a Head);

impl Task for HeadTask<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> i32 {
        let Head { sums, fc1, fc2, .. } = self.0;
        let a1: Bytes<64> = kernel::sqr_crelu(simd, sums, Shr::<19>);
        let a2: Bytes<64> = kernel::crelu(simd, sums, Shr::<6>);
        let h2 = kernel::affine_bias(fc1, 3);
        let h2 = kernel::affine_add(simd, h2, &a1, fc1, 3, Blocks::<0, 4>, AtBlock::<0>);
        let h2 = kernel::affine_add(simd, h2, &a2, fc1, 3, Blocks::<0, 4>, AtBlock::<4>);
        let a3: Bytes<64> = kernel::crelu(simd, &h2, Shr::<6>);
        kernel::row_add(simd, kernel::row_bias(fc2, 3), &a3, fc2, 3, AtByte::<0>)
    }
}

/// Adding and subtracting rows of few features, so that they stay in the cache.
struct Rows<const W: usize> {
    level: AvailableLevel,
    transformer: FeatureTransformer<W, 8, 64>,
    start: Box<Accumulator<W, 8>>,
    target: Box<Accumulator<W, 8>>,
    adds: Vec<u32>,
    subs: Vec<u32>,
}

impl<const W: usize> Rows<W> {
    fn new(level: AvailableLevel, adds: u32, subs: u32) -> Self {
        let mut random = Random(3);
        let mut transformer = FeatureTransformer::zeroed();
        transformer
            .weight
            .flat_mut()
            .iter_mut()
            .for_each(|w| *w = random.around_zero(300) as i16);
        transformer
            .psqt
            .flat_mut()
            .iter_mut()
            .for_each(|w| *w = random.around_zero(9000) as i32);
        let [start, target] = [0, 1].map(|_| Box::new(Accumulator::zeroed()));
        Self {
            level,
            transformer,
            start,
            target,
            adds: (0..adds).collect(),
            subs: (40..40 + subs).collect(),
        }
    }
}

impl<const W: usize> Case for Rows<W> {
    fn run(&mut self) {
        let frame = Frame::Step {
            source: &*self.start,
            target: &mut *self.target,
        };
        self.transformer.pass(
            self.level,
            frame,
            RowChanges::pieces(&self.adds, &self.subs),
        );
    }

    fn result(&self) -> Vec<i32> {
        self.target
            .values
            .iter()
            .map(|&value| value.into())
            .chain(self.target.psqt)
            .collect()
    }
}

fn main() {
    let criterion = &mut Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(600))
        .configure_from_args();
    // Half of the blocks of SFNNv5 and a quarter of those of SFNNv9 are not zero.
    for (kernel, activates) in [("activate_pairwise", true), ("affine_sparse", false)] {
        measure(criterion, kernel, "1024x16", |level| {
            First::<1024, 256, 272>::new::<Sfnnv5>(level, 41, activates)
        });
        measure(criterion, kernel, "3072x16", |level| {
            First::<3072, 768, 784>::new::<Sfnnv9>(level, 29, activates)
        });
    }
    measure(criterion, "head", "16x32x1", Head::new);
    for (adds, subs) in [(1, 1), (1, 2), (2, 2), (30, 0)] {
        let shape = |width: usize| format!("{width}+{adds}-{subs}");
        measure(criterion, "rows", &shape(1024), |level| {
            Rows::<1024>::new(level, adds, subs)
        });
        measure(criterion, "rows", &shape(3072), |level| {
            Rows::<3072>::new(level, adds, subs)
        });
    }
    wide::measure_all(criterion);
    planes::measure_all(criterion);
    criterion.final_summary();
}
