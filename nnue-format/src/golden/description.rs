//! Other descriptions of the network for the same weights.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use nnue_spec::{AccumulatorDesc, DirectActivation, FeatureSetId, KingBuckets, NetDesc, PerspectiveOrder, StepDesc};

use super::selection;

/// The descriptions, as they are declared, that give all golden values: `fits` says so.
pub(super) fn other_readings(net: &NetDesc<'_>, fits: impl Fn(&NetDesc<'_>) -> bool) -> Vec<String> {
    let mut readings = Vec::from_iter(other_features(net, &fits));
    readings.extend(other_order(net, &fits));
    readings.extend(selection::other_stacks(net, &fits));
    readings.extend(other_activation(net, &fits));
    readings
}

/// A board that is mirrored, or is not.
fn other_features(net: &NetDesc<'_>, fits: impl Fn(&NetDesc<'_>) -> bool) -> Option<String> {
    let mut features = net.features.to_vec();
    let first = features.first_mut()?;
    let buckets = match first.set {
        FeatureSetId::Chess768 => KingBuckets::MIRRORED,
        FeatureSetId::King(king) => KingBuckets::new(king.table(), !king.is_mirrored(), king.is_merged()),
        _ => return None,
    };
    first.set = FeatureSetId::King(buckets);
    let says = if buckets.is_mirrored() { "with" } else { "without" };
    fits(&NetDesc { features: &features, ..*net }).then(|| format!("{says} `mirrored`"))
}

/// The perspectives in the other order.
fn other_order(net: &NetDesc<'_>, fits: impl Fn(&NetDesc<'_>) -> bool) -> Option<String> {
    let (order, says) = match net.accumulator.order {
        PerspectiveOrder::SideToMove => (PerspectiveOrder::WhiteFirst, "with"),
        PerspectiveOrder::WhiteFirst => (PerspectiveOrder::SideToMove, "without"),
    };
    let accumulator = AccumulatorDesc { order, ..net.accumulator };
    fits(&NetDesc { accumulator, ..*net }).then(|| format!("{says} `white_first`"))
}

/// The other activation of accumulators that 16-bit weights read.
fn other_activation(net: &NetDesc<'_>, fits: impl Fn(&NetDesc<'_>) -> bool) -> Option<String> {
    let mut steps = net.steps.to_vec();
    let activation = steps.iter_mut().find_map(|step| match step {
        StepDesc::AffineDirect { activation, .. } => Some(activation),
        _ => None,
    })?;
    let (other, name) = match activation {
        DirectActivation::Crelu => (DirectActivation::Screlu, "screlu"),
        DirectActivation::Screlu => (DirectActivation::Crelu, "crelu"),
        DirectActivation::Pairwise => return None, // others have twice the weights
    };
    *activation = other;
    fits(&NetDesc { steps: &steps, ..*net }).then(|| format!("with `{name}`"))
}
