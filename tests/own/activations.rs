//! Activations of the user's own: functions and kernels, of accumulators, of sums and of floats, in both forms of a declaration.
//! The interpreter is given the same functions, written in another way.

use nnue::activation::{Activation, check};
use nnue::simd::Simd;
use nnue::spec::reference::{self, CustomActivation, CustomActivations};
use nnue::spec::{RawOutput, TensorMut};
use nnue::{AccumulatorStack, Architecture, Level, Model, Network, Parameters, nnue};
use nnue_testkit::games::{position, suite_fens};
use nnue_testkit::random::Random;
use nnue_tools::bounds::prove;

use crate::chess::reference_board;

/// Of an accumulator: half of it, with a value at zero that is not zero.
fn lifted(a: i16) -> u8 {
    (i32::from(a) / 2 + 9).clamp(0, 255) as u8
}

/// Of an accumulator, as a kernel: its absolute value.
#[derive(Clone, Copy)]
struct Distance;

impl Activation<i16> for Distance {
    fn of(self, a: i16) -> u8 {
        a.unsigned_abs().min(255) as u8
    }

    #[inline(always)]
    fn vector<S: Simd>(self, simd: S, a: S::I16) -> S::I16 {
        // i16::MIN has no opposite, so values are at least -i16::MAX.
        let a = simd.max_i16(a, simd.splat_i16(-i16::MAX));
        simd.max_i16(a, simd.sub_i16(simd.splat_i16(0), a))
    }
}

mod sums {
    //! Of sums of whole numbers.

    use super::{Activation, Simd};

    /// A step: 200 is above the maximum.
    pub(super) fn step(y: i32) -> u8 {
        if y < -400 {
            3
        } else if y < 300 {
            50
        } else {
            200
        }
    }

    /// A hard sigmoid with a slope of its own.
    #[derive(Clone, Copy)]
    pub(super) struct HardSigmoid {
        slope: u32,
    }

    /// The one of the network: a constant is an activation as well.
    pub(super) const HARD_SIGMOID: HardSigmoid = HardSigmoid { slope: 5 };

    impl Activation<i32> for HardSigmoid {
        fn of(self, y: i32) -> u8 {
            ((y >> self.slope) + 64).clamp(0, 127) as u8
        }

        #[inline(always)]
        fn vector<S: Simd>(self, simd: S, y: S::I32) -> S::I32 {
            simd.add_i32(simd.shr_i32(y, self.slope), simd.splat_i32(64))
        }
    }
}

/// Of floats: smooth, and 1 of 0.
fn bell(y: f32) -> f32 {
    1.0 / (1.0 + y * y)
}

/// Of floats, infinite at zero: the zeros that fill up vectors must not count.
fn reciprocal(y: f32) -> f32 {
    (1.0 / y).clamp(-1000.0, f32::INFINITY)
}

/// Of floats, as a kernel: `max(y, y / 8)`.
#[derive(Clone, Copy)]
struct Leaky;

impl Activation<f32> for Leaky {
    fn of(self, y: f32) -> f32 {
        let small = y * 0.125;
        if y > small { y } else { small }
    }

    #[inline(always)]
    fn vector<S: Simd>(self, simd: S, y: S::F32) -> S::F32 {
        simd.max_f32(y, simd.mul_f32(y, simd.splat_f32(0.125)))
    }
}

/// Of an accumulator, for layers of floats.
fn slope(a: i16) -> f32 {
    f32::from(a) / 100.0
}

nnue! {
    /// Functions and a kernel of bytes.
    pub(crate) struct Bytes = Chess768[..] -> 64x2 @ 255 self::lifted max 100
        -> (17: i8 self::sums::HARD_SIGMOID max 90 -> 32 step_of_sums max 120 -> 1)x8;

    /// A kernel of accumulators, a width that is not a multiple of wide vectors, one perspective.
    pub(crate) struct Distances = Chess768[mirrored] -> 96 self::Distance -> 8 self::sums::step -> 1;

    /// Two activations of the same sums, parts of them, the same function with two maxima, and an output that reads accumulators.
    pub(crate) struct Graph {
        acc = accumulate(Chess768[..], 64) x 2;
        let x = lifted(acc) max 70;
        let h1 = affine(x, 16);
        let a1 = concat(self::sums::step(h1[..15]), crelu(h1), self::sums::step(h1)[3..] , step_of_sums(h1) max 60);
        let h2 = affine(a1, 20);
        output affine(concat(self::sums::HARD_SIGMOID(h2), sqr_crelu(h2)), 1) + affine(x, 1) * 3 / 2;
    }

    /// Of floats.
    pub(crate) struct Floats = Chess768[..] -> 64x2 @ 255 pairwise
        -> (13: i8 self::bell -> 21: f32 self::Leaky -> 18: f32 self::bell -> 1: f32 sums 16)x2;

    /// Infinities at zero: 13 sums do not fill vectors.
    pub(crate) struct Reciprocals = (768 -> 32)x2 @ 255 self::slope -> 13: f32 self::reciprocal -> 1: f32 sums 4 { floats fused; };
}

fn step_of_sums(y: i32) -> u8 {
    sums::step(y)
}

/// The same functions, written in another way.
fn own() -> [(&'static str, CustomActivation<'static>); 9] {
    const LIFTED: CustomActivation<'_> =
        CustomActivation::Accumulators(&|a| match i32::from(a).wrapping_div(2) + 9 {
            ..0 => 0,
            value => value.min(255) as u8,
        });
    const STEP: CustomActivation<'_> = CustomActivation::Sums(&|y| match y {
        ..-400 => 3,
        -400..300 => 50,
        _ => 200,
    });
    [
        ("self::lifted", LIFTED),
        ("lifted", LIFTED),
        (
            "self::Distance",
            CustomActivation::Accumulators(&|a| {
                if a < -255 {
                    255
                } else {
                    a.abs().min(255) as u8
                }
            }),
        ),
        ("self::sums::step", STEP),
        ("step_of_sums", STEP),
        (
            "self::sums::HARD_SIGMOID",
            CustomActivation::Sums(&|y| (i64::from(y).div_euclid(32) + 64).clamp(0, 127) as u8),
        ),
        (
            "self::bell",
            CustomActivation::Floats(&|y| (y * y + 1.0).recip()),
        ),
        (
            "self::Leaky",
            CustomActivation::Floats(&|y| if y > y / 8.0 { y } else { y / 8.0 }),
        ),
        (
            "self::slope",
            CustomActivation::FloatInputs(&|a| a as f32 / 100.0),
        ),
    ]
}

/// Weights whose sums are in the range in which activations are not constant.
fn network<A: Architecture>(seed: u64) -> Network<A> {
    let mut params = A::Params::zeroed();
    let mut random = Random::new(seed);
    let mut next = |limit: i32| (random.next() as i32).rem_euclid(2 * limit + 1) - limit;
    for tensor in params.tensors_mut() {
        match tensor {
            TensorMut::I8(weights) => weights
                .iter_mut()
                .for_each(|weight| *weight = next(20) as i8),
            TensorMut::I16(weights) => weights
                .iter_mut()
                .for_each(|weight| *weight = next(40) as i16),
            TensorMut::I32(weights) => weights.iter_mut().for_each(|weight| *weight = next(600)),
            TensorMut::F32(weights) => weights
                .iter_mut()
                .for_each(|weight| *weight = next(1000) as f32 / 1000.0),
        }
    }
    Network::from_params(params)
}

/// Every stack of many positions on every level agrees with the interpreter; `output` compares results that are not part of the value.
fn agrees<A: Architecture>(
    own: CustomActivations<'_>,
    bits: impl Fn(&Network<A>, &shakmaty::Chess) -> Option<u32>,
) {
    let mut network = network::<A>(23);
    let mut values = std::collections::BTreeSet::new();
    for level in Level::available() {
        network = network.with_level(level);
        for fen in suite_fens().iter().step_by(7) {
            let position = position(fen);
            let (tensors, board) = (network.params().tensors(), reference_board(&position));
            let expected = reference::evaluate_custom(&A::SPEC, &tensors, &board, own);
            let trace = network.trace(&position);
            let positional: Vec<i32> = trace
                .buckets
                .iter()
                .map(|bucket| bucket.positional)
                .collect();
            assert_eq!(positional, expected.positional, "{fen}, {level}");
            assert_eq!(
                network
                    .evaluate(&position, &mut AccumulatorStack::new())
                    .value,
                expected.value,
                "{fen}, {level}"
            );
            let accumulators = network.accumulate(&position);
            let layers = network.intermediate(&accumulators, own);
            assert_eq!(layers, expected.stacks[expected.bucket], "{fen}, {level}");
            if let Some(found) = bits(&network, &position) {
                let RawOutput::Float(output) = layers.output(&A::SPEC) else {
                    panic!("the output is a float")
                };
                assert_eq!(found, output.to_bits(), "{fen}, {level}");
            }
            values.insert(expected.value);
        }
    }
    assert!(values.len() > 10, "only {} values", values.len());
}

fn output<A: Architecture<Output = f32>>(
    network: &Network<A>,
    position: &shakmaty::Chess,
) -> Option<u32> {
    Some(network.output_of(&network.accumulate(position)).to_bits())
}

#[test]
fn functions_and_kernels_of_bytes_are_what_they_say() {
    agrees::<Bytes>(&own(), |_, _| None);
    agrees::<Distances>(&own(), |_, _| None);
    agrees::<Graph>(&own(), |_, _| None);
}

#[test]
fn functions_and_kernels_of_floats_are_what_they_say() {
    agrees::<Floats>(&own(), output);
    let reciprocal = (
        "self::reciprocal",
        CustomActivation::Floats(&|y| if 1.0 / y < -1000.0 { -1000.0 } else { 1.0 / y }),
    );
    agrees::<Reciprocals>(&[own()[8], reciprocal], output);
}

#[test]
fn the_maximum_is_that_of_the_declaration() {
    let greatest = |net: nnue::spec::NetDesc<'_>| {
        net.buffers
            .iter()
            .map(|buffer| buffer.max)
            .collect::<Vec<_>>()
    };
    assert_eq!(greatest(Bytes::SPEC), [100, 90, 120]);
    assert_eq!(greatest(Distances::SPEC), [127, 127]);
    assert_eq!(greatest(Graph::SPEC), [70, 127, 127, 60, 127, 127]);
    // The bounds of a layer follow from the maximum: with weights of 1, sums reach 128 times 100.
    let mut params = <Bytes as nnue::Model>::Params::zeroed();
    params
        .fc0
        .weight
        .iter_mut()
        .flatten()
        .flatten()
        .for_each(|weight| *weight = 1);
    let bounds = prove(&Bytes::SPEC, &params.tensors());
    assert_eq!(
        (bounds.layers[0].input_max, bounds.layers[0].sums.max),
        (100, 128 * 100)
    );
    assert_eq!(bounds.layers[1].input_max, 90);
}

#[test]
fn declarations_say_whose_activation_it_is() {
    assert_eq!(Floats::SPEC.custom_activation(), Some("self::bell"));
    assert!(
        Distances::SPEC
            .notation
            .contains("96 self::Distance -> 8 self::sums::step -> 1")
    );
    assert!(
        Distances::SPEC.has_custom_functions()
            && crate::chess::ByQueens::SPEC.has_custom_functions()
    );
    assert_eq!(nnue::stockfish::Sfnnv5::SPEC.custom_activation(), None);
    assert!(!nnue::stockfish::Sfnnv5::SPEC.has_custom_functions());
}

#[test]
fn kernels_are_their_specification() {
    check(Distance, &(i16::MIN..=i16::MAX).collect::<Vec<_>>());
    let extremes = [i32::MIN, i32::MIN + 1, -1, 0, i32::MAX];
    check(
        sums::HARD_SIGMOID,
        &(-6000..6000).chain(extremes).collect::<Vec<_>>(),
    );
    let floats = (0..=u32::MAX).step_by(40_009).map(f32::from_bits);
    check(
        Leaky,
        &floats
            .chain([0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN])
            .collect::<Vec<_>>(),
    );
}

/// A kernel that differs from its function.
#[derive(Clone, Copy)]
struct Wrong;

impl Activation<i32> for Wrong {
    fn of(self, y: i32) -> u8 {
        (y >> 6).clamp(0, 127) as u8
    }

    fn vector<S: Simd>(self, simd: S, y: S::I32) -> S::I32 {
        simd.shr_i32(y, 5)
    }
}

#[test]
#[should_panic(expected = "`vector` makes 2 of 64 at level scalar, `of` makes 1")]
fn a_kernel_that_is_another_function_is_found() {
    check(Wrong, &[0, 31, 64]);
}
