//! Feature sets.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::MAX_PAIR_SETS;
use crate::descriptor::{ElementType, FeatureDesc, FeatureSetId};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::model::{InputSpec, NetSpec};
use crate::text;

/// Greatest number of rows of a custom set, far beyond a network that fits in memory.
pub(super) const MAX_OWN_ROWS: u64 = 1 << 28;

/// A custom set must be the only set, and must declare its rows.
pub(crate) fn check_custom(inputs: &[InputSpec], sink: &mut Sink) {
    let Some(own) = inputs.iter().find(|input| input.set.value.is_custom()) else {
        return;
    };
    let name = own.name();
    if let Some(other) = inputs.iter().find(|input| input.set.loc != own.set.loc) {
        let (message, help) = if own.set.value.is_listed() {
            (
                format!("`{name}` stands alone: its rows are all rows of a position"),
                "list the rows of both sets, those of the first before those of the second: `rows[features: 4096, history: 1024]`".into(),
            )
        } else {
            (
                format!("`{name}` is a set of your own, which stands alone"),
                format!(
                    "let `{name}` give the rows of both, those of the first before those of the second"
                ),
            )
        };
        sink.push(
            Diagnostic::new(Code::CustomSetBeside, own.set.loc, message)
                .help(help)
                .related(other.set.loc, "the other set"),
        );
    }
    let found = own.rows.map_or(0, |rows| rows.value);
    let loc = own.rows.map_or(own.set.loc, |rows| rows.loc);
    if !(1..=MAX_OWN_ROWS).contains(&found) {
        let message = match own.rows {
            Some(_) => format!("`{name}` has 1 to {MAX_OWN_ROWS} inputs, not {found}"),
            None => format!("how many inputs `{name}` has is not said"),
        };
        let diagnostic = Diagnostic::new(Code::CustomRows, loc, message);
        sink.push(if own.set.value.is_listed() {
            diagnostic.help("write their number, for example `rows[4096, active 64]`")
        } else {
            diagnostic
                .help("write their number in brackets after the path, for example `[147]`")
                .note("the macro reads no code but the declaration; the compiler compares the number with `Inputs::ROWS`")
        });
    }
}

pub(super) fn check_count(spec: &NetSpec, sink: &mut Sink) {
    if spec.inputs.iter().any(|input| input.set.value.is_custom()) {
        return; // one, and nothing beside it
    }
    if spec.inputs.is_empty() {
        let message = "the accumulator needs 1 feature set, found 0";
        sink.push(Diagnostic::new(
            Code::SeveralFeatureSets,
            spec.accumulator.name.loc,
            message,
        ));
    }
    let kinds = [(false, 1, "pieces"), (true, MAX_PAIR_SETS, "pairs")];
    for (of_pairs, most, what) in kinds {
        let sets: Vec<_> = spec
            .inputs
            .iter()
            .filter(|input| input.set.value.is_of_pairs() == of_pairs)
            .collect();
        let Some(excess) = sets.get(most) else {
            continue;
        };
        let first = &sets[0].set;
        let (plural, keep) = if most == 1 {
            ("", "one")
        } else {
            ("s", "fewer")
        };
        let message = format!(
            "the accumulator takes {most} set{plural} of {what}, found {}",
            sets.len()
        );
        sink.push(
            Diagnostic::new(Code::SeveralFeatureSets, excess.set.loc, message)
                .help(format!("keep {keep} of them, for example `{}`", written(first.value)))
                .note("a set of pieces (`HalfKAv2_hm[..]`) may be combined with sets of pairs (`PawnPairs[..]`)")
                .related(first.loc, "the first one"),
        );
    }
}

pub(super) fn check_duplicates(spec: &NetSpec, sink: &mut Sink) {
    for (index, input) in spec
        .inputs
        .iter()
        .enumerate()
        .filter(|(_, input)| input.set.value.is_of_pairs())
    {
        let Some(first) = spec.inputs[..index]
            .iter()
            .find(|first| first.set.value == input.set.value)
        else {
            continue;
        };
        let message = format!("`{}` feeds the accumulator twice", written(input.set.value));
        sink.push(
            Diagnostic::new(Code::DuplicateFeatureSet, input.set.loc, message)
                .help("leave one of the two out")
                .related(first.set.loc, "the first one"),
        );
    }
}

pub(super) fn check_order(spec: &NetSpec, sink: &mut Sink) {
    if spec.inputs.iter().any(|input| input.set.value.is_custom()) {
        return;
    }
    let Some(first) = spec
        .inputs
        .first()
        .filter(|first| first.set.value.is_of_pairs())
    else {
        return;
    };
    let pieces = spec
        .inputs
        .iter()
        .find(|input| !input.set.value.is_of_pairs());
    let set = pieces.map_or(FeatureSetId::LIKELY, |pieces| pieces.set.value);
    let message = format!(
        "`{}` stands first, where a set of pieces belongs",
        first.set.value.name()
    );
    let diagnostic = Diagnostic::new(Code::FeatureSetOrder, first.set.loc, message)
        .help(format!(
            "write `{}[..] + {}`",
            set.name(),
            written(first.set.value)
        ))
        .note(
            "the accumulator of the pieces is kept for each king square, and pairs are added to it",
        );
    sink.push(match pieces {
        Some(pieces) => diagnostic.related(pieces.set.loc, "the set of pieces"),
        None => diagnostic,
    });
}

/// A set with its rows, as written in a declaration.
fn written(set: FeatureSetId) -> String {
    match set {
        FeatureSetId::Threats(_) => text::feature(
            &FeatureDesc {
                set,
                rows: set.rows(),
                element: ElementType::I8,
            },
            "",
        ),
        _ => format!("{}[..]", set.name()),
    }
}

/// Rows of `Chess768` in one copy.
const PLANES: u64 = 768;

/// Rows of `HalfKP` without the unused ones.
const WITHOUT_UNUSED_ROWS: u64 = 64 * 640;

fn is_mirrored(set: FeatureSetId) -> bool {
    matches!(set, FeatureSetId::King(buckets) if buckets.is_mirrored())
}

/// Whether this number of rows is several copies of the planes, one per king bucket.
fn of_buckets(rows: u64) -> bool {
    rows > PLANES && rows.is_multiple_of(PLANES)
}

pub(crate) fn check_rows(inputs: &[InputSpec], sink: &mut Sink) {
    for input in inputs {
        let set = input.set.value;
        if set.is_custom() {
            continue; // its rows are those that are written
        }
        let Some(written) = input.rows.filter(|rows| rows.value != set.rows() as u64) else {
            continue;
        };
        let message = format!(
            "`{}` has {} inputs, not {}",
            set.name(),
            set.rows(),
            written.value
        );
        let help = match set {
            FeatureSetId::Chess768 | FeatureSetId::King(_) if of_buckets(written.value) => {
                let (rows, buckets) = (written.value, written.value / PLANES);
                let mirrored = if is_mirrored(set) { ", mirrored" } else { "" };
                let attacks = match buckets {
                    4 => format!(
                        "; if pieces are told apart by attacks, `Chess768[{rows}, attacks{mirrored}]`"
                    ),
                    _ => String::new(),
                };
                format!(
                    "for {buckets} king buckets, write the bucket of each square: `Chess768[{rows}, buckets: [..]{mirrored}]`{attacks}"
                )
            }
            FeatureSetId::HalfKp if written.value == WITHOUT_UNUSED_ROWS => format!(
                "write `{}` if the file has the rows that are never active; else it is a set of your own: `self::HalfKP[{}, active 30]`",
                set.rows(),
                written.value
            ),
            _ => format!("write `{}`, or `..` for as many as there are", set.rows()),
        };
        let mut diagnostic = Diagnostic::new(Code::WrongRows, written.loc, message).help(help);
        if let Some(other) = FeatureSetId::ALL
            .iter()
            .find(|other| other.rows() as u64 == written.value)
        {
            diagnostic = diagnostic.note(format!(
                "{} inputs belong to `{}`",
                written.value,
                other.name()
            ));
        }
        if (set, written.value) == (FeatureSetId::HalfKp, WITHOUT_UNUSED_ROWS) {
            diagnostic = diagnostic
                .note("41024 is 64 * 641: a row that is never active comes before the 640 of each king square");
        }
        sink.push(diagnostic);
    }
}

/// Weights of single pieces have 16 or 8 bits, of pairs 8. In the Stockfish container, pieces have 16.
pub(super) fn check_elements(spec: &NetSpec, sink: &mut Sink) {
    for input in &spec.inputs {
        let (set, found) = (input.set.value, input.element.value);
        let refuse =
            |message| Diagnostic::new(Code::UnsupportedInputElement, input.element.loc, message);
        let (takes, name, found_name) = (elements(set), input.name(), found.name());
        if !takes.contains(&found) {
            let names: Vec<_> = takes.iter().map(|element| element.name()).collect();
            let message = format!(
                "weights of `{name}` are {}, not {found_name}",
                names.join(" or ")
            );
            let help = format!("save the weights as `{}`, and leave the type out", names[0]);
            sink.push(refuse(message).help(help));
        } else if found != takes[0] && spec.format.raw.is_none() {
            let message = format!(
                "the Stockfish container has weights of `{name}` of 16 bits, not {found_name}"
            );
            sink.push(refuse(message).help("declare a header-less file: `{ format raw }`"));
        }
    }
}

/// The possible weight types of a set, the default first.
fn elements(set: FeatureSetId) -> &'static [ElementType] {
    if set.is_of_pairs() {
        &[ElementType::I8]
    } else {
        &[ElementType::I16, ElementType::I8]
    }
}
