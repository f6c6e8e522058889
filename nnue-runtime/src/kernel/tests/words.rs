//! 16-bit activations, and layers that read them, with various weights.

use nnue_spec::{BufferDesc, LayerDesc, LayerKind, Segment, Source};

use super::{ACCUMULATOR, net};
use crate::kernel::{
    Rows, affine_words, rows_of_words, words_crelu, words_pairwise, words_sqr_crelu,
};
use crate::memory::{Sums, Words};
use crate::simd::{AvailableLevel, Level, dispatch};
use crate::testing::Random;
use crate::words::{WordWeight, WordsLayer};

#[repr(align(64))]
struct Values<const W: usize>([i16; W]);

call!(Crelu<'a, const W: usize, const N: usize, const ONE: i16> { of: [&'a [i16; W]; 2], out: &'a mut Words<N> } -> (),
      simd: S => words_crelu::<S, W, 2, N, ONE>(simd, of, out));
call!(Squares<'a, const W: usize, const N: usize, const ONE: i16, const SHIFT: u32> { of: [&'a [i16; W]; 2], out: &'a mut Words<N> } -> (),
      simd: S => words_sqr_crelu::<S, W, 2, N, ONE, SHIFT>(simd, of, out));
call!(Products<'a, const W: usize, const N: usize, const ONE: i16, const SHIFT: u32> { of: [&'a [i16; W]; 2], out: &'a mut Words<N> } -> (),
      simd: S => words_pairwise::<S, W, 2, N, ONE, SHIFT>(simd, of, out));

/// Compares the three activations of accumulators of `W` neurons @ `ONE`, whose products are
/// shifted by `SHIFT`.
fn check_activations<
    const W: usize,
    const HALVES: usize,
    const ALL: usize,
    const ONE: i16,
    const SHIFT: u32,
>(
    level: AvailableLevel,
    random: &mut Random,
) {
    let near = |random: &mut Random| {
        let one = ONE.into();
        let edges = [0, 1, one / 2, one - 1, one, one + 1];
        if random.below(2) == 0 {
            random.of::<i32>(&edges) as i16
        } else {
            random.i16()
        }
    };
    let values: [Values<W>; 2] =
        core::array::from_fn(|_| Values(core::array::from_fn(|_| near(random))));
    let of = [&values[0].0, &values[1].0];
    let clamped = |half: &[i16; W], at: usize| i64::from(half[at]).clamp(0, ONE.into());
    let each = |values: usize, f: &dyn Fn(&[i16; W], usize) -> i64| -> Vec<i64> {
        of.iter()
            .flat_map(|half| (0..values).map(move |at| f(half, at)))
            .collect()
    };
    let wide = |values: &[i16]| values.iter().map(|&x| i64::from(x)).collect::<Vec<_>>();

    let mut all = Words::<ALL>::zeroed();
    dispatch(level, Crelu::<W, ALL, ONE> { of, out: &mut all });
    assert_eq!(
        wide(all.values()),
        each(W, &clamped),
        "{level} crelu @ {ONE}"
    );
    dispatch(level, Squares::<W, ALL, ONE, SHIFT> { of, out: &mut all });
    let squares = each(W, &|half, at| clamped(half, at).pow(2) >> SHIFT);
    assert_eq!(
        wide(all.values()),
        squares,
        "{level} squares @ {ONE} >> {SHIFT}"
    );
    let mut halves = Words::<HALVES>::zeroed();
    dispatch(
        level,
        Products::<W, HALVES, ONE, SHIFT> {
            of,
            out: &mut halves,
        },
    );
    let products = each(W / 2, &|half, at| {
        (clamped(half, at) * clamped(half, at + W / 2)) >> SHIFT
    });
    assert_eq!(
        wide(halves.values()),
        products,
        "{level} products @ {ONE} >> {SHIFT}"
    );
}

#[test]
fn activations_match_their_formulas() {
    for level in Level::available() {
        let random = &mut Random(7);
        for _ in 0..20 {
            check_activations::<32, 32, 64, 128, 0>(level, random);
            check_activations::<96, 96, 192, 128, 2>(level, random);
            check_activations::<160, 160, 320, 181, 0>(level, random);
            check_activations::<64, 64, 128, 255, 1>(level, random);
            check_activations::<64, 64, 128, 1, 0>(level, random);
            check_activations::<64, 64, 128, 256, 2>(level, random);
            check_activations::<192, 192, 384, 511, 3>(level, random);
            check_activations::<64, 64, 128, 2895, 8>(level, random);
            check_activations::<64, 64, 128, 2895, 15>(level, random);
            check_activations::<64, 64, 128, 2895, 16>(level, random);
        }
    }
}

call!(Sum<'a, const IN: usize, const OUT: usize, const OUTP: usize> { x: &'a Words<IN>, layer: &'a WordsLayer<i8, IN, OUT, 2>, stack: usize } -> Sums<OUTP>,
      simd: S => affine_words(simd, x, layer, stack));
call!(WideSum<'a, const IN: usize, const OUT: usize, const OUTP: usize> { x: &'a Words<IN>, layer: &'a WordsLayer<i16, IN, OUT, 2>, stack: usize } -> Sums<OUTP>,
      simd: S => affine_words(simd, x, layer, stack));
call!(Listed<'a, const IN: usize, const OUT: usize> { x: &'a Words<IN>, layer: &'a WordsLayer<i16, IN, OUT, 2>, stack: usize, rows: Rows<'a> } -> (),
simd: S => {
    let mut rows = rows;
    rows_of_words(simd, x, layer, stack, &mut rows, 0.25);
});

/// `bias + sum of weight * x`, clamped to 32 bits.
fn naive<T: WordWeight + Into<i64>, const IN: usize>(
    bias: i32,
    weights: &[T; IN],
    x: &Words<IN>,
) -> i32 {
    let products = weights
        .iter()
        .zip(x.values())
        .map(|(&weight, &x)| weight.into() * i64::from(x));
    (products.sum::<i64>() + i64::from(bias)).clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

/// A layer with rows from different distributions: some fit and some do not.
fn layer<T: WordWeight + TryFrom<i32>, const IN: usize, const OUT: usize>(
    greatest: i16,
    random: &mut Random,
) -> WordsLayer<T, IN, OUT, 2> {
    let (least, most) = if size_of::<T>() == 1 {
        (-128, 127)
    } else {
        (-32768, 32767)
    };
    let mut layer = WordsLayer::<T, IN, OUT, 2>::zeroed();
    for row in layer.weight.as_flattened_mut() {
        let kind = random.below(5);
        for weight in row.iter_mut() {
            let drawn = match kind {
                0 => least,
                1 => most,
                2 => random.of(&[least, most]),
                3 => random.of(&[-3, -1, 0, 1, 2]),
                _ => least + random.below((most - least) as usize + 1) as i32,
            };
            *weight = T::try_from(drawn).unwrap_or_else(|_| panic!("{drawn} fits"));
        }
    }
    layer
        .bias
        .flat_mut()
        .iter_mut()
        .for_each(|bias| *bias = random.i32());
    let buffers = [BufferDesc::new("x", IN, greatest.into(), Source::Words)];
    let segments = [Segment::new(0, 0, IN)];
    let layers = [LayerDesc::new(
        "fc0",
        &segments,
        [IN, IN, OUT],
        LayerKind::Words,
        64,
    )];
    layer.prepare(&net(ACCUMULATOR, &buffers, &layers), 0, Level::Scalar);
    layer
}

fn values<const IN: usize>(greatest: i16, random: &mut Random) -> Words<IN> {
    let all = random.below(3) == 0;
    Words(core::array::from_fn(|_| {
        if all {
            greatest
        } else {
            random.below(greatest as usize + 1) as i16
        }
    }))
}

fn check_layers<const IN: usize, const OUT: usize, const OUTP: usize>(
    level: AvailableLevel,
    random: &mut Random,
) {
    let greatest = random.of(&[181, 4096, 16384, 32767]);
    let (bytes, wide) = (
        layer::<i8, IN, OUT>(greatest, random),
        layer::<i16, IN, OUT>(greatest, random),
    );
    let x = values::<IN>(greatest, random);
    for stack in 0..2 {
        let sums: Sums<OUTP> = dispatch(
            level,
            Sum {
                x: &x,
                layer: &bytes,
                stack,
            },
        );
        for output in 0..OUT {
            let expected = naive(bytes.bias[stack][output], &bytes.weight[stack][output], &x);
            assert_eq!(
                sums.get(output),
                expected,
                "{level} i8 {IN} -> {OUT}, values up to {greatest}"
            );
        }
        let sums: Sums<OUTP> = dispatch(
            level,
            WideSum {
                x: &x,
                layer: &wide,
                stack,
            },
        );
        let expected =
            |output: usize| naive(wide.bias[stack][output], &wide.weight[stack][output], &x);
        for output in 0..OUT {
            assert_eq!(
                sums.get(output),
                expected(output),
                "{level} i16 {IN} -> {OUT}, values up to {greatest}"
            );
        }
        let listed: Vec<usize> = (0..random.below(14)).map(|_| random.below(OUT)).collect();
        let mut logits = vec![f32::NAN; listed.len()];
        let rows = Rows::new(&listed, &mut logits).before(&[0, OUT - 1]);
        dispatch(
            level,
            Listed {
                x: &x,
                layer: &wide,
                stack,
                rows,
            },
        );
        let expected: Vec<f32> = listed
            .iter()
            .map(|&row| expected(row) as f32 * 0.25)
            .collect();
        assert_eq!(logits, expected, "{level} rows of {IN}");
    }
}

#[test]
fn sums_are_exact_for_all_weights() {
    for level in Level::available() {
        let random = &mut Random(8);
        for _ in 0..20 {
            check_layers::<16, 1, 16>(level, random);
            check_layers::<48, 3, 16>(level, random);
            check_layers::<64, 16, 16>(level, random);
            check_layers::<160, 21, 32>(level, random);
            check_layers::<4096, 5, 16>(level, random);
        }
    }
}

#[test]
fn the_longest_rows_do_not_wrap() {
    const IN: usize = 32768;
    for level in Level::available() {
        let mut wide = WordsLayer::<i16, IN, 2, 2>::zeroed();
        wide.weight[0][0].fill(i16::MIN);
        wide.weight[0][1].fill(i16::MAX);
        wide.bias[0] = [i32::MAX, i32::MIN];
        let buffers = [BufferDesc::new("x", IN, 32767, Source::Words)];
        let segments = [Segment::new(0, 0, IN)];
        let layers = [LayerDesc::new(
            "fc0",
            &segments,
            [IN, IN, 2],
            LayerKind::Words,
            64,
        )];
        wide.prepare(&net(ACCUMULATOR, &buffers, &layers), 0, level.level());
        let mut x = Words::<IN>::zeroed();
        for (filled, expected) in [
            (IN, [i32::MIN, i32::MAX]),
            (1, [1_073_774_591, -1_073_807_359]),
            (0, [i32::MAX, i32::MIN]),
        ] {
            x.0.fill(0);
            x.0[..filled].fill(32767);
            let sums: Sums<16> = dispatch(
                level,
                WideSum {
                    x: &x,
                    layer: &wide,
                    stack: 0,
                },
            );
            assert_eq!([sums.get(0), sums.get(1)], expected, "{level}");
        }
    }
}
