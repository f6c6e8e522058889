//! A reading of a file: a descriptor, and the order of the weights in the file.

use nnue_spec::quant::{BUFFER_MAX, product_shift};
use nnue_spec::{
    AccumulatorDesc, ElementType, FeatureDesc, LayerDesc, NetDesc, StackDesc, StepDesc, TensorRef,
    Unit, ValueDesc,
};

use super::bias::OtherBias;
use super::order::{self, Layout};
use nnue_format::Elements;

/// A descriptor with parts that may differ from the declaration.
#[derive(Clone)]
pub(super) struct Reading<'a> {
    net: &'a NetDesc<'a>,
    pub(super) features: Vec<FeatureDesc>,
    pub(super) accumulator: AccumulatorDesc,
    pub(super) stacks: StackDesc,
    pub(super) layers: Vec<LayerDesc<'a>>,
    pub(super) steps: Vec<StepDesc>,
    pub(super) value: ValueDesc,
    pub(super) layout: Layout<'a>,
    /// the type of the last bias, if it is not the declared one
    pub(super) bias: Option<ElementType>,
}

impl<'a> Reading<'a> {
    pub(super) fn declared(net: &'a NetDesc<'a>) -> Self {
        Self {
            net,
            features: net.features.to_vec(),
            accumulator: net.accumulator,
            stacks: net.stacks,
            layers: net.layers.to_vec(),
            steps: net.steps.to_vec(),
            value: net.value,
            bias: None,
            layout: Layout {
                orders: order::declared_orders(net),
                second_first: false,
                other_bias: None,
            },
        }
    }

    /// Calls `read` with the descriptor.
    pub(super) fn with<R>(&self, read: impl FnOnce(&NetDesc<'_>) -> R) -> R {
        let mut tensors = self.net.tensors.to_vec();
        if let (Some(element), Some(bias)) = (self.bias, tensors.last_mut()) {
            bias.element = element;
        }
        read(&NetDesc {
            features: &self.features,
            accumulator: self.accumulator,
            stacks: self.stacks,
            layers: &self.layers,
            steps: &self.steps,
            value: self.value,
            tensors: &tensors,
            ..*self.net
        })
    }

    /// The tensors of the file in this layout; `None` for those equal to `tensors`, which were read as
    /// declared. `biases` are those that may take the place of the last one.
    pub(super) fn weights(
        &self,
        tensors: &[TensorRef<'_>],
        biases: &[OtherBias],
    ) -> Vec<Option<Elements>> {
        order::reread(self.net, &self.layout, tensors, biases)
    }

    /// Number of element copies of [`Self::weights`]: two per element.
    pub(super) fn work(&self) -> u64 {
        let declared = order::declared_orders(self.net);
        let orders = declared
            .iter()
            .zip(&self.layout.orders)
            .zip(self.net.tensors);
        let changed =
            orders.filter(|((declared, order), _)| self.layout.second_first || declared != order);
        changed.map(|(_, desc)| 2 * desc.len() as u64).sum()
    }

    /// Adapts shifts and units to the scales and activations. Returns false if no such network exists.
    pub(super) fn settle(&mut self) -> bool {
        let one = self.accumulator.one;
        let is_sound = self.steps.iter_mut().all(|step| settle(step, one));
        for at in 0..self.steps.len() {
            if let StepDesc::FloatSums { layer, .. } = self.steps[at] {
                let of_sums = self.unit_of_sums(layer);
                if let StepDesc::FloatSums { unit, .. } = &mut self.steps[at] {
                    *unit = of_sums;
                }
            }
        }
        is_sound
    }

    /// The unit of the sums of an integer layer.
    fn unit_of_sums(&self, layer: usize) -> Unit {
        let LayerDesc {
            segments, scale, ..
        } = self.layers[layer];
        let Unit { num, den } = self.with(|net| net.unit_of(segments[0].buffer));
        Unit {
            num,
            den: den.saturating_mul(scale as u64),
        }
    }
}

/// Sets the shift or unit of a step that reads accumulators. Returns false if its activation is not defined
/// for them.
fn settle(step: &mut StepDesc, one: i32) -> bool {
    match step {
        StepDesc::ActivateAccumulator {
            activation, shift, ..
        } => {
            let Some(operation) = activation.operation() else {
                return true;
            };
            let Some(formula) = operation.accumulators else {
                return false;
            };
            let fits = |shift| (formula.greatest)(one.into(), shift) <= BUFFER_MAX as i64;
            if !fits(*shift) {
                *shift = product_shift(one as u64);
            }
            fits(*shift) && formula.only_one.is_none_or(|only| only == one as u64)
        }
        StepDesc::FloatAccumulator {
            activation, unit, ..
        } => {
            let Some(operation) = activation.operation() else {
                return true;
            };
            let Some(formula) = operation.whole else {
                return false;
            };
            *unit = (formula.unit)(one as u64, 0);
            true
        }
        StepDesc::AffineDirect { activation, .. } => activation
            .operation()
            .is_some_and(|known| known.whole.is_some()),
        _ => true,
    }
}
