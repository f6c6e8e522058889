//! Accumulator columns of pieces and of pairs.

use crate::architecture::RowChanges;
use crate::kernel::pair_rows;
use crate::simd::{AvailableLevel, Level};
use crate::testing::Random;
use crate::transformer::{Accumulator, FeatureTransformer};

const ROWS: usize = 30;
const PAIR_ROWS: usize = 40;

type Transformer<const W: usize, const P: usize> = FeatureTransformer<W, P, ROWS, PAIR_ROWS>;

/// `sum + sign * other`
fn add<const W: usize, const P: usize>(sum: &mut Accumulator<W, P>, sign: i16, other: &Accumulator<W, P>) {
    for (value, other) in sum.values.iter_mut().zip(&other.values) {
        *value = value.wrapping_add(other.wrapping_mul(sign));
    }
    for (value, other) in sum.psqt.iter_mut().zip(&other.psqt) {
        *value = value.wrapping_add(other.wrapping_mul(sign.into()));
    }
}

/// The rows of pieces, by definition.
fn pieces<const W: usize, const P: usize>(of: &Transformer<W, P>, rows: RowChanges<'_>) -> Accumulator<W, P> {
    let mut sum = Accumulator::zeroed();
    let row = |row: &u32| Accumulator { values: of.weight[*row as usize], psqt: of.psqt[*row as usize] };
    rows.added.iter().for_each(|index| add(&mut sum, 1, &row(index)));
    rows.removed.iter().for_each(|index| add(&mut sum, -1, &row(index)));
    sum
}

/// The rows of pairs, by definition.
fn pairs<const W: usize, const P: usize>(of: &Transformer<W, P>, rows: RowChanges<'_>) -> Accumulator<W, P> {
    let mut sum = Accumulator::zeroed();
    let row = |row: &u32| Accumulator {
        values: of.pair_weight[*row as usize].map(i16::from),
        psqt: of.pair_psqt[*row as usize],
    };
    rows.pairs_added.iter().for_each(|index| add(&mut sum, 1, &row(index)));
    rows.pairs_removed.iter().for_each(|index| add(&mut sum, -1, &row(index)));
    sum
}

fn transformer<const W: usize, const P: usize>(random: &mut Random) -> Transformer<W, P> {
    let mut transformer = Transformer::<W, P>::zeroed();
    transformer.bias.flat_mut().iter_mut().for_each(|x| *x = random.i16());
    transformer.weight.flat_mut().iter_mut().for_each(|x| *x = random.i16());
    transformer.psqt.flat_mut().iter_mut().for_each(|x| *x = random.i32());
    transformer.pair_weight.flat_mut().iter_mut().for_each(|x| *x = random.i16() as i8);
    transformer.pair_psqt.flat_mut().iter_mut().for_each(|x| *x = random.i32());
    transformer
}

fn accumulator<const W: usize, const P: usize>(random: &mut Random) -> Accumulator<W, P> {
    let mut accumulator = Accumulator::zeroed();
    accumulator.values.iter_mut().for_each(|x| *x = random.i16());
    accumulator.psqt.iter_mut().for_each(|x| *x = random.i32());
    accumulator
}

fn check<const W: usize, const P: usize>(level: AvailableLevel) {
    let mut random = Random(W as u64);
    let transformer = transformer::<W, P>(&mut random);
    let few = (0..81).map(|n| [n % 3, n / 3 % 3, n / 9 % 3, n / 27]);
    for lens in few.chain([[30, 1, 0, 9], [0, 2, 17, 20], [1, 1, 8, 9], [2, 2, 7, 7]]) {
        let mut list = |len, rows| -> Vec<u32> { (0..len).map(|_| random.below(rows) as u32).collect() };
        let [removed, added] = [lens[0], lens[1]].map(|len| list(len, ROWS));
        let [pairs_removed, pairs_added] = [lens[2], lens[3]].map(|len| list(len, PAIR_ROWS));
        let rows =
            RowChanges { removed: &removed, added: &added, pairs_removed: &pairs_removed, pairs_added: &pairs_added };
        let [source, other, left, cached] = core::array::from_fn(|_| accumulator::<W, P>(&mut random));
        let [of_pieces, of_pairs] = [pieces(&transformer, rows), pairs(&transformer, rows)];
        let sum = |terms: &[(i16, &Accumulator<W, P>)]| {
            let mut sum = Accumulator::zeroed();
            terms.iter().for_each(|(sign, term)| add(&mut sum, *sign, term));
            sum
        };
        let context = format!("{level} {rows:?}");

        let mut target = Accumulator::zeroed();
        pair_rows::update(level, &transformer, &source, &mut target, rows);
        assert_eq!(target, sum(&[(1, &source), (1, &of_pieces), (1, &of_pairs)]), "{context}");

        let mut targets = [Accumulator::zeroed(); 2];
        let swapped =
            RowChanges { removed: &added, added: &removed, pairs_removed: &pairs_added, pairs_added: &pairs_removed };
        pair_rows::update_both(level, &transformer, [&source, &other], &mut targets, [rows, swapped]);
        let expected = [
            sum(&[(1, &source), (1, &of_pieces), (1, &of_pairs)]),
            sum(&[(1, &other), (-1, &of_pieces), (-1, &of_pairs)]),
        ];
        assert_eq!(targets, expected, "{context}");

        pair_rows::build(level, &transformer, &mut target, rows);
        let bias = Accumulator { values: transformer.bias[0], psqt: [0; P] };
        assert_eq!(target, sum(&[(1, &bias), (1, &of_pieces), (1, &of_pairs)]), "{context}");

        let renewed = sum(&[(1, &cached), (1, &of_pieces)]);
        let mut entry = cached;
        pair_rows::renew(level, &transformer, &mut entry, &mut target, rows);
        assert_eq!((entry, target), (renewed, sum(&[(1, &renewed), (1, &of_pairs)])), "{context}");

        let mut entry = cached;
        pair_rows::replace(level, &transformer, [&source, &left], &mut entry, &mut target, rows);
        let expected = sum(&[(1, &source), (-1, &left), (1, &renewed), (1, &of_pairs)]);
        assert_eq!((entry, target), (renewed, expected), "{context}");
    }
}

#[test]
fn rows_of_pieces_and_pairs_are_added_and_subtracted() {
    for level in Level::available() {
        check::<32, 0>(level);
        check::<96, 8>(level);
        check::<768, 1>(level);
        check::<1056, 4>(level);
    }
}

#[test]
#[should_panic(expected = "out of bounds")]
fn a_row_of_pairs_that_does_not_exist_is_refused() {
    let transformer = Transformer::<32, 0>::zeroed();
    let rows = RowChanges { pairs_added: &[PAIR_ROWS as u32], ..RowChanges::default() };
    pair_rows::build(Level::detect(), &transformer, &mut Accumulator::zeroed(), rows);
}
