//! Layers of 32-bit integers, compared with sums modulo 2^32.

use nnue_spec::{BufferDesc, LayerKind, NetDesc, Source};

use super::with_layer;
use crate::integer::{IntegerLayer, IntegerRow};
use crate::kernel::{affine_integers, row_integers};
use crate::memory::{Number, Sums};
use crate::simd::{AvailableLevel, Level, dispatch};
use crate::testing::Random;

/// A network with one layer of integers, with inputs up to `max`.
fn with_net(inputs: usize, outputs: usize, max: i32, f: impl FnOnce(&NetDesc)) {
    let buffer = BufferDesc {
        name: "x",
        len: inputs,
        max,
        source: Source::Integers,
    };
    with_layer(buffer, outputs, LayerKind::Integer, f);
}

/// The greatest input that 16 bits hold.
const MOST_OF_WORDS: i32 = i16::MAX as i32;

/// Inputs, and values after the last input: of 16 bits if `max` is, otherwise of 32.
fn random_inputs<const N: usize>(random: &mut Random, max: i32) -> Sums<N> {
    let mut x = Sums::zeroed();
    x.0.iter_mut().for_each(|x| {
        *x = match max {
            MOST_OF_WORDS => random.i16().into(),
            _ => random.i32(),
        }
    });
    x
}

/// `bias + sum of weight * x`, modulo 2^32.
fn defined<T: Number + Into<i32>>(bias: i32, weights: &[T], x: &[i32]) -> i32 {
    weights.iter().zip(x).fold(bias, |sum, (&weight, &x)| {
        sum.wrapping_add(x.wrapping_mul(weight.into()))
    })
}

call!(Affine<'a, const N: usize, const IN: usize, const OUT: usize, const LINES: usize, const OUTP: usize> {
    x: &'a Sums<N>,
    layer: &'a IntegerLayer<i16, IN, OUT, 2, LINES>,
    stack: usize
} -> Sums<OUTP>, simd: S => affine_integers(simd, x, layer, stack));

fn check_affine<
    const N: usize,
    const IN: usize,
    const OUT: usize,
    const LINES: usize,
    const OUTP: usize,
>(
    level: AvailableLevel,
    random: &mut Random,
    max: i32,
) {
    with_net(IN, OUT, max, |net| {
        let mut layer = IntegerLayer::<i16, IN, OUT, 2, LINES>::zeroed();
        let weights = layer.weight.flat_mut().iter_mut();
        weights.for_each(|weight| *weight = random.i16());
        let biases = layer.bias.flat_mut().iter_mut();
        biases.for_each(|bias| *bias = random.i32());
        layer.prepare(net, 0, level.level());
        let x = random_inputs::<N>(random, max);
        for stack in 0..2 {
            let affine: Affine<'_, N, IN, OUT, LINES, OUTP> = Affine {
                x: &x,
                layer: &layer,
                stack,
            };
            let sums = dispatch(level, affine);
            for (output, weights) in layer.weight[stack].iter().enumerate() {
                let expected = defined(layer.bias[stack][output], weights, &x.0);
                assert_eq!(sums.get(output), expected, "{level}: {OUT}: {output}");
            }
            assert!(sums.0[OUT..].iter().all(|&sum| sum == 0), "{level}: {OUT}");
        }
    });
}

#[test]
fn layers_of_integers_add_modulo_two_to_the_32() {
    for level in Level::available() {
        let mut random = Random(6);
        for max in [MOST_OF_WORDS, i32::MAX].repeat(10) {
            check_affine::<32, 32, 32, 2, 32>(level, &mut random, max);
            check_affine::<16, 13, 7, 1, 16>(level, &mut random, max);
            check_affine::<16, 1, 2, 1, 16>(level, &mut random, max);
            check_affine::<48, 40, 100, 7, 112>(level, &mut random, max);
        }
    }
}

call!(Row<'a, const IN: usize, const INP: usize> {
    x: &'a Sums<INP>,
    layer: &'a IntegerRow<i32, IN, 2, INP>,
    stack: usize
} -> Sums<16>, simd: S => row_integers(simd, x, layer, stack));

fn check_row<const IN: usize, const INP: usize>(level: AvailableLevel, random: &mut Random) {
    with_net(IN, 1, i32::MAX, |net| {
        let mut layer = IntegerRow::<i32, IN, 2, INP>::zeroed();
        let numbers = layer.weight.flat_mut().iter_mut();
        let numbers = numbers.chain(layer.bias.flat_mut());
        numbers.for_each(|number| *number = random.i32());
        layer.prepare(net, 0, level.level());
        let x = random_inputs::<INP>(random, i32::MAX);
        for stack in 0..2 {
            let row: Row<'_, IN, INP> = Row {
                x: &x,
                layer: &layer,
                stack,
            };
            let sum = dispatch(level, row).get(0);
            let expected = defined(layer.bias[stack][0], &layer.weight[stack][0], &x.0);
            assert_eq!(sum, expected, "{level}: {IN}");
        }
    });
}

#[test]
fn rows_of_integers_add_modulo_two_to_the_32() {
    for level in Level::available() {
        let mut random = Random(7);
        for _ in 0..20 {
            check_row::<1, 16>(level, &mut random);
            check_row::<13, 16>(level, &mut random);
            check_row::<32, 32>(level, &mut random);
            check_row::<100, 112>(level, &mut random);
        }
    }
}
