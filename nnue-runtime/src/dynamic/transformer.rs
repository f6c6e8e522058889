//! The feature transformer of a network that is described at run time:
//! [`FeatureTransformer`](crate::FeatureTransformer) with sizes as values, for shared or separate
//! weights.

use alloc::vec;
use alloc::vec::Vec;
use core::iter;

use bytemuck::Zeroable;
use nnue_spec::{ElementType, NetDesc, TensorRole};

use crate::accumulator::{AtRunTime, Chess, SetsOf};
use crate::features::{MOST_SLOTS, SetsAtRunTime};
use crate::kernel::rows::{self, Derivation, Side, Sums, SumsMut};
use crate::kernel::weights::{PieceWeights, Weights};
use crate::memory::{Line, Numbers, prefetch, prefetch_early};
use crate::prefetching::Prefetching;
use crate::simd::AvailableLevel;
use crate::transform::{Frame, RowChanges, Transform, Upcoming};

/// The tensors of a transformer, and its feature sets.
pub(crate) struct Transformer {
    pub(super) sets: SetsAtRunTime,
    /// neurons per perspective
    width: usize,
    /// PSQT outputs
    outputs: usize,
    shape: Shape,
    prefetching: Prefetching,
    pub(super) first: Part,
    /// weights of the second perspective, if they are separate
    pub(super) second: Option<Part>,
}

/// The tensors of an accumulator.
pub(super) struct Part {
    pub(super) bias: Numbers,
    pub(super) weight: Numbers,
    pub(super) psqt: Numbers,
    /// of all sets of pairs, one after the other
    pub(super) pair_weight: Numbers,
    pub(super) pair_psqt: Numbers,
}

/// The sums of a side. Memory is allocated by the first computation: only a transformer knows its
/// size.
#[derive(Clone, Debug, Default)]
pub(crate) struct Accumulator {
    /// Neurons, then the PSQT values, so that both come from one allocation. For separate weights:
    /// the neurons that layers read if the side is first, then those that they read if it is
    /// second.
    lines: Vec<Line>,
    shape: Shape,
}

/// The sizes of an accumulator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Shape {
    /// lines of neurons
    neurons: u32,
    /// PSQT outputs
    outputs: u32,
    /// whether weights are separate
    separate: bool,
}

impl Transformer {
    /// Zero weights for `net`, whose sets are `sets`.
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
        let second = accumulator
            .separate
            .then(|| part(TensorRole::SecondWeight, 0));
        let neurons = accumulator.width / 32 * if accumulator.separate { 2 } else { 1 };
        let (neurons, outputs) = (neurons as u32, accumulator.psqt as u32);
        let row_bytes =
            |part: &Part| part.weight.values::<u8>().len() + part.pair_weight.values::<u8>().len();
        let prefetching = Prefetching {
            has_pairs: net.features.len() > 1,
            bytes: row_bytes(&first) + second.as_ref().map_or(0, row_bytes),
        };
        let shape = Shape {
            neurons,
            outputs,
            separate: accumulator.separate,
        };
        Self {
            sets,
            width: accumulator.width,
            outputs: accumulator.psqt,
            shape,
            prefetching,
            first,
            second,
        }
    }

    /// Resizes an accumulator for this transformer.
    #[inline(always)]
    fn fit<'a>(&self, accumulator: &'a mut Accumulator) -> &'a mut Accumulator {
        if accumulator.shape != self.shape {
            *accumulator = Accumulator::zeroed(self.shape);
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

    /// The first perspective's part, then the second one's if it is separate.
    #[inline(always)]
    fn parts(&self) -> impl Iterator<Item = &Part> {
        iter::once(&self.first).chain(&self.second)
    }

    #[inline(always)]
    fn prefetch_part(&self, part: &Part, row: u32, hint: impl FnOnce(&[u8])) {
        let bytes = self.width * part.weight.element().bytes();
        row_of(part.weight.values::<u8>(), row, bytes).map(hint);
        prefetch_psqt(part.psqt.values(), row, self.outputs);
    }

    #[inline(always)]
    fn prefetch_pair_part(&self, part: &Part, row: u32) {
        row_of(part.pair_weight.values::<u8>(), row, self.width).map(prefetch_early);
        prefetch_psqt(part.pair_psqt.values(), row, self.outputs);
    }

    /// A frame with the weights of both perspectives, the first perspective's first.
    fn pass_separate(
        &self,
        second: &Part,
        level: AvailableLevel,
        frame: Frame<&Accumulator, &mut Accumulator>,
        rows: RowChanges<'_>,
    ) {
        let (first_frame, second_frame) = frame
            .map(Accumulator::halves, Accumulator::halves_mut)
            .unzip();
        rows::pass(
            level,
            &self.weights(&self.first),
            &mut [Side {
                frame: first_frame,
                rows,
            }],
        );
        rows::pass(
            level,
            &self.weights(second),
            &mut [Side {
                frame: second_frame,
                rows,
            }],
        );
    }
}

impl Accumulator {
    #[cold]
    fn zeroed(shape: Shape) -> Self {
        let lines = shape.neurons as usize + (shape.outputs as usize).div_ceil(16);
        Self {
            lines: vec![Line::zeroed(); lines],
            shape,
        }
    }

    #[inline(always)]
    fn sums(&self) -> Sums<'_> {
        let (neurons, psqt) = self.lines.split_at(self.shape.neurons as usize);
        let psqt = bytemuck::cast_slice(psqt);
        Sums {
            values: bytemuck::cast_slice(neurons),
            psqt: &psqt[..self.shape.outputs as usize],
        }
    }

    #[inline(always)]
    fn sums_mut(&mut self) -> SumsMut<'_> {
        let (neurons, psqt) = self.lines.split_at_mut(self.shape.neurons as usize);
        let psqt = bytemuck::cast_slice_mut(psqt);
        SumsMut {
            values: bytemuck::cast_slice_mut(neurons),
            psqt: &mut psqt[..self.shape.outputs as usize],
        }
    }

    /// Both parts of an accumulator with separate weights; the second has no PSQT values.
    #[inline(always)]
    fn halves(&self) -> (Sums<'_>, Sums<'_>) {
        let Sums { values, psqt } = self.sums();
        let (first, second) = values.split_at(values.len() / 2);
        (
            Sums {
                values: first,
                psqt,
            },
            Sums {
                values: second,
                psqt: &[],
            },
        )
    }

    #[inline(always)]
    fn halves_mut(&mut self) -> (SumsMut<'_>, SumsMut<'_>) {
        let SumsMut { values, psqt } = self.sums_mut();
        let (first, second) = values.split_at_mut(values.len() / 2);
        (
            SumsMut {
                values: first,
                psqt,
            },
            SumsMut {
                values: second,
                psqt: &mut [],
            },
        )
    }
}

impl Transform for Transformer {
    type Accumulator = Accumulator;

    fn zeroed() -> Accumulator {
        Accumulator::default()
    }

    #[inline(always)]
    fn values(accumulator: &Accumulator) -> [&[i16]; 2] {
        let values = accumulator.sums().values;
        if accumulator.shape.separate {
            values.split_at(values.len() / 2).into()
        } else {
            [values; 2]
        }
    }

    #[inline(always)]
    fn psqt(accumulator: &Accumulator) -> &[i32] {
        accumulator.sums().psqt
    }

    fn set_to_bias(&self, accumulator: &mut Accumulator) {
        let SumsMut { values, psqt } = self.fit(accumulator).sums_mut();
        let (first, second) = values.split_at_mut(self.width);
        first.copy_from_slice(self.first.bias.values());
        if let Some(part) = &self.second {
            second.copy_from_slice(part.bias.values());
        }
        psqt.fill(0);
    }

    #[inline(always)]
    fn pass(
        &self,
        level: AvailableLevel,
        frame: Frame<&Accumulator, &mut Accumulator>,
        rows: RowChanges<'_>,
    ) {
        let frame = frame.map(|source| source, |target| self.fit(target));
        match (frame, &self.second) {
            // a cached position again
            (Frame::Renew { cached, target }, _) if rows.is_empty() => {
                target.lines.copy_from_slice(&cached.lines);
            }
            (frame, Some(second)) => self.pass_separate(second, level, frame, rows),
            (frame, None) => {
                let frame = frame.map(Accumulator::sums, Accumulator::sums_mut);
                rows::pass(
                    level,
                    &self.weights(&self.first),
                    &mut [Side { frame, rows }],
                );
            }
        }
    }

    #[inline(always)]
    fn pass_both(
        &self,
        level: AvailableLevel,
        sources: [&Accumulator; 2],
        [white, black]: [&mut Accumulator; 2],
        rows: [RowChanges<'_>; 2],
    ) {
        if self.second.is_some() {
            self.pass(
                level,
                Frame::Step {
                    source: sources[0],
                    target: white,
                },
                rows[0],
            );
            return self.pass(
                level,
                Frame::Step {
                    source: sources[1],
                    target: black,
                },
                rows[1],
            );
        }
        // Written without `map`, which the compiler turns into a function.
        let white = Frame::Step {
            source: sources[0].sums(),
            target: self.fit(white).sums_mut(),
        };
        let black = Frame::Step {
            source: sources[1].sums(),
            target: self.fit(black).sums_mut(),
        };
        let mut sides = [
            Side {
                frame: white,
                rows: rows[0],
            },
            Side {
                frame: black,
                rows: rows[1],
            },
        ];
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
        rows::derive(
            level,
            &self.weights(&self.first),
            &mut Derivation {
                source,
                target,
                rows,
                next,
            },
        );
    }

    #[inline(always)]
    fn prefetch(&self, row: u32) {
        for part in self.parts() {
            self.prefetch_part(part, row, |row| self.prefetching.ply(row));
        }
    }

    #[inline(always)]
    fn prefetch_refreshed(&self, row: u32) {
        if self.prefetching.covers_refreshes() {
            for part in self.parts() {
                self.prefetch_part(part, row, prefetch_early);
            }
        }
    }

    #[inline(always)]
    fn prefetch_pair(&self, row: u32) {
        for part in self.parts() {
            self.prefetch_pair_part(part, row);
        }
    }
}

/// A row of `width` values, if it exists.
#[inline(always)]
fn row_of<T>(values: &[T], row: u32, width: usize) -> Option<&[T]> {
    values
        .get(row as usize * width..)
        .and_then(|rest| rest.get(..width))
}

#[inline(always)]
fn prefetch_psqt(values: &[i32], row: u32, outputs: usize) {
    if let Some(row) = row_of(values, row, outputs) {
        prefetch(row, 1);
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
