//! Feature sets.

use alloc::format;

use super::Limits;
use crate::descriptor::FeatureSetId;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::model::NetSpec;

pub(super) fn check_count(limits: Limits, spec: &NetSpec, sink: &mut Sink) {
    let Some(excess) = spec.inputs.get(limits.feature_sets) else {
        if spec.inputs.is_empty() {
            let message = "the accumulator needs 1 feature set, found 0";
            sink.push(Diagnostic::new(Code::SeveralFeatureSets, spec.accumulator.name.loc, message));
        }
        return;
    };
    let (takes, plural) = (limits.feature_sets, if limits.feature_sets == 1 { "" } else { "s" });
    let message = format!("the accumulator takes {takes} feature set{plural}, found {}", spec.inputs.len());
    let first = &spec.inputs[0].set;
    sink.push(
        Diagnostic::new(Code::SeveralFeatureSets, excess.set.loc, message)
            .help(format!(
                "keep {} of them, for example `{}[..]`",
                if takes == 1 { "one" } else { "fewer" },
                first.value.name()
            ))
            .note("sums of feature sets are not supported yet")
            .related(first.loc, "the first one"),
    );
}

pub(super) fn check_sets(limits: Limits, spec: &NetSpec, sink: &mut Sink) {
    let is_of_pairs = |set| matches!(set, FeatureSetId::Threats(_) | FeatureSetId::PawnPairs);
    for input in
        spec.inputs.iter().take(limits.feature_sets).filter(|input| !limits.pairs && is_of_pairs(input.set.value))
    {
        let message = format!("feature set `{}` is not available yet", input.set.value.name());
        let names = FeatureSetId::ALL.map(|set| format!("`{}`", set.name()));
        let help = format!("known feature sets are {}", names.join(", "));
        sink.push(Diagnostic::new(Code::UnknownFeatureSet, input.set.loc, message).help(help));
    }
}

pub(super) fn check_rows(spec: &NetSpec, sink: &mut Sink) {
    for input in &spec.inputs {
        let set = input.set.value;
        let Some(written) = input.rows.filter(|rows| rows.value != set.rows() as u64) else { continue };
        let message = format!("`{}` has {} inputs, not {}", set.name(), set.rows(), written.value);
        let help = format!("write `{0}[{1}]`, or `{0}[..]` for as many as there are", set.name(), set.rows());
        let mut diagnostic = Diagnostic::new(Code::WrongRows, written.loc, message).help(help);
        if let Some(other) = FeatureSetId::ALL.iter().find(|other| other.rows() as u64 == written.value) {
            diagnostic = diagnostic.note(format!("{} inputs belong to `{}`", written.value, other.name()));
        }
        sink.push(diagnostic);
    }
}

pub(super) fn check_elements(limits: Limits, spec: &NetSpec, sink: &mut Sink) {
    for input in spec.inputs.iter().take(limits.feature_sets) {
        if !limits.elements.contains(&input.element.value) {
            let message = format!("feature weights are i16, {} is not supported yet", input.element.value.name());
            sink.push(
                Diagnostic::new(Code::UnsupportedInputElement, input.element.loc, message)
                    .help(format!("write `{}[..] as i16`, or leave the type out", input.set.value.name())),
            );
        }
    }
}
