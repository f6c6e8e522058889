//! Signs and binary layers.

use nnue_spec::{BufferDesc, LayerDesc, LayerKind, Segment, SignOf, Source};

use super::{ACCUMULATOR, at_all_levels, net};
use crate::binary::BinaryLayer;
use crate::kernel::binary::{
    Count, affine_binary, count_differing, sign_accumulators, sign_bytes, sign_join, sign_sums,
};
use crate::memory::{Bytes, Signs, Sums};
use crate::simd::{AvailableLevel, Level, Simd, Task, dispatch, dispatch_family};
use crate::testing::Random;

#[derive(Clone, Copy)]
struct SignsOf;

/// Bit i must be set exactly if value i is above 0.
fn check_signs(words: &[u32], values: &[i64]) {
    for bit in 0..32 * words.len() {
        let expected = values.get(bit).is_some_and(|&value| value > 0);
        assert_eq!(
            words[bit / 32] >> (bit % 32) & 1 == 1,
            expected,
            "value {bit} of {}",
            values.len()
        );
    }
}

/// A value at an edge, or any value.
fn edge(random: &mut Random, least: i64, greatest: i64) -> i64 {
    match random.below(6) {
        0 => 0,
        1 => 1,
        2 => -1,
        3 => least,
        4 => greatest,
        _ => i64::from(random.i32()),
    }
}

impl SignsOf {
    #[inline(always)]
    fn sums<S: Simd, const N: usize, const LEN: usize, const WORDS: usize>(
        simd: S,
        random: &mut Random,
    ) {
        let mut sums = Sums::<N>::zeroed();
        sums.0
            .iter_mut()
            .for_each(|sum| *sum = edge(random, i32::MIN.into(), i32::MAX.into()) as i32);
        let values: Vec<i64> = sums.0[..LEN].iter().map(|&sum| sum.into()).collect();
        check_signs(sign_sums::<S, N, LEN, WORDS>(simd, &sums).words(), &values);
    }

    #[inline(always)]
    fn bytes<S: Simd, const N: usize, const LEN: usize, const WORDS: usize>(
        simd: S,
        random: &mut Random,
    ) {
        let mut bytes = Bytes::<N>::zeroed();
        bytes
            .0
            .iter_mut()
            .for_each(|byte| *byte = edge(random, 0, 255) as u8);
        let values: Vec<i64> = bytes.0[..LEN].iter().map(|&byte| byte.into()).collect();
        check_signs(
            sign_bytes::<S, N, LEN, WORDS>(simd, &bytes).words(),
            &values,
        );
    }
}

impl Task for SignsOf {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let mut random = Random(11);
        for _ in 0..50 {
            let mut accumulators = [Aligned([0_i16; 96]), Aligned([0; 96])];
            let values = accumulators
                .iter_mut()
                .flat_map(|accumulator| &mut accumulator.0);
            values.for_each(|a| *a = edge(&mut random, i16::MIN.into(), i16::MAX.into()) as i16);
            let values: Vec<i64> = accumulators
                .iter()
                .flat_map(|a| a.0)
                .map(i64::from)
                .collect();
            let [first, second] = &accumulators;
            check_signs(
                sign_accumulators::<S, 96, 2, 6>(simd, [&first.0, &second.0]).words(),
                &values,
            );
            Self::sums::<S, 16, 1, 1>(simd, &mut random);
            Self::sums::<S, 48, 37, 2>(simd, &mut random);
            Self::sums::<S, 64, 64, 2>(simd, &mut random);
            Self::bytes::<S, 64, 15, 1>(simd, &mut random);
            Self::bytes::<S, 128, 70, 3>(simd, &mut random);
            Self::bytes::<S, 128, 128, 4>(simd, &mut random);
        }
    }
}

#[repr(C, align(64))]
struct Aligned<T, const N: usize>([T; N]);

#[test]
fn signs_are_those_of_numbers_above_zero() {
    at_all_levels(SignsOf);
}

#[test]
fn parts_of_signs_are_joined() {
    let (first, second) = ([0xdead_beef_u32, 0x1234_5678], [0x8000_0001_u32]);
    let joined = sign_join::<2>(&[(&first, 30, 17), (&second, 0, 32)]);
    let bit = |words: &[u32], at: usize| i64::from(words[at / 32] >> (at % 32) & 1);
    let parts = (30..47)
        .map(|at| bit(&first, at))
        .chain((0..32).map(|at| bit(&second, at)));
    check_signs(joined.words(), &parts.collect::<Vec<_>>());
}

call!(Binary<'a, const BYTES: usize, const OUT: usize, const WORDS: usize, const OUTP: usize> {
    x: &'a Signs<WORDS>,
    layer: &'a BinaryLayer<BYTES, OUT, 2, WORDS, OUTP>,
    stack: usize
} -> Sums<OUTP>, simd: S => affine_binary(simd, x, layer, stack));

fn check_layer<const BYTES: usize, const OUT: usize, const WORDS: usize, const OUTP: usize>(
    level: AvailableLevel,
    inputs: usize,
    random: &mut Random,
) {
    let buffers = [BufferDesc {
        name: "x",
        len: inputs,
        max: 1,
        source: Source::Signs(SignOf::Layer(0)),
    }];
    let segments = [Segment {
        buffer: 0,
        start: 0,
        len: inputs,
    }];
    let kind = LayerKind::Binary;
    let layers = [LayerDesc {
        name: "fc0",
        segments: &segments,
        inputs,
        file_inputs: BYTES,
        outputs: OUT,
        kind,
        scale: 64,
        shards: None,
    }];
    let mut layer = BinaryLayer::<BYTES, OUT, 2, WORDS, OUTP>::zeroed();
    // All signs 0, all 1, or random, for inputs too; bits after the last input are random.
    let extreme = random.below(3);
    let byte = |random: &mut Random| [0, -1, random.i32() as i8][extreme];
    layer
        .weight
        .flat_mut()
        .iter_mut()
        .for_each(|signs| *signs = byte(random));
    layer
        .scale
        .flat_mut()
        .iter_mut()
        .for_each(|scale| *scale = random.of(&[0, 1, -1, i16::MIN, i16::MAX, 254]));
    layer
        .bias
        .flat_mut()
        .iter_mut()
        .for_each(|bias| *bias = random.i32());
    layer.prepare(&net(ACCUMULATOR, &buffers, &layers), 0, level.level());
    let mut x = Signs([0; WORDS]);
    let negative = random.below(2) == 1;
    for input in 0..inputs {
        let positive = if extreme < 2 {
            !negative
        } else {
            random.below(2) == 1
        };
        x.0[input / 32] |= u32::from(positive) << (input % 32);
    }
    for stack in 0..2 {
        let sums = dispatch(
            level,
            Binary {
                x: &x,
                layer: &layer,
                stack,
            },
        );
        for output in 0..OUT {
            let weight = |k: usize| layer.weight[stack][output][k / 8] >> (k % 8) & 1 == 1;
            let input = |k: usize| x.0[k / 32] >> (k % 32) & 1 == 1;
            let dot: i32 = (0..inputs)
                .map(|k| if weight(k) == input(k) { 1 } else { -1 })
                .sum();
            let product = i32::from(layer.scale[stack][output]) * dot;
            let expected = layer.bias[stack][output].wrapping_add(product);
            assert_eq!(
                sums.get(output),
                expected,
                "{level}, {inputs} inputs, output {output} of {OUT}"
            );
        }
    }
}

#[test]
fn binary_layers_match_naive_sums() {
    for level in Level::available() {
        let mut random = Random(12);
        for _ in 0..10 {
            check_layer::<1, 1, 1, 16>(level, 3, &mut random);
            check_layer::<5, 20, 2, 32>(level, 37, &mut random);
            check_layer::<32, 80, 8, 80>(level, 256, &mut random);
            check_layer::<125, 288, 32, 288>(level, 1000, &mut random);
            // More words than byte counts can hold.
            check_layer::<256, 144, 64, 144>(level, 2048, &mut random);
        }
    }
}

/// Levels count with further features if the processor has them; without them, counts must be the
/// same.
#[test]
fn bits_are_counted_alike_with_and_without_further_features() {
    let mut random = Random(13);
    let words: Vec<u32> = (0..70).map(|_| random.i32().cast_unsigned()).collect();
    let mut weights = Aligned([0; 70 * 48]);
    weights
        .0
        .iter_mut()
        .for_each(|weight| *weight = random.i32());
    let expected: [i32; 48] = core::array::from_fn(|output| {
        let differing = |(word, x): (usize, &u32)| {
            (x ^ weights.0[48 * word + output].cast_unsigned()).count_ones()
        };
        7 + words
            .iter()
            .enumerate()
            .map(differing)
            .sum::<u32>()
            .cast_signed()
    });
    for level in Level::available() {
        let (mut counts, mut plain) = (Aligned([7; 48]), Aligned([7; 48]));
        count_differing(level, &words, &weights.0, &mut counts.0);
        dispatch_family(
            level,
            &mut Count {
                words: &words,
                weights: &weights.0,
                counts: &mut plain.0,
            },
        );
        assert_eq!((counts.0, plain.0), (expected, expected), "{level}");
    }
}
