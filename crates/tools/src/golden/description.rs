//! Faults of feature row numbering and of the perspective order.

use nnue_spec::{FeatureSetId, KingBuckets, NetDesc, PerspectiveOrder};

use super::fault::{Fault, Group};
use super::reading::Reading;
use super::selection;

/// The faults of the description, except those of scales and activations.
pub(super) fn faults<'a>(net: &NetDesc<'a>) -> Vec<Fault<'a>> {
    let mut faults = Vec::from_iter(other_rows(net).into_iter().map(|(says, set)| {
        let change =
            move |reading: &mut Reading<'_>| reading.features[0].set = FeatureSetId::King(set);
        Fault {
            group: Group::Rows,
            says,
            change: Box::new(change),
        }
    }));
    faults.push(other_order(net));
    faults.extend(selection::faults(net));
    faults
}

/// Feature sets with mirroring switched, with Black's board rotated instead of flipped or the reverse, and
/// with king buckets counted from the other side of the board.
fn other_rows(net: &NetDesc<'_>) -> Vec<(String, KingBuckets)> {
    let declared = match net.features.first().map(|feature| feature.set) {
        Some(FeatureSetId::Chess768) => KingBuckets::new([0; 64], false, false),
        Some(FeatureSetId::King(king)) => king,
        _ => return Vec::new(),
    };
    let of = |table, mirrored| {
        let other = KingBuckets::new(table, mirrored, declared.is_merged());
        if declared.sees_attacks() {
            other.with_attacks()
        } else {
            other
        }
    };
    let table = declared.table();
    let word = |is: bool| if is { "without" } else { "with" };
    let says = format!("{} `mirrored`", word(declared.is_mirrored()));
    let mut others = vec![(says, of(table, !declared.is_mirrored()))];
    if !declared.is_mirrored() {
        let plain = of(table, false);
        let other = if declared.is_rotated() {
            plain
        } else {
            plain.rotated()
        };
        others.push((format!("{} `rotated`", word(declared.is_rotated())), other));
    }
    let turned = core::array::from_fn(|square| table[square ^ 56]);
    if turned != table {
        let other = of(turned, declared.is_mirrored());
        let other = if declared.is_rotated() {
            other.rotated()
        } else {
            other
        };
        others.push(("with the king buckets of rank 8 first".to_owned(), other));
    }
    others
}

/// The fault that the perspectives have the other order.
fn other_order(net: &NetDesc<'_>) -> Fault<'static> {
    let (order, says) = match net.accumulator.order {
        PerspectiveOrder::SideToMove => (PerspectiveOrder::WhiteFirst, "with `white_first`"),
        PerspectiveOrder::WhiteFirst => (PerspectiveOrder::SideToMove, "without `white_first`"),
    };
    let change = move |reading: &mut Reading<'_>| reading.accumulator.order = order;
    Fault {
        group: Group::Order,
        says: says.to_owned(),
        change: Box::new(change),
    }
}
