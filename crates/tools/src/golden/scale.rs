//! Faults of scales: of the accumulators (often called QA), of layer weights (often QB) and of the value.

use nnue_spec::{Activation, LayerKind, NetDesc, StepDesc, Unit, ValueDesc};

use super::fault::{Fault, Group};
use super::reading::Reading;

/// Common scales of accumulators.
const ONES: [i32; 6] = [127, 128, 181, 255, 256, 362];
/// Common scales of layer weights.
const SCALES: [i32; 4] = [32, 64, 128, 256];
/// Common values of an output of 1.0.
const OUTPUTS: [i64; 12] = [100, 200, 300, 340, 350, 360, 361, 380, 400, 410, 600, 1000];
/// Common divisors of the value.
const DIVISORS: [i32; 4] = [8, 16, 32, 64];

/// The faults of scales that affect the layers.
pub(super) fn faults<'a>(net: &NetDesc<'a>) -> Vec<Fault<'a>> {
    let ones = ONES
        .into_iter()
        .filter(|&one| one != net.accumulator.one)
        .map(|one| {
            let says = format!("with the accumulators at `@ {one}`");
            Fault {
                group: Group::One,
                says,
                change: Box::new(move |reading| set_one(reading, one)),
            }
        });
    let layers = net
        .layers
        .iter()
        .enumerate()
        .filter(|(_, layer)| !matches!(layer.kind, LayerKind::Float { .. }));
    let scales = layers.flat_map(|(at, layer)| {
        SCALES
            .into_iter()
            .filter(|&scale| scale != layer.scale)
            .map(move |scale| {
                let says = format!("with the weights of `{}` at `@ {scale}`", layer.name);
                Fault {
                    group: Group::Scale(at),
                    says,
                    change: Box::new(move |reading| set_scale(reading, at, scale)),
                }
            })
    });
    ones.chain(scales).collect()
}

fn set_one(reading: &mut Reading<'_>, one: i32) {
    let is_direct = reading
        .layers
        .iter()
        .any(|layer| layer.kind == LayerKind::Direct);
    if let (true, ValueDesc::Scaled { den, .. }) = (is_direct, &mut reading.value) {
        *den = *den / i64::from(reading.accumulator.one) * i64::from(one);
    }
    reading.accumulator.one = one;
}

fn set_scale(reading: &mut Reading<'_>, layer: usize, scale: i32) {
    let declared = reading.layers[layer].scale;
    reading.layers[layer].scale = scale;
    if let (true, ValueDesc::Scaled { den, .. }) =
        (layer + 1 == reading.layers.len(), &mut reading.value)
    {
        *den = *den / i64::from(declared) * i64::from(scale);
    }
    let [before, after] = [declared, scale].map(i32::ilog2);
    for step in &mut reading.steps {
        if let StepDesc::ActivateSums {
            layer: read,
            shift,
            activation,
            ..
        } = step
            && *read == layer
        {
            let times = if *activation == Activation::SqrCrelu {
                2
            } else {
                1
            };
            *shift = (*shift + times * after).saturating_sub(times * before);
        }
    }
}

/// Other declarations of the value for the same outputs.
pub(super) fn other_values(value: ValueDesc) -> Vec<(String, ValueDesc)> {
    let held = |output: i64| i32::try_from(output).unwrap_or(i32::MAX);
    let others = OUTPUTS.into_iter().map(|output| match value {
        ValueDesc::Scaled { den, .. } => ValueDesc::Scaled { num: output, den },
        ValueDesc::Float { .. } => ValueDesc::Float {
            scale: Unit::whole(output.unsigned_abs()),
        },
        ValueDesc::Sigmoid { .. } => ValueDesc::Sigmoid {
            scale: held(output),
        },
        ValueDesc::Wdl { .. } => ValueDesc::Wdl {
            scale: held(output),
        },
        divided => divided,
    });
    let divided = DIVISORS.into_iter().map(|divide| match value {
        ValueDesc::Together { .. } => ValueDesc::Together { divide },
        ValueDesc::Separately { .. } => ValueDesc::Separately { divide },
        scaled => scaled,
    });
    others
        .chain(divided)
        .filter(|other| *other != value)
        .map(|other| (says(other), other))
        .collect()
}

/// The declarations of the value for which an output gives `declared` where `value` gives `found`.
///
/// Only for values proportional to outputs: `value output * n`.
pub(super) fn solved(value: ValueDesc, found: i32, declared: i32) -> Vec<(String, ValueDesc)> {
    let scale = match value {
        ValueDesc::Scaled { num, .. } => num,
        ValueDesc::Float { scale } => scale.real() as i64,
        _ => return Vec::new(),
    };
    let (found, declared) = (i64::from(found), i64::from(declared));
    if found == 0 || found.signum() != declared.signum() {
        return Vec::new();
    }
    // Both values are truncated toward zero, so several scales are possible.
    let around = i128::from(declared) * i128::from(scale) / i128::from(found);
    let reach = scale / found.abs() + 1;
    let Ok(around) = i64::try_from(around) else {
        return Vec::new();
    };
    let scales = (around - reach.min(MOST_SOLVED)..=around + reach.min(MOST_SOLVED))
        .filter(|&other| other > 0);
    let others = scales.filter_map(|other| match value {
        ValueDesc::Scaled { den, .. } if other <= i32::MAX.into() => {
            Some(ValueDesc::Scaled { num: other, den })
        }
        ValueDesc::Float { .. } => Some(ValueDesc::Float {
            scale: Unit::whole(i32::try_from(other).ok()?.unsigned_abs().into()),
        }),
        _ => None,
    });
    others
        .filter(|other| *other != value)
        .map(|other| (says(other), other))
        .collect()
}

/// The greatest distance from the quotient of the two values at which scales are tried.
const MOST_SOLVED: i64 = 16;

fn says(value: ValueDesc) -> String {
    match value {
        ValueDesc::Together { divide } => format!("with `value (psqt + positional) / {divide}`"),
        ValueDesc::Separately { divide } => {
            format!("with `value psqt / {divide} + positional / {divide}`")
        }
        ValueDesc::Scaled { num: scale, .. } => format!("with `value output * {scale}`"),
        ValueDesc::Shifted { bits } => format!("with `value output >> {bits}`"),
        ValueDesc::Float { scale } => format!("with `value output * {scale}`"),
        ValueDesc::Sigmoid { scale } => format!("with `value sigmoid(output) * {scale}`"),
        ValueDesc::Wdl { scale } => format!("with `value wdl * {scale}`"),
    }
}
