//! Feature sets and the accumulator.

use nnue_spec::text::feature;
use nnue_spec::{
    CustomDesc, DEFAULT_NONZERO, ElementType, FeatureDesc, FeatureSetId, KingBuckets, NetDesc,
    PerspectiveOrder, quant,
};

use super::{Defaults, runs};

/// `acc = accumulate(768, 128 @ 255) x 2;`, and `inputs` before it where there are several sets.
pub(super) fn lines(net: &NetDesc<'_>, defaults: Defaults) -> Vec<String> {
    let sets = net
        .features
        .iter()
        .map(|one| set(one, &net.custom))
        .collect::<Vec<_>>()
        .join(" + ");
    let (mut lines, mut source) = (Vec::new(), sets.clone());
    if net.features.len() > 1 {
        lines.push(format!("inputs = {sets};"));
        source = "inputs".into();
    }
    let accumulator = net.accumulator;
    let mut text = format!("acc = accumulate({source}, {}", accumulator.width);
    if !defaults.omit(accumulator.one as u64, quant::DEFAULT_ONE) {
        text += &format!(" @ {}", accumulator.one);
    }
    text += ")";
    if accumulator.perspectives > 1 {
        text += &format!(" x {}", accumulator.perspectives);
    }
    if accumulator.psqt > 0 {
        text += &format!(", psqt {}", accumulator.psqt);
    }
    if accumulator.psqt_floats > 0 {
        text += &format!(", psqt {}: f32", accumulator.psqt_floats);
    }
    if accumulator.order == PerspectiveOrder::WhiteFirst {
        text += &format!(", {}", accumulator.order.name());
    }
    if accumulator.separate {
        text += ", separate";
    }
    if !defaults.omit(accumulator.nonzero, DEFAULT_NONZERO) {
        text += &format!(", nonzero {}%", accumulator.nonzero);
    }
    lines.push(text + ";");
    lines
}

/// A feature set; a custom one with its row count and most active features.
fn set(desc: &FeatureDesc, custom: &CustomDesc<'_>) -> String {
    let (rows, bytes) = (
        desc.rows,
        if desc.element == ElementType::I8 {
            " as i8"
        } else {
            ""
        },
    );
    match desc.set {
        FeatureSetId::King(buckets) => format!(
            "Chess{}[{rows}{}]{bytes}",
            64 * buckets.piece_planes(),
            kings(buckets)
        ),
        FeatureSetId::Custom(set) => {
            let groups = custom.groups.iter();
            let parts: Vec<_> = groups
                .map(|group| format!("{}: {}", group.name, group.rows))
                .collect();
            let rows = if parts.is_empty() {
                rows.to_string()
            } else {
                parts.join(", ")
            };
            format!("{}[{rows}, active {}]{bytes}", custom.set, set.most_active)
        }
        _ => feature(desc, custom.set),
    }
}

/// `, buckets: [0 x 16, 1 x 16], mirrored`
fn kings(buckets: KingBuckets) -> String {
    let mut text = String::new();
    if buckets.count() > 1 || buckets.is_merged() {
        let table = buckets.table();
        let files = if buckets.is_mirrored() { 4 } else { 8 };
        let written: Vec<u8> = table
            .chunks_exact(8)
            .flat_map(|rank| &rank[..files])
            .copied()
            .collect();
        text += &format!(", buckets: [{}]", runs(&written));
    }
    text += if buckets.is_mirrored() {
        ", mirrored"
    } else {
        ""
    };
    text += if buckets.is_rotated() {
        ", rotated"
    } else {
        ""
    };
    text + if buckets.sees_attacks() {
        ", attacks"
    } else {
        ""
    }
}
