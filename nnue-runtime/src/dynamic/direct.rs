//! The step of a layer that reads the accumulators directly.

use alloc::vec::Vec;

use nnue_spec::{Activation, TensorRef, TensorRole};

use super::builder::{Builder, PerStack};
use super::run::{Run, Start};
use super::scratch::{Place, Scratch};
use crate::direct::{Prepared, Weights};
use crate::kernel::direct::{SumOfAccumulators, with_bias};
use crate::simd::dispatch_family;

/// One output, written as the first of sixteen sums.
pub(super) struct Direct {
    activation: Activation,
    one: i16,
    /// per stack
    bias: Vec<i64>,
    inputs: usize,
    weights: PerStack,
    prepared: Prepared,
    sums: Place,
}

impl Direct {
    /// `None` if no kernel supports this scale.
    pub(super) fn new(
        builder: &mut Builder<'_>,
        activation: Activation,
        layer: usize,
    ) -> Option<Self> {
        let one = i16::try_from(builder.net.accumulator.one).ok()?;
        let inputs = builder.net.layers[layer].inputs;
        let Some(TensorRef::I16(values)) = builder.tensor(TensorRole::LayerWeight(layer)) else {
            return None;
        };
        let mut weights = PerStack::zeroed(builder.net.stacks.count, 2 * inputs);
        for stack in builder.stacks() {
            weights.of_mut::<i16>(stack)[..inputs]
                .copy_from_slice(&values[stack * inputs..][..inputs]);
        }
        let prepared = Prepared::of(builder.net, layer, values);
        let bias = builder
            .stacks()
            .map(|stack| builder.start(layer, stack)[0].into())
            .collect();
        let sums = builder.make_sums(layer);
        Some(Self {
            activation,
            one,
            bias,
            inputs,
            weights,
            prepared,
            sums,
        })
    }
}

impl Run for Direct {
    #[inline(always)]
    fn run(
        &self,
        Start {
            level,
            accumulators,
            stack,
        }: Start<'_>,
        scratch: &mut Scratch,
    ) {
        let &Self {
            activation,
            one,
            inputs,
            ref prepared,
            ..
        } = self;
        let weights = Weights {
            weights: &self.weights.of(stack)[..inputs],
            stack,
            prepared,
        };
        let sum = dispatch_family(
            level,
            SumOfAccumulators {
                activation,
                one,
                accumulators,
                weights,
            },
        );
        scratch.split::<i32>(self.sums).1[0] = with_bias(sum, self.bias[stack]);
    }
}
