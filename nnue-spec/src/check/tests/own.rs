//! Feature sets, functions and activations of the user's own.

use super::*;
use crate::descriptor::FeatureSetId::{HalfKp, Own};
use crate::descriptor::{ElementType, OwnSet};
use crate::loc::Located;
use crate::model::GoldenSpec;

/// A network over a set of the user's own with the rows that are written.
fn own(rows: Option<u64>) -> NetSpec {
    let mut spec = simple();
    let size = rows.map_or(0, |rows| rows as u32);
    spec.inputs[0].set = at(Own(OwnSet::new("Ataxx", size, size)));
    spec.inputs[0].rows = rows.map(at);
    spec
}

fn stacks(mut spec: NetSpec, count: u64, by: Option<SelectorSpec>) -> NetSpec {
    spec.stacks = StackSpec { count: at(count), by: by.map(at) };
    spec
}

fn golden(mut spec: NetSpec) -> NetSpec {
    spec.goldens = [GoldenSpec { fen: at("4k3/8/8/8/8/8/8/4K3 w - - 0 1".into()), value: at(0) }].into();
    spec
}

/// A network whose hidden layer is activated by a function of the user's own, behind layers of this type.
fn activated(max: Option<u64>, next: ElementType) -> NetSpec {
    let own = Activation::Own(OwnActivation { path: "self::step", max: max.map(at) });
    let hidden = activate(own, affine(crelu(name("acc")), 16));
    let mut spec = net(FeatureSetId::Chess768, 64, vec![], vec![term(affine(hidden, 1))]);
    let Expr::Affine { element, .. } = &mut spec.output.terms[0].value else { unreachable!("a layer") };
    element.value = next;
    spec
}

/// The declared maximum of that function.
fn max_of(spec: &NetSpec) -> Loc {
    match &spec.output.terms[0].value {
        Expr::Affine { input, .. } => match &**input {
            Expr::Activate { function: Located { value: Activation::Own(own), .. }, .. } => own.max.expect("one").loc,
            other => unreachable!("{other:?}"),
        },
        other => unreachable!("{other:?}"),
    }
}

pub(super) fn examples() -> Vec<Example> {
    let unsaid = own(None);
    let mut beside = own(Some(147));
    beside.inputs.push(InputSpec { set: at(HalfKp), rows: None, element: at(ElementType::I16) });
    let counted = stacks(own(Some(147)), 8, None);
    let of_rows = golden(own(Some(147)));
    let unsaid_at = unsaid.inputs[0].set.loc;
    let (beside_at, counted_at) = (beside.inputs[0].set.loc, counted.stacks.count.loc);
    let of_floats = activated(Some(100), ElementType::F32);
    let (of_rows_at, of_floats_at) = (of_rows.goldens[0].fen.loc, max_of(&of_floats));
    let [nothing, too_great] = [0, 128].map(|max| activated(Some(max), ElementType::I8));
    let [nothing_at, too_great_at] = [&nothing, &too_great].map(max_of);
    let held = "write `max 127`, or leave it out: results above count as 127";
    let test = "compare the value in a test: leave the clause out";
    [
        (
            Code::OwnRows,
            (unsaid, unsaid_at),
            "how many inputs `Ataxx` has is not said",
            "write their number behind the path: `Ataxx[147]`",
        ),
        (
            Code::OwnSetBeside,
            (beside, beside_at),
            "`Ataxx` is a set of your own, which stands alone",
            "let `Ataxx` give the rows of both, those of the second behind those of the first",
        ),
        (
            Code::OwnStacks,
            (counted, counted_at),
            "stacks of a game of one's own are chosen by a function, and `Ataxx` is one",
            "write `by my_function`, where `fn my_function(position: &MyPosition) -> usize`",
        ),
        (
            Code::OwnGolden,
            (of_rows, of_rows_at),
            "a FEN describes a position of chess, a feature set of your own has positions of its own type",
            test,
        ),
        (
            Code::OwnActivation,
            (of_floats, of_floats_at),
            "`self::step` gives floats, which have no maximum, found `max 100`",
            "remove it, and write the function with its path, for example `self::step`",
        ),
        (Code::ActivationRange, (nothing, nothing_at), "layers read 0 to 127, the maximum of `self::step` is 0", held),
        (
            Code::ActivationRange,
            (too_great, too_great_at),
            "layers read 0 to 127, the maximum of `self::step` is 128",
            held,
        ),
    ]
    .into_iter()
    .map(|(code, (spec, loc), message, help)| Example { code, spec, loc, message, help })
    .collect()
}

#[test]
fn sets_and_functions_of_ones_own_are_right() {
    assert_eq!(diagnose(&own(Some(147))), []);
    assert_eq!(diagnose(&stacks(own(Some(147)), 8, Some(SelectorSpec::Own))), []);
    assert_eq!(diagnose(&stacks(simple(), 8, Some(SelectorSpec::Own))), []);
    assert_eq!(diagnose(&activated(None, ElementType::I8)), []);
    assert_eq!(diagnose(&activated(Some(1), ElementType::I8)), []);
    assert_eq!(diagnose(&activated(None, ElementType::F32)), []);
}

#[test]
fn functions_of_ones_own_have_golden_values() {
    for mut spec in [stacks(simple(), 8, Some(SelectorSpec::Own)), activated(None, ElementType::I8)].map(golden) {
        assert_eq!(diagnose(&spec), []);
        spec.goldens[0].value.value = 1 << 31;
        assert_eq!(diagnose(&spec).into_iter().map(|found| found.code).collect::<Vec<_>>(), [Code::GoldenRange]);
    }
}
