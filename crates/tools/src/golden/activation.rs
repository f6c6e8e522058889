//! Faults of activations. Replacements have the same number of values, because the length of the file is
//! right.

use nnue_spec::op::Shift;
use nnue_spec::quant::product_shift;
use nnue_spec::{Activation, NetDesc, Source, StepDesc};

use super::fault::{Fault, Group};

/// The faults of all activation steps.
pub(super) fn faults<'a>(net: &NetDesc<'a>) -> Vec<Fault<'a>> {
    let steps = net.steps.iter().enumerate();
    steps
        .flat_map(|(at, step)| others(net, step).map(move |other| fault(net, at, other)))
        .collect()
}

/// The possible replacements for the activation of a step.
fn others(net: &NetDesc<'_>, step: &StepDesc) -> impl Iterator<Item = Activation> + use<> {
    let step = *step;
    let words = step
        .made()
        .is_some_and(|buffer| net.buffers[buffer].source == Source::Words);
    let declared = step
        .activation()
        .and_then(|activation| Some((activation, activation.operation()?)));
    Activation::ALL.into_iter().filter(move |&other| {
        let (Some((declared, before)), Some(after)) = (declared, other.operation()) else {
            return false;
        };
        let kept = !words || after.words().is_some();
        other != declared && before.pairs == after.pairs && is_defined(&step, other) && kept
    })
}

fn is_defined(step: &StepDesc, activation: Activation) -> bool {
    activation.operation().is_some_and(|operation| match step {
        StepDesc::ActivateAccumulator { .. } => operation.accumulators.is_some(),
        StepDesc::FloatAccumulator { .. } | StepDesc::AffineDirect { .. } => {
            operation.whole.is_some()
        }
        StepDesc::ActivateSums { .. } => operation.sums.is_some(),
        StepDesc::ActivateFloat { .. } => operation.floats.is_some(),
        StepDesc::Affine { .. }
        | StepDesc::FloatSums { .. }
        | StepDesc::Pool { .. }
        | StepDesc::Reduce { .. }
        | StepDesc::Map { .. }
        | StepDesc::Sign { .. } => false,
    })
}

/// The fault that step `at` has another activation.
fn fault<'a>(net: &NetDesc<'a>, at: usize, other: Activation) -> Fault<'a> {
    let name = net.activation_name(other);
    let (group, says) = match net.steps[at] {
        StepDesc::ActivateSums { layer, .. } | StepDesc::ActivateFloat { layer, .. } => (
            Group::Sums(at),
            format!("with `{name}` after `{}`", net.layers[layer].name),
        ),
        _ => (Group::Accumulators, format!("with `{name}`")),
    };
    let change = move |reading: &mut super::reading::Reading<'_>| {
        let (one, scale) = (
            reading.accumulator.one,
            scale_of(reading.steps[at], &reading.layers),
        );
        replace(&mut reading.steps[at], other, (one as u64, scale));
    };
    Fault {
        group,
        says,
        change: Box::new(change),
    }
}

/// The weight scale of the layer whose sums a step reads.
fn scale_of(step: StepDesc, layers: &[nnue_spec::LayerDesc<'_>]) -> u64 {
    match step {
        StepDesc::ActivateSums { layer, .. } => layers[layer].scale as u64,
        _ => 1,
    }
}

/// Replaces the activation of a step, with the default shift for the scales.
fn replace(step: &mut StepDesc, other: Activation, (one, scale): (u64, u64)) {
    let operation = other.operation();
    match step {
        StepDesc::ActivateAccumulator {
            activation, shift, ..
        } => {
            let formula = operation.and_then(|operation| operation.accumulators);
            let is_product = formula.is_some_and(|formula| matches!(formula.shift, Shift::Product));
            (*activation, *shift) = (other, if is_product { product_shift(one) } else { 0 });
        }
        StepDesc::ActivateSums {
            activation, shift, ..
        } => {
            *activation = other;
            if let Some(Shift::Sum { default, .. }) = operation
                .and_then(|known| known.sums)
                .map(|sums| sums.shift)
            {
                *shift = default(scale);
            }
        }
        StepDesc::FloatAccumulator { activation, .. }
        | StepDesc::AffineDirect { activation, .. }
        | StepDesc::ActivateFloat { activation, .. } => *activation = other,
        StepDesc::Affine { .. }
        | StepDesc::Map { .. }
        | StepDesc::FloatSums { .. }
        | StepDesc::Pool { .. }
        | StepDesc::Reduce { .. }
        | StepDesc::Sign { .. } => {}
    }
}
