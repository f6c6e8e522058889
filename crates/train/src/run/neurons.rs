//! Idle neurons on the held-out positions: dead (never above 0) or saturated (never below their maximum).

use crate::quantized::Evaluation;
use nnue_spec::NetDesc;

/// Activity of the neurons so far.
#[derive(Clone, Debug)]
pub(crate) struct Neurons {
    /// one group, or one per perspective if these have separate weights
    accumulators: Vec<Group>,
    /// `[stack][buffer]`
    buffers: Vec<Vec<Group>>,
}

#[derive(Clone, Debug)]
struct Group {
    /// whether any position has used the layer
    seen: bool,
    above_zero: Vec<bool>,
    below_most: Vec<bool>,
}

/// Numbers of idle neurons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Idle {
    pub(crate) dead: usize,
    pub(crate) saturated: usize,
}

impl Group {
    fn new(len: usize) -> Self {
        Self {
            seen: false,
            above_zero: vec![false; len],
            below_most: vec![false; len],
        }
    }

    fn add<T: PartialOrd + Copy>(&mut self, values: &[T], zero: T, most: T) {
        self.seen |= !values.is_empty();
        let seen = self.above_zero.iter_mut().zip(&mut self.below_most);
        for (&value, (above, below)) in values.iter().zip(seen) {
            *above |= value > zero;
            *below |= value < most;
        }
    }

    fn merge(&mut self, other: &Self) {
        self.seen |= other.seen;
        self.above_zero
            .iter_mut()
            .zip(&other.above_zero)
            .for_each(|(here, there)| *here |= there);
        self.below_most
            .iter_mut()
            .zip(&other.below_most)
            .for_each(|(here, there)| *here |= there);
    }
}

impl Neurons {
    pub(crate) fn new(net: &NetDesc<'_>) -> Self {
        let accumulators = if net.accumulator.separate { 2 } else { 1 };
        let buffers = net
            .buffers
            .iter()
            .map(|buffer| Group::new(buffer.len))
            .collect();
        Self {
            accumulators: vec![Group::new(net.accumulator.width); accumulators],
            buffers: vec![buffers; net.stacks.count],
        }
    }

    /// Adds the activity in a position.
    pub(crate) fn add(&mut self, net: &NetDesc<'_>, stack: usize, evaluation: &Evaluation) {
        let last = self.accumulators.len() - 1;
        for (perspective, sums) in evaluation.accumulators.iter().enumerate() {
            self.accumulators[perspective.min(last)].add(sums, 0, net.accumulator.one as i16);
        }
        for (index, (group, buffer)) in self.buffers[stack].iter_mut().zip(net.buffers).enumerate()
        {
            if !buffer.source.is_accumulator() {
                group.add(
                    &evaluation.layers.buffers[index],
                    0,
                    buffer.max.try_into().unwrap_or(u8::MAX),
                );
                // Floats have no maximum.
                group.add(&evaluation.layers.float_buffers[index], 0.0, f32::INFINITY);
            }
        }
    }

    /// Adds the activity that another thread has seen.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.accumulators
            .iter_mut()
            .zip(&other.accumulators)
            .for_each(|(here, there)| here.merge(there));
        let here = self.buffers.iter_mut().flatten();
        here.zip(other.buffers.iter().flatten())
            .for_each(|(here, there)| here.merge(there));
    }

    /// Counts idle neurons in layers that some position has used.
    pub(crate) fn idle(&self) -> Idle {
        let groups = self
            .accumulators
            .iter()
            .chain(self.buffers.iter().flatten())
            .filter(|group| group.seen);
        let count = |flags: &[bool]| flags.iter().filter(|flag| !**flag).count();
        groups.fold(Idle::default(), |idle, group| Idle {
            dead: idle.dead + count(&group.above_zero),
            saturated: idle.saturated + count(&group.below_most),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neurons_that_never_change_are_counted() {
        let mut group = Group::new(4);
        for values in [[0, 127, 5, -3], [0, 127, 0, -1]] {
            group.add(&values, 0, 127);
        }
        let neurons = Neurons {
            accumulators: vec![group, Group::new(2)],
            buffers: Vec::new(),
        };
        assert_eq!(
            neurons.idle(),
            Idle {
                dead: 2,
                saturated: 1
            }
        );
    }
}
