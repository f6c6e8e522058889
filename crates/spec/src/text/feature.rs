//! Feature sets as written in a declaration.

use alloc::format;
use alloc::string::String;
use core::fmt;

use crate::descriptor::{ElementType, FeatureDesc, FeatureSetId, ThreatPairs};

/// `HalfKAv2_hm[22528]`, `768x4hm[3072] as i8`, `Threats[2352](N: PNB)`: the set, its rows, its pairs if they
/// are not a published set, and the type of its weights if it is not the default. `custom` names a set of the
/// program.
pub fn feature(feature: &FeatureDesc, custom: &str) -> String {
    let FeatureDesc { set, rows, element } = feature;
    let mut text = set_of_rows(*set, *rows, custom);
    if *element == ElementType::I8 && !set.is_of_pairs() {
        text += " as i8";
    }
    text
}

/// A set and its rows.
fn set_of_rows(set: FeatureSetId, rows: usize, custom: &str) -> String {
    match set {
        FeatureSetId::Threats(pairs) if set.name() == ThreatPairs::NAME => {
            format!("{}[{rows}]({pairs})", set.name())
        }
        FeatureSetId::King(buckets) => {
            let copies = if buckets.count() == 1 {
                String::new()
            } else {
                format!("x{}", buckets.count())
            };
            let mirrored = if buckets.is_mirrored() { "hm" } else { "" };
            let rotated = if buckets.is_rotated() { " rotated" } else { "" };
            let attacks = if buckets.sees_attacks() {
                " attacks"
            } else {
                ""
            };
            format!(
                "{}{copies}{mirrored}{rotated}{attacks}[{rows}]",
                64 * buckets.piece_planes()
            )
        }
        FeatureSetId::Custom(_) => format!("{custom}[{rows}]"),
        _ => format!("{}[{rows}]", set.name()),
    }
}

/// `P: NR, N: PNBRQ, pushes`
impl fmt::Display for ThreatPairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LETTERS: [&str; 6] = ["P", "N", "B", "R", "Q", "K"];
        let mut comma = "";
        for (attacker, letter) in LETTERS
            .into_iter()
            .enumerate()
            .filter(|&(attacker, _)| self.slots(attacker) > 0)
        {
            write!(f, "{comma}{letter}: ")?;
            let attacked = (0..6).filter(|&kind| self.slot(attacker, kind).is_some());
            attacked
                .map(|kind| LETTERS[kind])
                .try_for_each(|letter| f.write_str(letter))?;
            comma = ", ";
        }
        if self.pushes() {
            write!(f, "{comma}pushes")
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn pairs_read_as_they_are_written() {
        let own = ThreatPairs::new(["", "BPN", "", "", "", "P"]);
        let written = |pairs: ThreatPairs| {
            let set = FeatureSetId::Threats(pairs);
            feature(
                &FeatureDesc {
                    set,
                    rows: set.rows(),
                    element: ElementType::I8,
                },
                "",
            )
        };
        assert_eq!(written(own), "Threats[5712](N: PNB, K: P)");
        assert_eq!(written(ThreatPairs::SFNN_V14), "FullThreats[60720]");
        let pieces = |element| {
            feature(
                &FeatureDesc {
                    set: FeatureSetId::Chess768,
                    rows: 768,
                    element,
                },
                "",
            )
        };
        assert_eq!(
            [ElementType::I16, ElementType::I8].map(pieces),
            ["Chess768[768]", "Chess768[768] as i8"]
        );
        assert_eq!(
            ThreatPairs::SFNN_V14.to_string(),
            "P: PNR, N: PNBRQ, B: PNBR, R: PNBR, Q: PNBRQ, pushes"
        );
    }
}
