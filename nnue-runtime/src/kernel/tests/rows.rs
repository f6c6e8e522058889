//! Passes over rows of pieces and of pairs.

use crate::simd::{AvailableLevel, Level};
use crate::testing::Random;
use crate::transform::{Frame, RowChanges, Transform, Upcoming};
use crate::transformer::{Accumulator, FeatureTransformer, PieceWeight};

const ROWS: usize = 30;
const PAIR_ROWS: usize = 40;

type Transformer<const W: usize, const P: usize, T = i16> =
    FeatureTransformer<W, P, ROWS, PAIR_ROWS, T>;

/// The weight type of a set of pieces.
trait Weight: PieceWeight + Into<i16> {
    /// The low bits.
    fn of(number: i16) -> Self;
}

impl Weight for i16 {
    fn of(number: i16) -> Self {
        number
    }
}

impl Weight for i8 {
    fn of(number: i16) -> Self {
        number as i8
    }
}

/// `sum + sign * other`
fn add<const W: usize, const P: usize>(
    sum: &mut Accumulator<W, P>,
    sign: i16,
    other: &Accumulator<W, P>,
) {
    for (value, other) in sum.values.iter_mut().zip(&other.values) {
        *value = value.wrapping_add(other.wrapping_mul(sign));
    }
    for (value, other) in sum.psqt.iter_mut().zip(&other.psqt) {
        *value = value.wrapping_add(other.wrapping_mul(sign.into()));
    }
}

/// The sum of the changed rows of pieces, by definition.
fn pieces<const W: usize, const P: usize, T: Weight>(
    of: &Transformer<W, P, T>,
    rows: RowChanges<'_>,
) -> Accumulator<W, P> {
    let mut sum = Accumulator::zeroed();
    let row = |row: &u32| Accumulator {
        values: of.weight[*row as usize].map(Into::into),
        psqt: of.psqt[*row as usize],
    };
    rows.added
        .iter()
        .for_each(|index| add(&mut sum, 1, &row(index)));
    rows.removed
        .iter()
        .for_each(|index| add(&mut sum, -1, &row(index)));
    sum
}

/// The sum of the changed rows of pairs, by definition.
fn pairs<const W: usize, const P: usize, T: Weight>(
    of: &Transformer<W, P, T>,
    rows: RowChanges<'_>,
) -> Accumulator<W, P> {
    let mut sum = Accumulator::zeroed();
    let row = |row: &u32| Accumulator {
        values: of.pair_weight[*row as usize].map(i16::from),
        psqt: of.pair_psqt[*row as usize],
    };
    rows.pairs_added
        .iter()
        .for_each(|index| add(&mut sum, 1, &row(index)));
    rows.pairs_removed
        .iter()
        .for_each(|index| add(&mut sum, -1, &row(index)));
    sum
}

fn transformer<const W: usize, const P: usize, T: Weight>(
    random: &mut Random,
) -> Transformer<W, P, T> {
    let mut transformer = Transformer::<W, P, T>::zeroed();
    transformer
        .bias
        .flat_mut()
        .iter_mut()
        .for_each(|x| *x = random.i16());
    transformer
        .weight
        .flat_mut()
        .iter_mut()
        .for_each(|x| *x = T::of(random.i16()));
    transformer
        .psqt
        .flat_mut()
        .iter_mut()
        .for_each(|x| *x = random.i32());
    transformer
        .pair_weight
        .flat_mut()
        .iter_mut()
        .for_each(|x| *x = random.i16() as i8);
    transformer
        .pair_psqt
        .flat_mut()
        .iter_mut()
        .for_each(|x| *x = random.i32());
    transformer
}

fn accumulator<const W: usize, const P: usize>(random: &mut Random) -> Accumulator<W, P> {
    let mut accumulator = Accumulator::zeroed();
    accumulator
        .values
        .iter_mut()
        .for_each(|x| *x = random.i16());
    accumulator.psqt.iter_mut().for_each(|x| *x = random.i32());
    accumulator
}

/// The sum of these accumulators, each multiplied by its `sign`.
fn sum<const W: usize, const P: usize>(terms: &[(i16, &Accumulator<W, P>)]) -> Accumulator<W, P> {
    let mut sum = Accumulator::zeroed();
    terms
        .iter()
        .for_each(|(sign, term)| add(&mut sum, *sign, term));
    sum
}

/// A transformer, and accumulators that a frame may start from.
struct Case<const W: usize, const P: usize, T: Weight> {
    transformer: Transformer<W, P, T>,
    accumulators: [Accumulator<W, P>; 3],
}

impl<const W: usize, const P: usize, T: Weight> Case<W, P, T> {
    fn random() -> (Self, Random) {
        let mut random = Random(W as u64);
        let transformer = transformer(&mut random);
        (
            Self {
                transformer,
                accumulators: core::array::from_fn(|_| accumulator(&mut random)),
            },
            random,
        )
    }

    fn bias(&self) -> Accumulator<W, P> {
        Accumulator {
            values: self.transformer.bias[0],
            psqt: [0; P],
        }
    }

    /// Tests all frames with random rows. `lens`: pieces added and removed, pairs added and
    /// removed.
    fn check(&self, level: AvailableLevel, lens: [usize; 4], random: &mut Random) {
        let mut list =
            |len, rows| -> Vec<u32> { (0..len).map(|_| random.below(rows) as u32).collect() };
        let [added, removed] = [lens[0], lens[1]].map(|len| list(len, ROWS));
        let [pairs_added, pairs_removed] = [lens[2], lens[3]].map(|len| list(len, PAIR_ROWS));
        let rows = RowChanges {
            added: &added,
            removed: &removed,
            pairs_added: &pairs_added,
            pairs_removed: &pairs_removed,
        };
        self.check_moves(level, rows);
        self.check_derived(level, rows);
        self.check_cached(level, rows);
    }

    /// Tests the frames without an entry of the cache.
    fn check_moves(&self, level: AvailableLevel, rows: RowChanges<'_>) {
        let [source, other, _] = &self.accumulators;
        let changes = sum(&[
            (1, &pieces(&self.transformer, rows)),
            (1, &pairs(&self.transformer, rows)),
        ]);
        let mut target = Accumulator::zeroed();
        self.transformer.pass(
            level,
            Frame::Step {
                source,
                target: &mut target,
            },
            rows,
        );
        assert_eq!(
            target,
            sum(&[(1, source), (1, &changes)]),
            "{level} {rows:?}"
        );

        self.transformer.pass(
            level,
            Frame::Build {
                target: &mut target,
            },
            rows,
        );
        assert_eq!(
            target,
            sum(&[(1, &self.bias()), (1, &changes)]),
            "{level} {rows:?}"
        );

        let RowChanges {
            added,
            removed,
            pairs_added,
            pairs_removed,
        } = rows;
        let swapped = RowChanges {
            added: removed,
            removed: added,
            pairs_added: pairs_removed,
            pairs_removed: pairs_added,
        };
        let mut targets = [Accumulator::zeroed(); 2];
        self.transformer
            .pass_both(level, [source, other], targets.each_mut(), [rows, swapped]);
        assert_eq!(
            targets,
            [
                sum(&[(1, source), (1, &changes)]),
                sum(&[(1, other), (-1, &changes)])
            ],
            "{level} {rows:?}"
        );
    }

    /// Tests passes that prefetch other rows meanwhile.
    fn check_derived(&self, level: AvailableLevel, rows: RowChanges<'_>) {
        let [source, ..] = &self.accumulators;
        let changes = sum(&[
            (1, &pieces(&self.transformer, rows)),
            (1, &pairs(&self.transformer, rows)),
        ]);
        for next in [Upcoming::default(), Upcoming { pieces: rows.added }] {
            let mut target = Accumulator::zeroed();
            self.transformer
                .derive(level, Some(source), &mut target, rows, next);
            assert_eq!(
                target,
                sum(&[(1, source), (1, &changes)]),
                "{level} {rows:?} {next:?}"
            );
            self.transformer
                .derive(level, None, &mut target, rows, next);
            assert_eq!(
                target,
                sum(&[(1, &self.bias()), (1, &changes)]),
                "{level} {rows:?} {next:?}"
            );
        }
    }

    /// Tests the frames with an entry of the cache.
    fn check_cached(&self, level: AvailableLevel, rows: RowChanges<'_>) {
        let [source, left, cached] = &self.accumulators;
        let (pieces, pairs) = (
            pieces(&self.transformer, rows),
            pairs(&self.transformer, rows),
        );
        let (mut entry, mut target) = (*cached, Accumulator::zeroed());
        self.transformer.pass(
            level,
            Frame::Renew {
                cached: &mut entry,
                target: &mut target,
            },
            rows,
        );
        let renewed = sum(&[(1, cached), (1, &pieces)]);
        assert_eq!(
            (entry, target),
            (renewed, sum(&[(1, &renewed), (1, &pairs)])),
            "{level} {rows:?}"
        );

        let mut entry = *cached;
        self.transformer.pass(
            level,
            Frame::Fill {
                cached: &mut entry,
                target: &mut target,
            },
            rows,
        );
        let filled = sum(&[(1, &self.bias()), (1, &pieces)]);
        assert_eq!(
            (entry, target),
            (filled, sum(&[(1, &filled), (1, &pairs)])),
            "{level} {rows:?}"
        );

        let mut entry = *cached;
        self.transformer.pass(
            level,
            Frame::Replace {
                source,
                left,
                cached: &mut entry,
                target: &mut target,
            },
            rows,
        );
        let replaced = sum(&[(1, source), (-1, left), (1, &renewed), (1, &pairs)]);
        assert_eq!((entry, target), (renewed, replaced), "{level} {rows:?}");
    }
}

fn check<const W: usize, const P: usize, T: Weight>(level: AvailableLevel) {
    let (case, mut random) = Case::<W, P, T>::random();
    let few = (0..256).map(|n| [n % 4, n / 4 % 4, n / 16 % 4, n / 64]);
    let more = [
        [30, 1, 0, 9],
        [30, 0, 0, 0],
        [0, 7, 0, 0],
        [9, 11, 0, 0],
        [0, 2, 17, 20],
        [1, 1, 8, 9],
        [2, 2, 7, 7],
    ];
    for lens in few.chain(more) {
        case.check(level, lens, &mut random);
    }
}

/// Tests a transformer without rows of pairs, which allocates none.
fn check_pieces<const W: usize, const P: usize, T: Weight>(level: AvailableLevel) {
    let (
        Case {
            transformer: with_pairs,
            accumulators: [source, ..],
        },
        mut random,
    ) = Case::<W, P, T>::random();
    let mut transformer = FeatureTransformer::<W, P, ROWS, 0, T>::zeroed();
    transformer.weight.clone_from(&with_pairs.weight);
    transformer.psqt.clone_from(&with_pairs.psqt);
    for (added, removed) in (0..4)
        .flat_map(|added| (0..4).map(move |removed| (added, removed)))
        .chain([(30, 0), (9, 11)])
    {
        let mut list = |len| -> Vec<u32> { (0..len).map(|_| random.below(ROWS) as u32).collect() };
        let (added, removed) = (list(added), list(removed));
        let rows = RowChanges::pieces(&added, &removed);
        let mut target = Accumulator::zeroed();
        transformer.pass(
            level,
            Frame::Step {
                source: &source,
                target: &mut target,
            },
            rows,
        );
        assert_eq!(
            target,
            sum(&[(1, &source), (1, &pieces(&with_pairs, rows))]),
            "{level} {rows:?}"
        );
    }
}

#[test]
fn rows_are_added_and_subtracted() {
    for level in Level::available() {
        check::<32, 0, i16>(level);
        check::<96, 8, i16>(level);
        check::<768, 1, i16>(level);
        check::<1056, 4, i16>(level);
        check_pieces::<96, 8, i16>(level);
        check_pieces::<1056, 3, i16>(level);
    }
}

#[test]
fn rows_of_bytes_are_widened() {
    for level in Level::available() {
        check::<32, 0, i8>(level);
        check::<96, 8, i8>(level);
        check::<1056, 4, i8>(level);
        check_pieces::<96, 8, i8>(level);
        check_pieces::<1056, 3, i8>(level);
    }
}

#[test]
fn long_rows_of_bytes_are_read_side_by_side() {
    for level in Level::available() {
        let (case, mut random) = Case::<2080, 3, i8>::random();
        for lens in [
            [8, 0, 0, 0],
            [30, 1, 0, 9],
            [0, 15, 7, 0],
            [3, 2, 9, 23],
            [7, 7, 7, 7],
        ] {
            case.check(level, lens, &mut random);
        }
        check_pieces::<2048, 2, i8>(level);
    }
}

#[test]
#[should_panic(expected = "does not exist")]
fn a_row_that_does_not_exist_is_refused() {
    let transformer = Transformer::<32, 0>::zeroed();
    let rows = RowChanges::pieces(&[ROWS as u32], &[]);
    transformer.pass(
        Level::detect(),
        Frame::Build {
            target: &mut Accumulator::zeroed(),
        },
        rows,
    );
}

#[test]
#[should_panic(expected = "does not exist")]
fn a_row_of_pairs_that_does_not_exist_is_refused() {
    let transformer = Transformer::<32, 0>::zeroed();
    let rows = RowChanges {
        pairs_added: &[PAIR_ROWS as u32],
        ..RowChanges::default()
    };
    transformer.pass(
        Level::detect(),
        Frame::Build {
            target: &mut Accumulator::zeroed(),
        },
        rows,
    );
}

#[test]
#[should_panic(expected = "does not exist")]
fn an_upcoming_row_that_does_not_exist_is_refused() {
    let (transformer, next) = (
        Transformer::<32, 0>::zeroed(),
        Upcoming {
            pieces: &[ROWS as u32],
        },
    );
    transformer.derive(
        Level::detect(),
        None,
        &mut Accumulator::zeroed(),
        RowChanges::default(),
        next,
    );
}
