//! The share of one thread in the gradient of a batch.

use std::ops::Range;

use nnue_spec::op::Real;

use super::pairs::Pairs;
use crate::batch::Batch;
use crate::loss::{Example, Loss, Objective, Wanted};
use crate::network::{Network, Others, Outputs, Parameters, Position, Tensor, Workspace};

/// Shared inputs of the threads.
#[derive(Debug)]
pub(super) struct Task<'a, T> {
    pub(super) network: &'a Network<T>,
    pub(super) parameters: &'a Parameters<T>,
    pub(super) batch: &'a Batch,
    pub(super) objective: &'a Objective,
    /// sum of the weights of all examples
    pub(super) weight: f64,
}

/// Memory of a thread, and its results.
#[derive(Clone, Debug)]
pub(super) struct Part<T> {
    workspace: Workspace<T>,
    /// for each position of a group; empty if the value is the only output
    others: Vec<Others<T>>,
    /// positions of the last round
    pub(super) positions: Range<usize>,
    /// the same positions sorted by stack
    order: Vec<usize>,
    /// gradient of all parameters except feature weights
    of_layers: Parameters<T>,
    /// gradient of the last round, `[position][perspective][neuron]`
    pub(super) of_accumulators: Tensor<T>,
    /// gradient of the first perspective's PSQT outputs in the last round
    pub(super) of_psqt: Vec<Outputs<T>>,
    /// accumulators of each row in the last round
    pub(super) pairs: Pairs,
    loss: f64,
}

/// Positions that go through the network together.
const GROUP: usize = 8;

impl<T: Real> Part<T> {
    pub(super) fn new(network: &Network<T>) -> Self {
        let transformer = network.transformer();
        Self {
            workspace: network.workspace_of(GROUP),
            others: vec![Others::default(); if network.has_others() { GROUP } else { 0 }],
            positions: 0..0,
            order: Vec::new(),
            of_layers: network.zeros_of_layers(),
            of_accumulators: Tensor::zeros(0),
            of_psqt: Vec::new(),
            pairs: Pairs::new(transformer.rows() * if transformer.is_separate() { 2 } else { 1 }),
            loss: 0.0,
        }
    }

    pub(super) fn clear(&mut self) {
        self.of_layers.clear();
        self.loss = 0.0;
    }

    /// Contribution to the mean loss since the last `clear`.
    pub(super) const fn loss(&self) -> f64 {
        self.loss
    }

    /// Adds the gradient of layers and biases to `sum`.
    pub(super) fn add_layers(&self, sum: &mut Parameters<T>) {
        for (sum, of_layer) in sum.tensors.iter_mut().zip(&self.of_layers.tensors) {
            sum.iter_mut()
                .zip(of_layer)
                .for_each(|(sum, &number)| *sum += number);
        }
    }

    /// Runs one round: adds the gradient of layers and the loss of some positions, and keeps the gradient of
    /// their accumulators.
    pub(super) fn run(&mut self, task: &Task<'_, T>, positions: Range<usize>) {
        let &Task { network, batch, .. } = task;
        let transformer = network.transformer();
        self.pairs
            .sort(batch, positions.clone(), transformer.is_separate());
        let length = positions.len() * transformer.perspectives() * transformer.width();
        if self.of_accumulators.len() < length {
            self.of_accumulators = Tensor::zeros(length);
        }
        self.of_psqt.resize(positions.len(), Outputs::default());
        self.order.clear();
        self.order.extend(positions.clone());
        self.order.sort_by_key(|&position| batch.stacks()[position]);
        self.positions = positions;
        let order = std::mem::take(&mut self.order);
        for of_stack in order.chunk_by(|&one, &other| batch.stacks()[one] == batch.stacks()[other])
        {
            of_stack
                .chunks(GROUP)
                .for_each(|group| self.add(task, group));
        }
        self.order = order;
    }

    /// Forward and backward pass of up to [`GROUP`] positions of the same stack.
    fn add(&mut self, task: &Task<'_, T>, group: &[usize]) {
        let &Task {
            network,
            parameters,
            batch,
            ..
        } = task;
        let mut positions = [Position {
            rows: [&[]; 2],
            stack: 0,
            listed: &[],
        }; GROUP];
        let mut outputs = [Outputs::default(); GROUP];
        let (positions, outputs) = (&mut positions[..group.len()], &mut outputs[..group.len()]);
        for (position, &index) in positions.iter_mut().zip(group) {
            *position = position_of(batch, index);
        }
        let others = self.others.len().min(group.len());
        let others = &mut self.others[..others];
        network.forward_all(
            parameters,
            positions,
            &mut self.workspace,
            (outputs, others),
        );
        let mut none = Others::default();
        for (place, (outputs, &index)) in outputs.iter_mut().zip(group).enumerate() {
            let others = others.get_mut(place).unwrap_or(&mut none);
            self.loss += replace_by_gradient(task, index, outputs, others);
        }
        network.backward_all(
            parameters,
            positions,
            &mut self.workspace,
            (outputs, others),
            &mut self.of_layers,
        );
        let of_groups = self.workspace.of_accumulators(network).zip(outputs);
        for ((of_accumulators, of_outputs), &index) in of_groups.zip(group) {
            let (place, length) = (index - self.positions.start, of_accumulators.len());
            self.of_accumulators[place * length..][..length].copy_from_slice(of_accumulators);
            self.of_psqt[place] = network.of_first_psqt(*of_outputs);
        }
    }
}

/// Overwrites the outputs with their gradient and returns the loss, both as shares of the mean.
fn replace_by_gradient<T: Real>(
    task: &Task<'_, T>,
    index: usize,
    outputs: &mut Outputs<T>,
    others: &mut Others<T>,
) -> f64 {
    let example = example(task.batch, index);
    let wanted = Wanted {
        example,
        shares: task.batch.moves(index).1,
        left: task.batch.left()[index],
    };
    let share = weight_of(&task.objective.loss, task.batch, index) / task.weight;
    let (loss, of_outputs) =
        task.objective
            .of(task.network.meaning(), (*outputs, others), wanted, share);
    *outputs = of_outputs;
    loss * share
}

fn position_of(batch: &Batch, index: usize) -> Position<'_> {
    let rows = [0, 1].map(|side| {
        if side < batch.perspectives() {
            batch.rows(index, side)
        } else {
            &[]
        }
    });
    Position {
        rows,
        stack: batch.stacks()[index].into(),
        listed: batch.moves(index).0,
    }
}

pub(super) fn weight_of(loss: &Loss, batch: &Batch, position: usize) -> f64 {
    loss.weight_of(example(batch, position)) * f64::from(batch.weights()[position])
}

fn example(batch: &Batch, position: usize) -> Example {
    Example {
        score: batch.scores()[position].into(),
        result: batch.results()[position].into(),
    }
}
