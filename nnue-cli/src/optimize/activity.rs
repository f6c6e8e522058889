//! Which inputs of the first layer are not zero, position by position.
//!
//! ```text
//!              observations: a position, seen by a side (and a neuron of the group, where several are read)
//!   group 0    1 0 0 1 1 0 ..   \
//!   group 1    0 0 0 1 0 0 ..    | a block of four inputs: it is skipped where all of them are zero,
//!   group 2    1 0 0 0 0 0 ..    | that is where the OR of the rows has a zero
//!   group 3    0 0 0 1 1 0 ..   /
//! ```

use nnue_command::progress::Progress;
use nnue_format::permute::Groups;
use nnue_spec::op::Formula;
use nnue_spec::reference::active_features;
use nnue_spec::{LayerKind, NetDesc, StepDesc, TensorRef, TensorRole};

use crate::error::Error;
use crate::input::Placement;

/// Inputs that a kernel skips together.
pub(super) const BLOCK: usize = 4;

/// One bit per group of neurons and observation.
pub(super) struct Activity {
    /// how many groups
    pub(super) groups: usize,
    observations: usize,
    /// words in a row
    words: usize,
    rows: Vec<u64>,
}

/// Inputs of the first layer, and how many blocks of them a kernel can skip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Blocks {
    /// inputs that are zero
    pub(super) zero_inputs: usize,
    /// all inputs
    pub(super) inputs: usize,
    /// blocks of zeros
    pub(super) zero: usize,
    /// all blocks
    pub(super) all: usize,
}

/// An activation of the accumulators that a layer reads which skips blocks of zeros.
#[derive(Clone, Copy)]
struct Activation {
    function: nnue_spec::Activation,
    shift: u32,
}

impl Activity {
    /// Observes a network in some positions. `tensors` are those of its file.
    pub(super) fn of(net: &NetDesc<'_>, tensors: &[TensorRef<'_>], boards: &[Placement]) -> Result<Self, Error> {
        let (groups, activations) = (groups(net)?, activations(net)?);
        let runs: usize = activations.iter().map(|activation| activation.runs(groups)).sum();
        let observations = boards.len() * net.accumulator.perspectives * runs;
        let words = observations.div_ceil(64);
        let mut activity = Self { groups: groups.count, observations, words, rows: vec![0; groups.count * words] };
        let progress = Progress::new("activity: position", boards.len() as u64);
        let mut at = 0;
        for board in boards {
            for accumulator in accumulators(net, tensors, board) {
                for activation in &activations {
                    let values = activation.active(net.accumulator.one, &accumulator);
                    for run in values.chunks_exact(groups.count) {
                        activity.observe(at, run);
                        at += 1;
                    }
                }
            }
            progress.step();
        }
        Ok(activity)
    }

    fn observe(&mut self, at: usize, active: &[bool]) {
        let (word, bit) = (at / 64, at % 64);
        for (row, &active) in self.rows.chunks_exact_mut(self.words).zip(active) {
            row[word] |= u64::from(active) << bit;
        }
    }

    /// The observations in which a group is not zero.
    pub(super) fn row(&self, group: usize) -> &[u64] {
        &self.rows[group * self.words..][..self.words]
    }

    /// Words in a row.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// What a kernel finds if the groups stand in this order.
    pub(super) fn blocks(&self, order: &[usize]) -> Blocks {
        let active: usize = order.iter().map(|&group| count(self.row(group))).sum();
        let busy = |block: &[usize]| -> usize {
            let word = |word: usize| block.iter().fold(0, |or, &group| or | self.row(group)[word]);
            (0..self.words).map(|at| word(at).count_ones() as usize).sum()
        };
        let blocks = order.chunks(BLOCK);
        let (inputs, all) = (order.len() * self.observations, blocks.len() * self.observations);
        Blocks { zero_inputs: inputs - active, inputs, zero: all - blocks.map(busy).sum::<usize>(), all }
    }
}

/// Bits that are set.
pub(super) fn count(bits: &[u64]) -> usize {
    bits.iter().map(|word| word.count_ones() as usize).sum()
}

impl Activation {
    /// How often the groups stand in its values, one after the other.
    fn runs(self, groups: Groups) -> usize {
        if self.function.operation().is_some_and(|operation| operation.pairs.is_some()) { 1 } else { groups.neurons }
    }

    /// Which of its values are not zero.
    fn active(self, one: i32, accumulator: &[i16]) -> Vec<bool> {
        let formula = self.function.operation().and_then(|operation| Some((operation.pairs, operation.accumulators?)));
        let Some((pairs, formula)) = formula else {
            // What a function of the program makes of a value is not known.
            return vec![true; accumulator.len()];
        };
        let values: Vec<i64> = accumulator.iter().map(|&value| value.into()).collect();
        Formula::apply(formula.value, pairs, &values, (one.into(), self.shift)).map(|value| value != 0).collect()
    }
}

/// The groups of a network, if there is a choice of their order.
fn groups(net: &NetDesc<'_>) -> Result<Groups, Error> {
    let groups = Groups::of(net).map_err(|error| Error::Argument(format!("`{}`: {error}", net.name)))?;
    if groups.count % BLOCK != 0 {
        let message =
            format!("`{}` has {} groups of neurons, which are no whole blocks of {BLOCK}", net.name, groups.count);
        return Err(Error::Argument(message));
    }
    Ok(groups)
}

/// The activations that a layer reads which skips blocks.
fn activations(net: &NetDesc<'_>) -> Result<Vec<Activation>, Error> {
    let sparse = net.layers.iter().filter(|layer| layer.kind == LayerKind::Sparse);
    let read: Vec<usize> = sparse.flat_map(|layer| layer.segments).map(|segment| segment.buffer).collect();
    let activations = net.steps.iter().filter_map(|step| match *step {
        StepDesc::ActivateAccumulator { activation, shift, buffer } if read.contains(&buffer) => {
            Some(Activation { function: activation, shift })
        }
        _ => None,
    });
    let activations: Vec<_> = activations.collect();
    if activations.is_empty() {
        let message = format!(
            "`{}` has no layer that skips blocks of zeros, so that the order of its neurons costs nothing: such a layer has \
             several outputs of 8-bit weights and reads the accumulators",
            net.notation
        );
        return Err(Error::Argument(message));
    }
    Ok(activations)
}

/// The accumulators of a position that the network reads, from nothing.
fn accumulators(net: &NetDesc<'_>, tensors: &[TensorRef<'_>], board: &Placement) -> Vec<Vec<i16>> {
    let plain = board.plain();
    let black_first = net.accumulator.order.begins_with_black(plain.black_to_move);
    let sides = [black_first, !black_first];
    let of = |side: usize| accumulate(net, tensors, side, &active_features(net, &plain, sides[side]));
    (0..net.accumulator.perspectives).map(of).collect()
}

/// `bias[j] + sum over rows of weight[row][j]`, modulo 2^16, with the weights of a perspective. Rows count through all feature sets.
fn accumulate(net: &NetDesc<'_>, tensors: &[TensorRef<'_>], perspective: usize, rows: &[usize]) -> Vec<i16> {
    let width = net.accumulator.width;
    let tensor = |role: TensorRole| {
        let index = net.tensors.iter().position(|tensor| tensor.role == role).expect("every feature set has weights");
        tensors[index]
    };
    let mut sums = vec![0; width];
    add(&mut sums, tensor(net.accumulator.bias_of(perspective)), 0);
    for &row in rows {
        let (mut set, mut row) = (0, row);
        while row >= net.features[set].rows {
            row -= net.features[set].rows;
            set += 1;
        }
        add(&mut sums, tensor(net.accumulator.weight_of(perspective, set)), row * width);
    }
    sums
}

fn add(sums: &mut [i16], tensor: TensorRef<'_>, at: usize) {
    match tensor {
        TensorRef::I8(values) => {
            sums.iter_mut().zip(&values[at..]).for_each(|(sum, &v)| *sum = sum.wrapping_add(v.into()))
        }
        TensorRef::I16(values) => sums.iter_mut().zip(&values[at..]).for_each(|(sum, &v)| *sum = sum.wrapping_add(v)),
        TensorRef::I32(_) | TensorRef::F32(_) => panic!("rows are of 8 or 16 bits"),
    }
}

#[cfg(test)]
impl Activity {
    /// Rows as they are given.
    pub(super) fn from_rows(rows: &[&[bool]]) -> Self {
        let observations = rows[0].len();
        let words = observations.div_ceil(64);
        let mut activity = Self { groups: rows.len(), observations, words, rows: vec![0; rows.len() * words] };
        for at in 0..observations {
            activity.observe(at, &rows.iter().map(|row| row[at]).collect::<Vec<_>>());
        }
        activity
    }
}
