//! Float layers, compared with loops in the declared order.

use nnue_spec::{Activation, BufferDesc, LayerKind, NetDesc, Source};

use super::{at_all_levels, with_layer};
use crate::float::{FloatLayer, FloatRow};
use crate::kernel::{
    affine_float, float_crelu, float_gated, float_glu, float_hard_swish, float_leaky_relu,
    float_reglu, float_relu, float_relu6, float_screlu, float_sigmoid, float_silu, float_sqr_crelu,
    float_sums, float_swiglu, float_tanh, row_float,
};
use crate::memory::{Floats, Sums};
use crate::simd::{AvailableLevel, Level, Simd, Task, dispatch};
use crate::testing::{Random, fused};

/// A weight as in trained networks, a very large or very small one, or now and then a NaN or an infinity.
fn random_float(random: &mut Random, wild: bool) -> f32 {
    let unit = (random.next() as i32 as f32) / (1_u32 << 31) as f32;
    match random.below(if wild { 64 } else { 60 }) {
        0 => 0.0,
        1 => -0.0,
        2 => unit * 1e-42,
        3..60 => unit * 2.0,
        60 => unit * f32::MAX,
        61 => f32::INFINITY,
        62 => f32::NAN,
        _ => f32::from_bits(random.next() as u32),
    }
}

fn fill(weights: &mut [f32], biases: &mut [f32], random: &mut Random, wild: bool) {
    weights
        .iter_mut()
        .chain(biases)
        .for_each(|value| *value = random_float(random, wild));
}

fn multiply_add(fused: bool, a: f32, b: f32, c: f32) -> f32 {
    if fused {
        fused::multiply_add(a, b, c)
    } else {
        a * b + c
    }
}

/// The sum of one output, in the declared order.
fn defined(fused: bool, partial: usize, x: &[f32], w: &[f32], bias: f32) -> f32 {
    if partial == 0 {
        return x
            .iter()
            .zip(w)
            .fold(bias, |sum, (&x, &w)| multiply_add(fused, x, w, sum));
    }
    let mut sums = vec![0.0; partial];
    for (k, (&x, &w)) in x.iter().zip(w).enumerate() {
        sums[k % partial] = multiply_add(fused, x, w, sums[k % partial]);
    }
    while sums.len() > 1 {
        let upper = sums.split_off(sums.len() / 2);
        sums.iter_mut()
            .zip(upper)
            .for_each(|(sum, upper)| *sum += upper);
    }
    sums[0] + bias
}

#[track_caller]
fn assert_same(actual: f32, expected: f32, what: &str) {
    let same = actual.to_bits() == expected.to_bits() || (actual.is_nan() && expected.is_nan());
    assert!(same, "{what}: {actual:?} instead of {expected:?}");
}

/// A network with one float layer.
fn with_net(inputs: usize, outputs: usize, kind: LayerKind, f: impl FnOnce(&NetDesc)) {
    let buffer = BufferDesc {
        name: "x",
        len: inputs,
        max: 1,
        source: Source::Float(0),
    };
    with_layer(buffer, outputs, kind, f);
}

/// Activated values, followed by zeros like those of activations.
fn random_inputs<const N: usize>(random: &mut Random, len: usize) -> Floats<N> {
    let mut x = Floats::zeroed();
    x.0[..len].iter_mut().for_each(|x| {
        *x = if random.below(3) == 0 {
            0.0
        } else {
            random_float(random, false).abs()
        }
    });
    x
}

call!(Affine<'a, const FUSED: bool, const PARTIAL: usize, const IN: usize, const INP: usize, const OUT: usize, const OUTP: usize> {
    x: &'a Floats<INP>,
    layer: &'a FloatLayer<IN, OUT, 3, OUTP>,
    stack: usize
} -> Floats<OUTP>, simd: S => affine_float::<S, FUSED, PARTIAL, INP, IN, OUT, 3, OUTP>(simd, x, layer, stack));

fn check_affine<
    const FUSED: bool,
    const PARTIAL: usize,
    const IN: usize,
    const INP: usize,
    const OUT: usize,
    const OUTP: usize,
>(
    level: AvailableLevel,
    random: &mut Random,
) {
    for trial in 0..20 {
        with_net(
            IN,
            OUT,
            LayerKind::Float {
                partial: PARTIAL,
                fused: FUSED,
            },
            |net| {
                let mut layer = FloatLayer::<IN, OUT, 3, OUTP>::zeroed();
                fill(
                    layer.weight.flat_mut(),
                    layer.bias.flat_mut(),
                    random,
                    trial % 4 == 3,
                );
                layer.prepare(net, 0, level.level());
                let x = random_inputs::<INP>(random, IN);
                for stack in 0..3 {
                    let affine: Affine<'_, FUSED, PARTIAL, IN, INP, OUT, OUTP> = Affine {
                        x: &x,
                        layer: &layer,
                        stack,
                    };
                    let y = dispatch(level, affine);
                    for (o, w) in layer.weight[stack].iter().enumerate() {
                        let expected = defined(FUSED, PARTIAL, &x.0[..IN], w, layer.bias[stack][o]);
                        assert_same(
                            y.get(o),
                            expected,
                            &format!("{level}: {PARTIAL} {FUSED} {OUT}: {o}"),
                        );
                    }
                }
            },
        );
    }
}

#[test]
fn layers_of_floats_add_in_the_declared_order() {
    for level in Level::available() {
        let mut random = Random(4);
        check_affine::<false, 0, 16, 16, 32, 32>(level, &mut random);
        check_affine::<true, 0, 16, 16, 32, 32>(level, &mut random);
        check_affine::<false, 0, 13, 16, 7, 16>(level, &mut random);
        check_affine::<true, 0, 40, 48, 1, 16>(level, &mut random);
        check_affine::<false, 4, 30, 32, 20, 32>(level, &mut random);
        check_affine::<true, 2, 7, 16, 1, 16>(level, &mut random);
        check_affine::<true, 16, 16, 16, 2, 16>(level, &mut random);
    }
}

call!(Row<'a, const FUSED: bool, const PARTIAL: usize, const IN: usize, const INP: usize> {
    x: &'a Floats<INP>,
    layer: &'a FloatRow<IN, 2, INP>,
    stack: usize
} -> f32, simd: S => row_float::<S, FUSED, PARTIAL, IN, 2, INP>(simd, x, layer, stack));

fn check_row<const FUSED: bool, const PARTIAL: usize, const IN: usize, const INP: usize>(
    level: AvailableLevel,
    random: &mut Random,
) {
    for trial in 0..40 {
        with_net(
            IN,
            1,
            LayerKind::Float {
                partial: PARTIAL,
                fused: FUSED,
            },
            |net| {
                assert!(net.layers[0].is_float_row());
                let mut layer = FloatRow::<IN, 2, INP>::zeroed();
                fill(
                    layer.weight.flat_mut(),
                    layer.bias.flat_mut(),
                    random,
                    trial % 4 == 3,
                );
                layer.prepare(net, 0, level.level());
                let x = random_inputs::<INP>(random, IN);
                for stack in 0..2 {
                    let row: Row<'_, FUSED, PARTIAL, IN, INP> = Row {
                        x: &x,
                        layer: &layer,
                        stack,
                    };
                    let expected = defined(
                        FUSED,
                        PARTIAL,
                        &x.0[..IN],
                        &layer.weight[stack][0],
                        layer.bias[stack][0],
                    );
                    assert_same(
                        dispatch(level, row),
                        expected,
                        &format!("{level}: {PARTIAL} {FUSED} {IN}"),
                    );
                }
            },
        );
    }
}

#[test]
fn rows_of_floats_add_in_partial_sums() {
    for level in Level::available() {
        let mut random = Random(5);
        check_row::<false, 16, 32, 32>(level, &mut random);
        check_row::<true, 16, 32, 32>(level, &mut random);
        check_row::<true, 16, 37, 48>(level, &mut random);
        check_row::<false, 32, 80, 80>(level, &mut random);
        check_row::<true, 64, 64, 64>(level, &mut random);
    }
}

#[derive(Clone, Copy)]
struct Activations;

impl Task for Activations {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let mut random = Random(6);
        for _ in 0..200 {
            let mut bias = [0.0; 20];
            bias.iter_mut()
                .for_each(|b| *b = random_float(&mut random, true));
            let mut sums = Sums([0; 32]);
            sums.0.iter_mut().for_each(|sum| *sum = random.i32());
            let unit = 1024.0 / (362.0 * 362.0 * 32.0);
            let separate = float_sums::<S, false, 20, 32>(simd, &sums, &bias, unit);
            let fused = float_sums::<S, true, 20, 32>(simd, &sums, &bias, unit);
            for (o, &bias) in bias.iter().enumerate() {
                let sum = sums.get(o) as f32;
                assert_same(separate.get(o), sum * unit + bias, "separate");
                assert_same(fused.get(o), fused::multiply_add(sum, unit, bias), "fused");
            }
            let (clipped, squared) = (float_crelu(simd, &separate), float_screlu(simd, &separate));
            for (o, &y) in separate.values()[..20].iter().enumerate() {
                let expected = if y > 0.0 { y.min(1.0) } else { 0.0 };
                assert_same(clipped.get(o), expected, "crelu");
                assert_same(squared.get(o), expected * expected, "screlu");
            }
        }
    }
}

#[test]
fn sums_become_floats_and_are_clipped() {
    at_all_levels(Activations);
}

/// Compares the bits with the definition; NaNs must be at the same places.
fn check_definition<S: Simd>(activation: Activation, values: &Floats<32>, results: &[f32]) {
    let operation = activation.operation().expect("the language names it");
    let formula = operation.floats.expect("it is defined for floats");
    let pairs: Vec<_> = nnue_spec::op::pairs::operands(operation.pairs, values.values()).collect();
    assert_eq!(results.len(), pairs.len());
    for ((x, y), &result) in pairs.into_iter().zip(results) {
        assert_same(
            result,
            (formula.value)(x, y),
            &format!("{activation:?} of {x:?}, {y:?} at {}", S::LEVEL),
        );
    }
}

#[derive(Clone, Copy)]
struct Definitions;

impl Task for Definitions {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let mut random = Random(7);
        for scale in (0..400).map(|trial| [1.0, 4.0, 30.0, 100.0][trial % 4]) {
            let mut values = Floats::<32>::zeroed();
            values
                .0
                .iter_mut()
                .for_each(|y| *y = random_float(&mut random, true) * scale);
            macro_rules! check {
                ($($activation:ident $kernel:ident $(::<$halves:tt>)?),*) => {
                    $(check_definition::<S>(Activation::$activation, &values, check!(@ $kernel $($halves)?).values());)*
                };
                (@ $kernel:ident) => { $kernel::<S, 32>(simd, &values) };
                (@ $kernel:ident $len:literal) => { $kernel::<S, 32, $len, $len>(simd, &values) };
            }
            check!(
                Crelu float_crelu, Screlu float_screlu, SqrCrelu float_sqr_crelu, HardSwish float_hard_swish,
                Relu float_relu, Relu6 float_relu6, LeakyRelu float_leaky_relu,
                Sigmoid float_sigmoid, Tanh float_tanh, Silu float_silu,
                Gated float_gated::<16>, Glu float_glu::<16>, Reglu float_reglu::<16>, Swiglu float_swiglu::<16>
            );
        }
    }
}

#[test]
fn activations_of_floats_are_their_definitions() {
    at_all_levels(Definitions);
}
