//! The feature transformer of a network that is described while the program runs: [`FeatureTransformer`](crate::FeatureTransformer) with its
//! sizes as numbers, for one set of weights or for one of each perspective.

use alloc::vec;
use alloc::vec::Vec;

use bytemuck::Zeroable;
use nnue_spec::{ElementType, NetDesc, TensorRole};

use crate::accumulator::{AtRunTime, Chess, SetsOf};
use crate::features::{MOST_SLOTS, SetsAtRunTime};
use crate::kernel::rows::{self, Derivation, Side, Sums, SumsMut};
use crate::kernel::weights::{PieceWeights, Weights};
use crate::memory::{Line, Numbers, prefetch};
use crate::simd::AvailableLevel;
use crate::transform::{Frame, RowChanges, Transform, Upcoming};
use crate::transformer::{PREFETCHED_LINES, PREFETCHED_PAIR_LINES};

/// The tensors of a transformer, and which rows are active in a position.
pub(crate) struct Transformer {
    pub(super) sets: SetsAtRunTime,
    /// neurons of a perspective
    width: usize,
    /// PSQT outputs
    outputs: usize,
    pub(super) first: Part,
    /// weights of the second perspective, if it has its own
    pub(super) second: Option<Part>,
}

/// The tensors that make an accumulator.
pub(super) struct Part {
    pub(super) bias: Numbers,
    pub(super) weight: Numbers,
    pub(super) psqt: Numbers,
    /// of all sets of pairs, one after the other
    pub(super) pair_weight: Numbers,
    pub(super) pair_psqt: Numbers,
}

/// The sums of a side. It has no memory until something is computed: only a transformer knows how much it needs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Accumulator {
    /// neurons: where weights are separate, those that layers read if the side is first, then those that they read if it is second
    values: Vec<Line>,
    psqt: Vec<i32>,
    separate: bool,
}

impl Transformer {
    /// One of zeros for `net`, whose sets are `sets`.
    pub(super) fn zeroed(net: &NetDesc<'_>, sets: SetsAtRunTime) -> Self {
        let accumulator = net.accumulator;
        let part = |weight: TensorRole, outputs: usize| {
            let weight = net.tensors.iter().find(|tensor| tensor.role == weight);
            let element = weight.map_or(ElementType::I16, |tensor| tensor.element);
            let pair_rows: usize = net.features[1..].iter().map(|feature| feature.rows).sum();
            Part {
                bias: Numbers::zeroed(ElementType::I16, accumulator.width),
                weight: Numbers::zeroed(element, net.features[0].rows * accumulator.width),
                psqt: Numbers::zeroed(ElementType::I32, net.features[0].rows * outputs),
                pair_weight: Numbers::zeroed(ElementType::I8, pair_rows * accumulator.width),
                pair_psqt: Numbers::zeroed(ElementType::I32, pair_rows * outputs),
            }
        };
        let first = part(TensorRole::TransformerWeight, accumulator.psqt);
        let second = accumulator.separate.then(|| part(TensorRole::SecondWeight, 0));
        Self { sets, width: accumulator.width, outputs: accumulator.psqt, first, second }
    }

    /// Gives an accumulator the memory that it needs.
    #[inline(always)]
    fn fit<'a>(&self, accumulator: &'a mut Accumulator) -> &'a mut Accumulator {
        let perspectives = if self.second.is_some() { 2 } else { 1 };
        if accumulator.values.len() * 32 != self.width * perspectives || accumulator.psqt.len() != self.outputs {
            *accumulator = Accumulator {
                values: vec![Line::zeroed(); self.width * perspectives / 32],
                psqt: vec![0; self.outputs],
                separate: self.second.is_some(),
            };
        }
        accumulator
    }

    /// The tensors of a part, for the kernels.
    #[inline(always)]
    fn weights<'a>(&'a self, part: &'a Part) -> Weights<'a> {
        Weights {
            bias: part.bias.values(),
            rows: self.sets.piece_rows(),
            pieces: match part.weight.element() {
                ElementType::I8 => PieceWeights::Bytes(part.weight.values()),
                _ => PieceWeights::Words(part.weight.values()),
            },
            psqt: part.psqt.values(),
            pair_rows: self.sets.rows_of_pairs(),
            pair_weight: part.pair_weight.values(),
            pair_psqt: part.pair_psqt.values(),
        }
    }

    /// A frame with weights of both perspectives: first those of the first.
    fn pass_separate(
        &self,
        second: &Part,
        level: AvailableLevel,
        frame: Frame<&Accumulator, &mut Accumulator>,
        rows: RowChanges<'_>,
    ) {
        let (first_frame, second_frame) = frame.map(Accumulator::halves, Accumulator::halves_mut).unzip();
        rows::pass(level, &self.weights(&self.first), &mut [Side { frame: first_frame, rows }]);
        rows::pass(level, &self.weights(second), &mut [Side { frame: second_frame, rows }]);
    }
}

impl Accumulator {
    #[inline(always)]
    fn values(&self) -> &[i16] {
        bytemuck::cast_slice(&self.values)
    }

    #[inline(always)]
    fn sums(&self) -> Sums<'_> {
        Sums { values: self.values(), psqt: &self.psqt }
    }

    #[inline(always)]
    fn sums_mut(&mut self) -> SumsMut<'_> {
        SumsMut { values: bytemuck::cast_slice_mut(&mut self.values), psqt: &mut self.psqt }
    }

    /// Both parts of an accumulator with separate weights; the second has no PSQT values.
    #[inline(always)]
    fn halves(&self) -> (Sums<'_>, Sums<'_>) {
        let (first, second) = self.values().split_at(self.values().len() / 2);
        (Sums { values: first, psqt: &self.psqt }, Sums { values: second, psqt: &[] })
    }

    #[inline(always)]
    fn halves_mut(&mut self) -> (SumsMut<'_>, SumsMut<'_>) {
        let values = bytemuck::cast_slice_mut(&mut self.values);
        let (first, second) = values.split_at_mut(values.len() / 2);
        (SumsMut { values: first, psqt: &mut self.psqt }, SumsMut { values: second, psqt: &mut [] })
    }
}

impl Transform for Transformer {
    type Accumulator = Accumulator;

    fn zeroed() -> Accumulator {
        Accumulator::default()
    }

    #[inline(always)]
    fn values(accumulator: &Accumulator) -> [&[i16]; 2] {
        let values = accumulator.values();
        if accumulator.separate { values.split_at(values.len() / 2).into() } else { [values; 2] }
    }

    #[inline(always)]
    fn psqt(accumulator: &Accumulator) -> &[i32] {
        &accumulator.psqt
    }

    fn set_to_bias(&self, accumulator: &mut Accumulator) {
        let (first, second) = self.fit(accumulator).values_split_mut(self.width);
        first.copy_from_slice(self.first.bias.values());
        if let Some(part) = &self.second {
            second.copy_from_slice(part.bias.values());
        }
        accumulator.psqt.fill(0);
    }

    #[inline(always)]
    fn pass(&self, level: AvailableLevel, frame: Frame<&Accumulator, &mut Accumulator>, rows: RowChanges<'_>) {
        let frame = frame.map(|source| source, |target| self.fit(target));
        match (frame, &self.second) {
            // a cached position once more
            (Frame::Renew { cached, target }, _) if rows.is_empty() => {
                target.values.copy_from_slice(&cached.values);
                target.psqt.copy_from_slice(&cached.psqt);
            }
            (frame, Some(second)) => self.pass_separate(second, level, frame, rows),
            (frame, None) => {
                let frame = frame.map(Accumulator::sums, Accumulator::sums_mut);
                rows::pass(level, &self.weights(&self.first), &mut [Side { frame, rows }]);
            }
        }
    }

    #[inline(always)]
    fn pass_both(
        &self,
        level: AvailableLevel,
        sources: [&Accumulator; 2],
        [white, black]: &mut [Accumulator; 2],
        rows: [RowChanges<'_>; 2],
    ) {
        let steps = [(sources[0], white, rows[0]), (sources[1], black, rows[1])];
        if self.second.is_some() {
            return steps.into_iter().for_each(|(source, target, rows)| {
                self.pass(level, Frame::Step { source, target }, rows);
            });
        }
        let mut sides = steps.map(|(source, target, rows)| {
            let (source, target) = (source.sums(), self.fit(target).sums_mut());
            Side { frame: Frame::Step { source, target }, rows }
        });
        rows::pass(level, &self.weights(&self.first), &mut sides);
    }

    fn derive(
        &self,
        level: AvailableLevel,
        source: Option<&Accumulator>,
        target: &mut Accumulator,
        rows: RowChanges<'_>,
        next: Upcoming<'_>,
    ) {
        if self.second.is_some() {
            let frame = match source {
                Some(source) => Frame::Step { source, target },
                None => Frame::Build { target },
            };
            return self.pass(level, frame, rows);
        }
        let (source, target) = (source.map(Accumulator::sums), self.fit(target).sums_mut());
        rows::derive(level, &self.weights(&self.first), &mut Derivation { source, target, rows, next });
    }

    #[inline(always)]
    fn prefetch(&self, row: u32) {
        for part in [Some(&self.first), self.second.as_ref()].into_iter().flatten() {
            let bytes = self.width * part.weight.element().bytes();
            prefetch_row(part.weight.values::<u8>(), row, bytes, PREFETCHED_LINES);
            prefetch_row(part.psqt.values::<i32>(), row, self.outputs, 1);
        }
    }

    #[inline(always)]
    fn prefetch_pair(&self, row: u32) {
        for part in [Some(&self.first), self.second.as_ref()].into_iter().flatten() {
            prefetch_row(part.pair_weight.values::<i8>(), row, self.width, PREFETCHED_PAIR_LINES);
            prefetch_row(part.pair_psqt.values::<i32>(), row, self.outputs, 1);
        }
    }
}

impl Accumulator {
    /// The neurons of the first `width`, and those after them.
    fn values_split_mut(&mut self, width: usize) -> (&mut [i16], &mut [i16]) {
        bytemuck::cast_slice_mut(&mut self.values).split_at_mut(width)
    }
}

/// Starts loading a row of `width` values, if there is one.
#[inline(always)]
fn prefetch_row<T>(values: &[T], row: u32, width: usize, lines: usize) {
    if let Some(row) = values.get(row as usize * width..).and_then(|rest| rest.get(..width)) {
        prefetch(row, lines);
    }
}

impl SetsOf<Transformer> for Chess<AtRunTime, AtRunTime> {
    type Sets<'a> = &'a SetsAtRunTime;

    const SLOTS: usize = MOST_SLOTS;

    #[inline(always)]
    fn sets(transformer: &Transformer) -> &SetsAtRunTime {
        &transformer.sets
    }
}
