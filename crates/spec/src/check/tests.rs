//! One wrong model per code, each a small change of a correct one.

mod custom;
mod file;
mod graph;
mod heads;
mod random;
mod raw;
mod source;

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::check;
use crate::descriptor::FeatureSetId;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::loc::Loc;
use crate::model::*;
use crate::testing::*;

/// A wrong model, and the expected diagnostic.
struct Example {
    spec: NetSpec,
    code: Code,
    loc: Loc,
    message: &'static str,
    help: &'static str,
}

fn example(
    (spec, loc): (NetSpec, Loc),
    code: Code,
    message: &'static str,
    help: &'static str,
) -> Example {
    Example {
        spec,
        code,
        loc,
        message,
        help,
    }
}

fn diagnose(spec: &NetSpec) -> Vec<Diagnostic> {
    let mut sink = Sink::new();
    check(spec, &mut sink);
    sink.into_diagnostics()
}

fn simple() -> NetSpec {
    chain(FeatureSetId::Chess768, 64)
}

fn examples() -> Vec<Example> {
    [
        source::examples(),
        graph::examples(),
        file::examples(),
        raw::examples(),
        custom::examples(),
        heads::examples(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[test]
fn right_models_have_no_errors() {
    for spec in [simple(), bucketed(simple()), sfnn_v5(1024), sfnn_v5(3072)] {
        assert_eq!(diagnose(&spec), vec![]);
    }
}

#[test]
fn wrong_models_have_one_error_at_the_smallest_wrong_token() {
    for example in examples() {
        let found = diagnose(&example.spec);
        let said: Vec<_> = found
            .iter()
            .map(|d| {
                (
                    d.code,
                    d.loc,
                    d.message.as_str(),
                    d.help.as_deref().unwrap_or(""),
                )
            })
            .collect();
        assert_eq!(
            said,
            [(example.code, example.loc, example.message, example.help)]
        );
    }
}

#[test]
fn every_code_of_the_checker_has_an_example() {
    let shown: Vec<_> = examples().iter().map(|example| example.code).collect();
    let meaning = Code::ALL
        .iter()
        .skip_while(|code| **code != Code::UnknownName);
    // Networks over a dense input and of subnets are other models: `dense/tests.rs` and `subnets/tests.rs`
    // have an example of each of their codes.
    let others = [
        Code::DenseInput,
        Code::DenseShape,
        Code::DenseWindow,
        Code::DenseOperation,
        Code::Subnets,
    ];
    let missing: Vec<_> = meaning
        .filter(|code| !shown.contains(code) && !others.contains(code))
        .collect();
    assert!(missing.is_empty(), "no example for {missing:?}");
}

#[test]
fn messages_keep_to_the_rules() {
    for example in examples() {
        for diagnostic in diagnose(&example.spec) {
            let message = &diagnostic.message;
            assert!(message.chars().count() < 100, "{message}");
            let sentence = message.starts_with(char::is_uppercase) && !message.starts_with("PSQT");
            assert!(!message.ends_with('.') && !sentence, "{message}");
            assert!(diagnostic.help.is_some(), "{message}");
        }
    }
}

#[test]
fn independent_errors_are_all_reported_and_those_that_follow_are_not() {
    let mut spec = simple();
    spec.accumulator.width = at(1000);
    spec.inputs[0].rows = Some(at(769));
    spec.output.terms = vec![term(affine(crelu(name("hidden")), 1))];
    let found: Vec<Code> = diagnose(&spec)
        .iter()
        .map(|diagnostic| diagnostic.code)
        .collect();
    assert_eq!(
        found,
        [Code::WrongRows, Code::AccumulatorWidth, Code::UnknownName]
    );
}

#[test]
fn conflicts_name_both_places() {
    let related = |code: Code| -> Vec<(Loc, String)> {
        let of_code = examples()
            .into_iter()
            .find(|example| example.code == code)
            .expect("every code has one");
        diagnose(&of_code.spec).remove(0).related
    };
    for code in [
        Code::DuplicateName,
        Code::PsqtCount,
        Code::PsqtPerspectives,
        Code::SelectorRange,
        Code::UnusedStacks,
        Code::ActivationRange,
        Code::SeveralFeatureSets,
    ] {
        assert_eq!(related(code).len(), 1, "{code:?}");
    }
}
