//! Accumulator columns.

use crate::kernel::rows;
use crate::simd::{AvailableLevel, Level};
use crate::testing::Random;
use crate::transformer::{Accumulator, FeatureTransformer};

const ROWS: usize = 50;

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

fn check<const W: usize, const P: usize>(level: AvailableLevel) {
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
        rows::update(level, &transformer, &start, &mut target, &adds, &subs);
        assert_eq!(target, expected, "{} {adds:?} {subs:?}", level);

        let (mut cached, mut target) = (start, Accumulator::zeroed());
        rows::update_cached(level, &transformer, &mut cached, &mut target, &adds, &subs);
        assert_eq!((cached, target), (expected, expected), "{} {adds:?} {subs:?}", level);

        let empty = Accumulator { values: transformer.bias[0], psqt: [0; P] };
        let expected = naive(&transformer, &empty, &adds, &[]);
        rows::refresh(level, &transformer, &mut target, &adds);
        assert_eq!(target, expected, "{} {adds:?}", level);

        let (mut cached, mut target) = (start, Accumulator::zeroed());
        rows::refresh_cached(level, &transformer, &mut cached, &mut target, &adds);
        assert_eq!((cached, target), (expected, expected), "{} {adds:?}", level);

        let mut targets = [Accumulator::zeroed(); 2];
        rows::update_both(level, &transformer, [&start, &empty], &mut targets, [(&subs, &adds), (&adds, &subs)]);
        let expected = [naive(&transformer, &start, &adds, &subs), naive(&transformer, &empty, &subs, &adds)];
        assert_eq!(targets, expected, "{} {adds:?} {subs:?}", level);
    }
}

#[test]
fn rows_are_added_and_subtracted() {
    for level in Level::available() {
        check::<32, 0>(level);
        check::<96, 8>(level);
        check::<768, 1>(level);
        check::<1056, 4>(level);
    }
}

#[test]
#[should_panic(expected = "index out of bounds")]
fn a_row_that_does_not_exist_is_refused() {
    let transformer = FeatureTransformer::<32, 0, ROWS>::zeroed();
    rows::refresh(Level::detect(), &transformer, &mut Accumulator::zeroed(), &[ROWS as u32]);
}
