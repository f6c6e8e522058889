//! Feature sets.

use alloc::format;

use crate::descriptor::{ElementType, FeatureSetId};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::model::NetSpec;

pub(super) fn check_count(spec: &NetSpec, sink: &mut Sink) {
    let [_, second, ..] = &spec.inputs[..] else {
        if spec.inputs.is_empty() {
            let message = "the accumulator needs 1 feature set, found 0";
            sink.push(Diagnostic::new(Code::SeveralFeatureSets, spec.accumulator.name.loc, message));
        }
        return;
    };
    let message = format!("the accumulator takes 1 feature set, found {}", spec.inputs.len());
    let first = &spec.inputs[0].set;
    sink.push(
        Diagnostic::new(Code::SeveralFeatureSets, second.set.loc, message)
            .help(format!("keep one of them, for example `{}[..]`", first.value.name()))
            .note("sums of feature sets are not supported yet")
            .related(first.loc, "the first one"),
    );
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

pub(super) fn check_elements(spec: &NetSpec, sink: &mut Sink) {
    for input in &spec.inputs {
        if input.element.value != ElementType::I16 {
            let message = format!("feature weights are i16, {} is not supported yet", input.element.value.name());
            sink.push(
                Diagnostic::new(Code::UnsupportedInputElement, input.element.loc, message)
                    .help(format!("write `{}[..] as i16`, or leave the type out", input.set.value.name())),
            );
        }
    }
}
