//! Activity of neurons over positions: histograms of accumulators and activations, dead and saturated
//! neurons.
//!
//! A neuron of the accumulator is *dead* if it is never above 0, and *saturated* if it is never below 1.0:
//! then clipping makes it constant. A value of a layer is dead if it is always 0 (a sign: always -1), and
//! saturated if it is always the maximum of its buffer; floats have no maximum.

use std::collections::BTreeMap;

use nnue_spec::reference::{Position, StackTrace, accumulators, evaluate_layers};
use nnue_spec::{NetDesc, Source};

use crate::plot::chart::Chart;
use crate::plot::drawing::Drawing;
use crate::plot::histogram::{Histogram, Numbers};
use crate::plot::network::{Network, PlotError};

/// Gap between drawings, in pixels.
const GAP: f64 = 20.0;

/// Counts for a group of neurons.
#[derive(Clone, Debug)]
pub struct Group {
    /// `accumulator`, or the name of a buffer
    pub name: String,
    /// their layer stack, if there are several
    pub stack: Option<usize>,
    /// number of observations: one per position, for accumulators one per side
    pub seen: u64,
    /// for each neuron, how often it was inactive: at most 0
    pub inactive: Vec<u64>,
    /// for each neuron, how often it was at its maximum or above; floats have none
    pub full: Vec<u64>,
    /// frequency of each value, keyed by float bits that sort like the value
    values: BTreeMap<i64, u64>,
    has_floats: bool,
}

/// Counts for all neurons.
#[derive(Clone, Debug)]
pub struct Activity {
    /// number of positions
    pub positions: u64,
    /// the accumulator; two for separate weights of the perspectives
    pub accumulators: Vec<Group>,
    /// the activations, by stack and buffer
    pub buffers: Vec<Vec<Group>>,
}

impl Group {
    fn new(name: &str, len: usize, stack: Option<usize>, has_floats: bool) -> Self {
        let (inactive, full) = (vec![0; len], vec![0; len]);
        Self {
            name: name.to_owned(),
            stack,
            seen: 0,
            inactive,
            full,
            values: BTreeMap::new(),
            has_floats,
        }
    }

    fn add<T: Copy + Into<f64>>(&mut self, values: &[T], most: Option<f64>) {
        self.seen += u64::from(!values.is_empty());
        for (index, &value) in values.iter().enumerate() {
            let value: f64 = value.into();
            self.inactive[index] += u64::from(value <= 0.0);
            self.full[index] += u64::from(most.is_some_and(|most| value >= most));
            *self.values.entry(key(value)).or_default() += 1;
        }
    }

    /// Neurons that were never active.
    pub fn dead(&self) -> Vec<usize> {
        self.always(&self.inactive)
    }

    /// Neurons that were always at their maximum.
    pub fn saturated(&self) -> Vec<usize> {
        self.always(&self.full)
    }

    fn always(&self, counts: &[u64]) -> Vec<usize> {
        (0..counts.len())
            .filter(|&neuron| self.seen > 0 && counts[neuron] == self.seen)
            .collect()
    }

    /// Histogram of the values of all neurons.
    pub fn histogram(&self) -> Histogram {
        let numbers: &Numbers<'_> = &|each| {
            self.values
                .iter()
                .for_each(|(&key, &times)| each(number(key), times))
        };
        if self.has_floats {
            Histogram::floats(numbers)
        } else {
            Histogram::whole(numbers)
        }
    }

    /// `fc0_out of stack 3`.
    pub fn title(&self) -> String {
        match self.stack {
            Some(stack) => format!("{}, stack {stack}", self.name),
            None => self.name.clone(),
        }
    }
}

/// An integer that sorts like the float.
fn key(value: f64) -> i64 {
    let bits = value.to_bits() as i64;
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}

/// The inverse of [`key`].
fn number(key: i64) -> f64 {
    f64::from_bits((key ^ (((key >> 63) as u64) >> 1) as i64) as u64)
}

impl Activity {
    /// No positions yet.
    ///
    /// # Errors
    ///
    /// If the network has custom code.
    pub fn new(net: &NetDesc<'_>) -> Result<Self, PlotError> {
        if net.has_custom_code() {
            return Err(PlotError::Program {
                network: net.name.to_owned(),
            });
        }
        let perspectives: &[&str] = if net.accumulator.separate {
            &["accumulator", "second accumulator"]
        } else {
            &["accumulator"]
        };
        let accumulators = perspectives
            .iter()
            .map(|name| Group::new(name, net.accumulator.width, None, false));
        let of_stack = |stack: usize| {
            let stack = (net.stacks.count > 1).then_some(stack);
            let buffer = |buffer: &nnue_spec::BufferDesc<'_>| {
                Group::new(buffer.name, buffer.len, stack, buffer.source.is_float())
            };
            net.buffers.iter().map(buffer).collect()
        };
        let buffers = (0..net.stacks.count).map(of_stack).collect();
        Ok(Self {
            positions: 0,
            accumulators: accumulators.collect(),
            buffers,
        })
    }

    /// Adds a position, evaluated by the reference interpreter.
    ///
    /// # Panics
    ///
    /// If it is no position of the network, or the network differs from that of [`Self::new`].
    pub fn see(&mut self, network: &Network<'_>, position: &dyn Position) {
        let net = network.desc;
        self.positions += 1;
        let [first, second] = accumulators(net, network.tensors, position);
        let stack = position.features(net).stack;
        let layers = evaluate_layers(net, network.tensors, [&first, &second], stack, &[]);
        let most = Some(f64::from(net.accumulator.one));
        self.accumulators[0].add(&first, most);
        if net.accumulator.perspectives > 1 {
            let last = self.accumulators.len() - 1;
            self.accumulators[last].add(&second, most);
        }
        for (index, group) in self.buffers[stack].iter_mut().enumerate() {
            see_buffer(group, net, &layers, index);
        }
    }

    /// All groups with observations.
    pub fn groups(&self) -> impl Iterator<Item = &Group> {
        self.accumulators
            .iter()
            .chain(self.buffers.iter().flatten())
            .filter(|group| group.seen > 0)
    }

    /// Stacks that no position used.
    pub fn unused(&self) -> Vec<usize> {
        let is_unused = |stack: &usize| self.buffers[*stack].iter().all(|group| group.seen == 0);
        (0..self.buffers.len())
            .filter(|stack| !self.buffers[*stack].is_empty() && is_unused(stack))
            .collect()
    }

    /// The share of positions in which neurons of the accumulator are active, and saturated; each line is
    /// sorted.
    pub fn shares(&self) -> Drawing {
        let sorted = |group: &Group, counts: &dyn Fn(usize) -> u64| {
            let share = |neuron| counts(neuron) as f64 / group.seen.max(1) as f64;
            let mut shares: Vec<f64> = (0..group.inactive.len()).map(share).collect();
            shares.sort_by(f64::total_cmp);
            shares
                .into_iter()
                .enumerate()
                .map(|(place, share)| (place as f64, share))
                .collect::<Vec<_>>()
        };
        let mut lines = Vec::new();
        for group in &self.accumulators {
            let name = |what: &str| {
                if self.accumulators.len() > 1 {
                    format!("{what}, {}", group.name)
                } else {
                    what.into()
                }
            };
            lines.push((
                name("above 0"),
                sorted(group, &|neuron| group.seen - group.inactive[neuron]),
            ));
            lines.push((
                name("at 1.0 or more"),
                sorted(group, &|neuron| group.full[neuron]),
            ));
        }
        let title =
            "Share of positions in which neurons of the accumulator are active, each line sorted";
        Chart {
            title,
            lines,
            marks: Vec::new(),
            counts: true,
        }
        .draw()
    }

    /// The chart of [`Self::shares`], and a histogram for each group.
    pub fn draw(&self) -> Drawing {
        let histograms: Vec<Drawing> = self
            .groups()
            .map(|group| group.histogram().draw(&group.title()))
            .collect();
        Drawing::below(&[self.shares(), Drawing::grid(&histograms, 3, GAP)], GAP)
    }
}

fn see_buffer(group: &mut Group, net: &NetDesc<'_>, layers: &StackTrace, index: usize) {
    let buffer = &net.buffers[index];
    match buffer.source {
        source if source.is_float() => group.add(&layers.float_buffers[index], None),
        Source::Words => group.add(&layers.words[index], Some(buffer.max.into())),
        _ => group.add(&layers.buffers[index], Some(buffer.max.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_sort_like_their_keys() {
        let numbers = [f64::NEG_INFINITY, -2.0, -1.5, 0.0, 1e-9, 3.0, f64::INFINITY];
        assert!(numbers.windows(2).all(|pair| key(pair[0]) < key(pair[1])));
        assert!(numbers.iter().all(|&value| number(key(value)) == value));
    }

    #[test]
    fn neurons_that_never_change_are_found() {
        let mut group = Group::new("x", 4, None, false);
        for values in [[0_i16, 127, 5, -3], [0, 130, 0, -1]] {
            group.add(&values, Some(127.0));
        }
        assert_eq!((group.dead(), group.saturated()), (vec![0, 3], vec![1]));
        assert_eq!(group.histogram().total, 8);
    }
}
