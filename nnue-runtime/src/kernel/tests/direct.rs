//! Layers that read the accumulators directly, with various weights and scales.

use core::marker::PhantomData;

use nnue_spec::{
    AccumulatorDesc, Activation, LayerDesc, LayerKind, NetDesc, PerspectiveOrder, StepDesc,
};

use super::net;
use crate::direct::DirectLayer;
use crate::kernel::{direct_crelu, direct_pairwise, direct_screlu};
use crate::memory::Number;
use crate::simd::{AvailableLevel, Level, Simd, Task, dispatch};
use crate::testing::Random;

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Values<const W: usize>([i16; W]);

/// `bias + sum / d`, clamped to 32 bits.
fn naive(
    activation: Activation,
    one: i64,
    bias: i64,
    weights: &[i16],
    accumulators: [&[i16]; 2],
) -> i32 {
    let clamped = |value: &i16| i64::from(*value).clamp(0, one);
    let activated = accumulators.iter().flat_map(|half| {
        let partner = |at: usize| half[(at + half.len() / 2) % half.len()];
        (0..activation.values(half.len())).map(move |at| match activation {
            Activation::Crelu => clamped(&half[at]),
            Activation::Screlu => clamped(&half[at]) * clamped(&half[at]),
            Activation::Pairwise => clamped(&half[at]) * clamped(&partner(at)),
            other => panic!("{other:?} has no such kernel"),
        })
    });
    let sum: i64 = activated
        .zip(weights)
        .map(|(value, &weight)| value * i64::from(weight))
        .sum();
    let sum = if activation == Activation::Crelu {
        sum
    } else {
        sum / one
    };
    (sum + bias).clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

/// A kernel of two perspectives and two stacks.
trait Kernel {
    const ACTIVATION: Activation;

    fn output<S: Simd, B: Number + Into<i64>, const W: usize, const IN: usize, const ONE: i16>(
        simd: S,
        accumulators: [&[i16; W]; 2],
        layer: &DirectLayer<B, IN, 2>,
        stack: usize,
    ) -> i32;
}

macro_rules! kernels {
    ($($name:ident $function:ident)*) => {
        $(
            struct $name;

            impl Kernel for $name {
                const ACTIVATION: Activation = Activation::$name;

                #[inline(always)]
                fn output<S: Simd, B: Number + Into<i64>, const W: usize, const IN: usize, const ONE: i16>(
                    simd: S,
                    accumulators: [&[i16; W]; 2],
                    layer: &DirectLayer<B, IN, 2>,
                    stack: usize,
                ) -> i32 {
                    $function::<S, B, W, 2, ONE, IN, 2>(simd, accumulators, layer, stack)
                }
            }
        )*
    };
}

kernels! {
    Crelu direct_crelu
    Screlu direct_screlu
    Pairwise direct_pairwise
}

struct Output<'a, K, B: Number, const W: usize, const IN: usize, const ONE: i16> {
    accumulators: [&'a [i16; W]; 2],
    layer: &'a DirectLayer<B, IN, 2>,
    stack: usize,
    kernel: PhantomData<K>,
}

impl<K: Kernel, B: Number + Into<i64>, const W: usize, const IN: usize, const ONE: i16> Task
    for Output<'_, K, B, W, IN, ONE>
{
    type Output = i32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> i32 {
        K::output::<S, B, W, IN, ONE>(simd, self.accumulators, self.layer, self.stack)
    }
}

fn check<
    K: Kernel,
    B: Number + Into<i64> + TryFrom<i32>,
    const W: usize,
    const IN: usize,
    const ONE: i16,
>(
    level: AvailableLevel,
    random: &mut Random,
) {
    let layers = [LayerDesc::new(
        "fc0",
        &[],
        [IN, IN, 1],
        LayerKind::Direct,
        64,
    )];
    let steps = [StepDesc::AffineDirect {
        activation: K::ACTIVATION,
        layer: 0,
    }];
    let (one, order) = (ONE.into(), PerspectiveOrder::SideToMove);
    let accumulator = AccumulatorDesc {
        width: W,
        perspectives: 2,
        psqt: 0,
        psqt_floats: 0,
        one,
        order,
        separate: false,
        nonzero: 16,
    };
    let net = NetDesc {
        steps: &steps,
        ..net(accumulator, &[], &layers)
    };
    for magnitude in [126, 128, 700, 32767] {
        let mut layer = DirectLayer::<B, IN, 2>::zeroed();
        let one_sign = random.below(3) == 0;
        for weight in layer.weight.flat_mut() {
            let drawn = random.below(2 * magnitude + 1) as i32 - magnitude as i32;
            *weight = if one_sign {
                magnitude as i16
            } else {
                drawn as i16
            };
        }
        for bias in layer.bias.flat_mut() {
            *bias = B::try_from(random.i16().into()).unwrap_or_else(|_| panic!("16 bits fit"));
        }
        layer.prepare(&net, 0, level.level());
        let values: [Values<W>; 2] = core::array::from_fn(|_| {
            Values(core::array::from_fn(|_| {
                random.i16() / random.of(&[1, 16, 64])
            }))
        });
        let accumulators = values.each_ref().map(|values| &values.0);
        for stack in 0..2 {
            let (bias, weights) = (layer.bias[stack][0].into(), &layer.weight[stack][0]);
            let output: Output<'_, K, B, W, IN, ONE> = Output {
                accumulators,
                layer: &layer,
                stack,
                kernel: PhantomData,
            };
            assert_eq!(
                dispatch(level, output),
                naive(
                    K::ACTIVATION,
                    ONE.into(),
                    bias,
                    weights,
                    accumulators.map(|half| half.as_slice())
                ),
                "{level} {:?} @ {ONE}, weights up to {magnitude}: {} planes, runs {:?}",
                K::ACTIVATION,
                layer.weights(0).planes(),
                layer.weights(0).runs()
            );
        }
    }
}

/// The expected output, computed value by value.
fn check_values<K: Kernel>(level: AvailableLevel, random: &mut Random) {
    check::<K, i16, 32, 64, 255>(level, random);
    check::<K, i16, 160, 320, 181>(level, random);
    check::<K, i32, 96, 192, 256>(level, random);
    check::<K, i16, 160, 320, 403>(level, random);
    check::<K, i32, 1024, 2048, 255>(level, random);
    check::<K, i32, 96, 192, 2895>(level, random);
}

#[test]
fn direct_layers_match_naive_sums() {
    for level in Level::available() {
        let mut random = Random(4);
        for _ in 0..4 {
            check_values::<Crelu>(level, &mut random);
            check_values::<Screlu>(level, &mut random);
            // each input is a product of two values of a half
            check::<Pairwise, i16, 64, 64, 255>(level, &mut random);
            check::<Pairwise, i16, 320, 320, 181>(level, &mut random);
            check::<Pairwise, i32, 192, 192, 362>(level, &mut random);
            check::<Pairwise, i32, 1536, 1536, 255>(level, &mut random);
            check::<Pairwise, i32, 192, 192, 2895>(level, &mut random);
        }
    }
}

#[test]
fn weights_of_trained_networks_need_neither_planes_nor_runs() {
    let layers = [LayerDesc::new(
        "fc0",
        &[],
        [2048, 2048, 1],
        LayerKind::Direct,
        64,
    )];
    let steps = [StepDesc::AffineDirect {
        activation: Activation::Screlu,
        layer: 0,
    }];
    let accumulator = AccumulatorDesc {
        width: 1024,
        perspectives: 2,
        psqt: 0,
        psqt_floats: 0,
        one: 255,
        order: PerspectiveOrder::SideToMove,
        separate: false,
        nonzero: 16,
    };
    let net = NetDesc {
        steps: &steps,
        ..net(accumulator, &[], &layers)
    };
    let prepared = |weight: i16| {
        let mut layer = DirectLayer::<i16, 2048, 1>::zeroed();
        layer
            .weight
            .flat_mut()
            .iter_mut()
            .step_by(16)
            .for_each(|w| *w = weight);
        layer.prepare(&net, 0, Level::Scalar);
        (layer.weights(0).planes(), layer.weights(0).runs().len())
    };
    assert_eq!(prepared(127), (1, 0));
    assert_eq!(prepared(128), (1, 0));
    assert_eq!(prepared(129), (2, 0));
    let mut all = DirectLayer::<i16, 2048, 1>::zeroed();
    all.weight.flat_mut().fill(127);
    all.prepare(&net, 0, Level::Scalar);
    assert!(
        all.weights(0).runs().len() > 2,
        "sums of 2048 such products leave 32 bits"
    );
}
