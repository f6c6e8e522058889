//! Nonzero inputs of the first layer, position by position.
//!
//! ```text
//!              observations: a position, seen by a side (and a neuron of the group, where several are read)
//!   group 0    1 0 0 1 1 0 ..   \
//!   group 1    0 0 0 1 0 0 ..    | a block of four inputs: it is skipped where all of them are zero,
//!   group 2    1 0 0 0 0 0 ..    | that is where the OR of the rows has a zero
//!   group 3    0 0 0 1 1 0 ..   /
//! ```

use nnue_spec::op::Formula;
use nnue_spec::{LayerKind, NetDesc, StepDesc};

use super::OrderError;
use crate::permute::Groups;

/// Number of inputs that a kernel skips together.
pub const BLOCK: usize = 4;

/// A bit for each group of neurons and observation: whether the group is nonzero.
#[derive(Clone, Debug)]
pub struct Activity {
    pub(super) groups: Groups,
    activations: Vec<Activation>,
    /// scale of the accumulators
    one: i32,
    /// capacity
    observations: usize,
    /// observations so far
    made: usize,
    words: usize,
    rows: Vec<u64>,
}

/// Counts of inputs of the first layer and of blocks that a kernel can skip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// inputs that are zero
    pub zero_inputs: usize,
    /// all inputs
    pub inputs: usize,
    /// blocks that are zero
    pub zero: usize,
    /// all blocks
    pub all: usize,
}

/// An activation of the accumulators that is read by a layer which skips zero blocks.
#[derive(Clone, Copy, Debug)]
struct Activation {
    function: nnue_spec::Activation,
    shift: u32,
}

impl Activity {
    /// No observations yet, with room for `positions`.
    ///
    /// # Errors
    ///
    /// If another order cannot gain anything.
    pub fn new(net: &NetDesc<'_>, positions: usize) -> Result<Self, OrderError> {
        let (groups, activations) = (groups(net)?, activations(net)?);
        let runs: usize = activations
            .iter()
            .map(|activation| activation.runs(groups))
            .sum();
        let observations = positions * net.accumulator.perspectives * runs;
        let words = observations.div_ceil(64);
        let rows = vec![0; groups.count * words];
        Ok(Self {
            groups,
            activations,
            one: net.accumulator.one,
            observations,
            made: 0,
            words,
            rows,
        })
    }

    /// Observes an accumulator. Each position has as many as layers read.
    ///
    /// # Panics
    ///
    /// If its length is wrong, or there is no room for more positions.
    pub fn observe(&mut self, accumulator: &[i16]) {
        assert_eq!(
            accumulator.len(),
            self.groups.count * self.groups.neurons,
            "neurons of an accumulator"
        );
        for index in 0..self.activations.len() {
            let values = self.activations[index].active(self.one, accumulator);
            for run in values.chunks_exact(self.groups.count) {
                self.add(run);
            }
        }
    }

    fn add(&mut self, active: &[bool]) {
        assert!(
            self.made < self.observations,
            "more positions than there is room for"
        );
        let (word, bit) = (self.made / 64, self.made % 64);
        for (row, &active) in self.rows.chunks_exact_mut(self.words).zip(active) {
            row[word] |= u64::from(active) << bit;
        }
        self.made += 1;
    }

    /// Number of groups of neurons.
    pub const fn groups(&self) -> usize {
        self.groups.count
    }

    /// The observations of a group.
    pub(super) fn row(&self, group: usize) -> &[u64] {
        &self.rows[group * self.words..][..self.words]
    }

    pub(super) const fn words(&self) -> usize {
        self.words
    }

    /// Counts the blocks for an order of the groups.
    pub fn blocks(&self, order: &[usize]) -> Blocks {
        let active: usize = order.iter().map(|&group| count(self.row(group))).sum();
        let busy = |block: &[usize]| -> usize {
            let word = |word: usize| {
                block
                    .iter()
                    .fold(0, |or, &group| or | self.row(group)[word])
            };
            (0..self.words)
                .map(|at| word(at).count_ones() as usize)
                .sum()
        };
        let blocks = order.chunks(BLOCK);
        let (inputs, all) = (order.len() * self.made, blocks.len() * self.made);
        Blocks {
            zero_inputs: inputs - active,
            inputs,
            zero: all - blocks.map(busy).sum::<usize>(),
            all,
        }
    }
}

/// Number of set bits.
pub(super) fn count(bits: &[u64]) -> usize {
    bits.iter().map(|word| word.count_ones() as usize).sum()
}

impl Activation {
    /// How many consecutive runs of all groups its values are.
    fn runs(self, groups: Groups) -> usize {
        if self
            .function
            .operation()
            .is_some_and(|operation| operation.pairs.is_some())
        {
            1
        } else {
            groups.neurons
        }
    }

    /// Which of its values are nonzero.
    fn active(self, one: i32, accumulator: &[i16]) -> Vec<bool> {
        let formula = self
            .function
            .operation()
            .and_then(|operation| Some((operation.pairs, operation.accumulators?)));
        let Some((pairs, formula)) = formula else {
            // Custom functions are not known here.
            return vec![true; accumulator.len()];
        };
        let values: Vec<i64> = accumulator.iter().map(|&value| value.into()).collect();
        Formula::apply(formula.value, pairs, &values, (one.into(), self.shift))
            .map(|value| value != 0)
            .collect()
    }
}

/// The groups of a network, if their order is free.
fn groups(net: &NetDesc<'_>) -> Result<Groups, OrderError> {
    let groups = Groups::of(net).map_err(|reason| OrderError::fixed(net, reason))?;
    if groups.count % BLOCK != 0 {
        return Err(OrderError::Blocks {
            network: net.name.to_owned(),
            groups: groups.count,
        });
    }
    Ok(groups)
}

/// The activations that are read by layers which skip blocks.
fn activations(net: &NetDesc<'_>) -> Result<Vec<Activation>, OrderError> {
    let sparse = net.layers.iter().filter(|layer| {
        matches!(
            layer.kind,
            LayerKind::Sparse | LayerKind::BlockSparse { .. }
        )
    });
    let read: Vec<usize> = sparse
        .flat_map(|layer| layer.segments)
        .map(|segment| segment.buffer)
        .collect();
    let activations = net.steps.iter().filter_map(|step| match *step {
        StepDesc::ActivateAccumulator {
            activation,
            shift,
            buffer,
        } if read.contains(&buffer) => Some(Activation {
            function: activation,
            shift,
        }),
        _ => None,
    });
    let activations: Vec<_> = activations.collect();
    if activations.is_empty() {
        return Err(OrderError::Dense {
            notation: net.notation.to_owned(),
        });
    }
    Ok(activations)
}

#[cfg(test)]
impl Activity {
    pub(super) fn from_rows(rows: &[&[bool]]) -> Self {
        let observations = rows[0].len();
        let words = observations.div_ceil(64);
        let groups = Groups {
            count: rows.len(),
            neurons: 1,
        };
        let memory = vec![0; rows.len() * words];
        let mut activity = Self {
            groups,
            activations: Vec::new(),
            one: 1,
            observations,
            made: 0,
            words,
            rows: memory,
        };
        for at in 0..observations {
            activity.add(&rows.iter().map(|row| row[at]).collect::<Vec<_>>());
        }
        activity
    }
}
