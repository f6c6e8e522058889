//! Accumulator columns.

use super::at_all_levels;
use crate::kernel::rows;
use crate::simd::{Simd, Task};
use crate::testing::Random;
use crate::transformer::{Accumulator, FeatureTransformer};

const ROWS: usize = 50;

struct Rows;

/// `start + adds - subs` by definition.
fn naive<const W: usize, const P: usize>(
    transformer: &FeatureTransformer<W, P, ROWS>,
    start: &Accumulator<W, P>,
    adds: &[u32],
    subs: &[u32],
) -> Accumulator<W, P> {
    let mut sum = *start;
    for (&row, sign) in adds.iter().map(|row| (row, 1)).chain(subs.iter().map(|row| (row, -1))) {
        for (value, weight) in sum.values.iter_mut().zip(&transformer.weight[row as usize]) {
            *value = value.wrapping_add(weight.wrapping_mul(sign));
        }
        for (value, weight) in sum.psqt.iter_mut().zip(&transformer.psqt[row as usize]) {
            *value = value.wrapping_add(weight.wrapping_mul(sign.into()));
        }
    }
    sum
}

#[inline(always)]
fn check<S: Simd, const W: usize, const P: usize>(simd: S) {
    let mut random = Random(W as u64);
    let mut transformer = FeatureTransformer::<W, P, ROWS>::zeroed();
    transformer.bias.flat_mut().iter_mut().for_each(|x| *x = random.i16());
    transformer.weight.flat_mut().iter_mut().for_each(|x| *x = random.i16());
    transformer.psqt.flat_mut().iter_mut().for_each(|x| *x = random.i32());
    let mut start = Accumulator::<W, P>::zeroed();
    start.values.iter_mut().for_each(|x| *x = random.i16());
    start.psqt.iter_mut().for_each(|x| *x = random.i32());
    let counts = (0..4).flat_map(|adds| (0..4).map(move |subs| (adds, subs))).chain([(30, 0), (0, 7), (9, 11)]);
    for (adds, subs) in counts {
        let mut list = |len| -> Vec<u32> { (0..len).map(|_| random.below(ROWS) as u32).collect() };
        let (adds, subs) = (list(adds), list(subs));
        let expected = naive(&transformer, &start, &adds, &subs);

        let mut target = Accumulator::zeroed();
        rows::update(simd, &transformer, &start, &mut target, &adds, &subs);
        assert_eq!(target, expected, "{} {adds:?} {subs:?}", S::LEVEL);

        let (mut cached, mut target) = (start, Accumulator::zeroed());
        rows::update_cached(simd, &transformer, &mut cached, &mut target, &adds, &subs);
        assert_eq!((cached, target), (expected, expected), "{} {adds:?} {subs:?}", S::LEVEL);

        let empty = Accumulator { values: transformer.bias[0], psqt: [0; P] };
        let expected = naive(&transformer, &empty, &adds, &[]);
        rows::refresh(simd, &transformer, &mut target, &adds);
        assert_eq!(target, expected, "{} {adds:?}", S::LEVEL);
    }
}

impl Task for Rows {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        check::<S, 32, 0>(simd);
        check::<S, 96, 8>(simd);
        check::<S, 768, 1>(simd);
        check::<S, 1056, 4>(simd);
    }
}

#[test]
fn rows_are_added_and_subtracted() {
    at_all_levels(|_| Rows);
}

#[test]
#[should_panic(expected = "index out of bounds")]
fn a_row_that_does_not_exist_is_refused() {
    let transformer = FeatureTransformer::<32, 0, ROWS>::zeroed();
    rows::refresh(crate::simd::Scalar, &transformer, &mut Accumulator::zeroed(), &[ROWS as u32]);
}
