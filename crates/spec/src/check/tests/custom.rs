//! Custom feature sets, functions and activations.

use super::*;
use crate::descriptor::FeatureSetId::{Custom, HalfKp};
use crate::descriptor::{CustomSet, ElementType};
use crate::loc::Located;
use crate::model::{GoldenForm, GoldenSays, GoldenSpec};

/// A network over a custom set with the given rows.
fn own(rows: Option<u64>) -> NetSpec {
    let mut spec = simple();
    let size = rows.map_or(0, |rows| rows as u32);
    spec.inputs[0].set = at(Custom(CustomSet::new("Ataxx", size, size)));
    spec.inputs[0].name = Some("Ataxx".into());
    spec.inputs[0].rows = rows.map(at);
    spec
}

fn stacks(mut spec: NetSpec, count: u64, by: Option<SelectorSpec>) -> NetSpec {
    spec.stacks = StackSpec {
        count: at(count),
        group: None,
        by: by.map(at),
    };
    spec
}

fn golden(mut spec: NetSpec) -> NetSpec {
    let fen = at("4k3/8/8/8/8/8/8/4K3 w - - 0 1".into());
    spec.goldens = [GoldenSpec {
        form: GoldenForm::Text,
        fen,
        says: GoldenSays::Value(at(0)),
    }]
    .into();
    spec
}

/// With a golden position given by a function.
fn golden_of_function(mut spec: NetSpec) -> NetSpec {
    spec.goldens = [GoldenSpec {
        form: GoldenForm::Function,
        fen: at("self::opening".into()),
        says: GoldenSays::Value(at(0)),
    }]
    .into();
    spec
}

/// A network whose hidden layer has a custom activation with maximum `max`, before a layer with `next`
/// weights.
fn activated(max: Option<u64>, next: ElementType) -> NetSpec {
    let hidden = apply(custom("self::step", max), affine(crelu(name("acc")), 16));
    let mut spec = net(
        FeatureSetId::Chess768,
        64,
        vec![],
        vec![term(affine(hidden, 1))],
    );
    let Expr::Affine { element, .. } = &mut spec.output.terms[0].value else {
        unreachable!("a layer")
    };
    element.value = next;
    spec
}

/// The declared maximum of the custom activation.
fn max_of(spec: &NetSpec) -> Loc {
    match &spec.output.terms[0].value {
        Expr::Affine { input, .. } => match &**input {
            Expr::Activate {
                function:
                    Located {
                        value: Function::Custom(custom),
                        ..
                    },
                ..
            } => custom.max.expect("one").loc,
            other => unreachable!("{other:?}"),
        },
        other => unreachable!("{other:?}"),
    }
}

pub(super) fn examples() -> Vec<Example> {
    let unsaid = own(None);
    let mut beside = own(Some(147));
    beside.inputs.push(InputSpec {
        set: at(HalfKp),
        name: None,
        groups: Vec::new(),
        rows: None,
        element: at(ElementType::I16),
    });
    let counted = stacks(own(Some(147)), 8, None);
    let of_chess = golden_of_function(simple());
    let unsaid_at = unsaid.inputs[0].set.loc;
    let (beside_at, counted_at) = (beside.inputs[0].set.loc, counted.stacks.count.loc);
    let of_floats = activated(Some(100), ElementType::F32);
    let (of_chess_at, of_floats_at) = (of_chess.goldens[0].fen.loc, max_of(&of_floats));
    let [nothing, too_great] = [0, 128].map(|max| activated(Some(max), ElementType::I8));
    let [nothing_at, too_great_at] = [&nothing, &too_great].map(max_of);
    let held = "write the greatest result of the function, up to 127, or leave it out: results above count as 127";
    [
        (
            Code::CustomRows,
            (unsaid, unsaid_at),
            "how many inputs `Ataxx` has is not said",
            "write their number in brackets after the path, for example `[147]`",
        ),
        (
            Code::CustomSetBeside,
            (beside, beside_at),
            "`Ataxx` is a set of your own, which stands alone",
            "let `Ataxx` give the rows of both, those of the first before those of the second",
        ),
        (
            Code::CustomStacks,
            (counted, counted_at),
            "`Ataxx` is a feature set of your own, so a function must choose the layer stacks",
            "write `by my_function`, where `fn my_function(position: &MyPosition) -> usize`",
        ),
        (
            Code::CustomGolden,
            (of_chess, of_chess_at),
            "`self::opening` gives a position of a game of your own, this network reads positions of chess",
            "write the position as a FEN: `golden \"8/8/4k3/8/8/3QK3/8/8 b - - 0 1\" = -1200;`",
        ),
        (
            Code::CustomActivation,
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
    assert_eq!(
        diagnose(&stacks(own(Some(147)), 8, Some(SelectorSpec::Custom))),
        []
    );
    assert_eq!(
        diagnose(&stacks(simple(), 8, Some(SelectorSpec::Custom))),
        []
    );
    assert_eq!(diagnose(&activated(None, ElementType::I8)), []);
    assert_eq!(diagnose(&activated(Some(1), ElementType::I8)), []);
    assert_eq!(diagnose(&activated(None, ElementType::F32)), []);
}

#[test]
fn functions_of_ones_own_have_golden_values() {
    for mut spec in [
        stacks(simple(), 8, Some(SelectorSpec::Custom)),
        activated(None, ElementType::I8),
    ]
    .map(golden)
    {
        assert_eq!(diagnose(&spec), []);
        spec.goldens[0].says = GoldenSays::Value(at(1 << 31));
        assert_eq!(
            diagnose(&spec)
                .into_iter()
                .map(|found| found.code)
                .collect::<Vec<_>>(),
            [Code::GoldenRange]
        );
    }
}

/// Golden positions of custom sets are texts that the declaration does not parse, or results of functions.
#[test]
fn sets_of_ones_own_have_golden_values() {
    let mut text = golden(own(Some(147)));
    text.goldens[0].fen.value = "x5o/7/7/7/7/7/o5x x".into();
    for mut spec in [text, golden_of_function(own(Some(147)))] {
        assert_eq!(diagnose(&spec), []);
        spec.goldens[0].says = GoldenSays::Value(at(1 << 31));
        assert_eq!(
            diagnose(&spec)
                .into_iter()
                .map(|found| found.code)
                .collect::<Vec<_>>(),
            [Code::GoldenRange]
        );
    }
}
