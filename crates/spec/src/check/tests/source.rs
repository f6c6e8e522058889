//! Feature sets, accumulators, stacks.

use super::*;
use crate::descriptor::FeatureSetId::{Chess768, HalfKp, PawnPairs, Threats};
use crate::descriptor::{ElementType, ThreatPairs};
use crate::rows::RowMeasure;

/// `spec` after `change`, and the location of the change.
fn changed(mut spec: NetSpec, change: impl FnOnce(&mut NetSpec) -> Loc) -> (NetSpec, Loc) {
    let loc = change(&mut spec);
    (spec, loc)
}

/// A network of these feature sets, and the location of set `wrong`.
fn of_sets<const N: usize>(sets: [FeatureSetId; N], wrong: usize) -> (NetSpec, Loc) {
    changed(simple(), |spec| {
        spec.inputs = sets.map(input).into();
        spec.inputs[wrong].set.loc
    })
}

fn input(set: FeatureSetId) -> InputSpec {
    let element = if set.is_of_pairs() {
        ElementType::I8
    } else {
        ElementType::I16
    };
    InputSpec {
        set: at(set),
        name: None,
        groups: Vec::new(),
        rows: None,
        element: at(element),
    }
}

/// A set of threats of knights on these pieces.
fn knights(attack: &str) -> FeatureSetId {
    Threats(ThreatPairs::new(["", attack, "", "", "", ""]))
}

fn width(value: u64) -> (NetSpec, Loc) {
    changed(simple(), |spec| {
        spec.accumulator.width = at(value);
        spec.accumulator.width.loc
    })
}

fn by(count: u64, minus: u64, divide: u64) -> (NetSpec, Loc) {
    changed(simple(), |spec| {
        let by = at((minus, divide));
        spec.stacks = StackSpec {
            count: at(count),
            group: None,
            by: Some(by.map(|(minus, divide)| SelectorSpec::PieceCount { minus, divide })),
        };
        by.loc
    })
}

/// A rule over rows for a network of chess.
fn by_rows() -> (NetSpec, Loc) {
    changed(simple(), |spec| {
        let by = at(SelectorSpec::Rows(RowMeasure::Row));
        spec.stacks = StackSpec {
            count: at(8),
            group: Some(at("phase".into())),
            by: Some(by),
        };
        by.loc
    })
}

fn stacks(count: u64) -> (NetSpec, Loc) {
    changed(simple(), |spec| {
        spec.stacks = StackSpec {
            count: at(count),
            group: None,
            by: None,
        };
        spec.stacks.count.loc
    })
}

pub(super) fn examples() -> Vec<Example> {
    [
        input_examples(),
        accumulator_examples(),
        psqt_examples(),
        psqt_floats_examples(),
        separate_examples(),
        nonzero_examples(),
        bucket_examples(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn input_examples() -> Vec<Example> {
    vec![
        example(
            changed(simple(), |spec| {
                spec.inputs.push(spec.inputs[0].clone());
                spec.inputs[1].set.loc
            }),
            Code::SeveralFeatureSets,
            "the accumulator takes 1 set of pieces, found 2",
            "keep one of them, for example `Chess768[..]`",
        ),
        example(
            of_sets(
                [
                    Chess768,
                    knights("P"),
                    knights("N"),
                    knights("B"),
                    knights("R"),
                ],
                4,
            ),
            Code::SeveralFeatureSets,
            "the accumulator takes 3 sets of pairs, found 4",
            "keep fewer of them, for example `Threats[1344](N: P)`",
        ),
        example(
            of_sets([Chess768, PawnPairs, knights("P"), PawnPairs], 3),
            Code::DuplicateFeatureSet,
            "`PawnPairs[..]` feeds the accumulator twice",
            "leave one of the two out",
        ),
        example(
            of_sets([Threats(ThreatPairs::SFNN_V16), HalfKp], 0),
            Code::FeatureSetOrder,
            "`FullThreats` stands first, where a set of pieces belongs",
            "write `HalfKP[..] + FullThreats[59808]`",
        ),
        example(
            of_sets([PawnPairs], 0),
            Code::FeatureSetOrder,
            "`PawnPairs` stands first, where a set of pieces belongs",
            "write `HalfKAv2_hm[..] + PawnPairs[..]`",
        ),
        example(
            changed(simple(), |spec| {
                spec.inputs[0].rows = Some(at(22528));
                spec.inputs[0].rows.expect("just set").loc
            }),
            Code::WrongRows,
            "`Chess768` has 768 inputs, not 22528",
            "write `768`, or `..` for as many as there are",
        ),
        example(
            changed(simple(), |spec| {
                spec.inputs[0].element = at(ElementType::I8);
                spec.inputs[0].element.loc
            }),
            Code::UnsupportedInputElement,
            "the Stockfish container has weights of `Chess768` of 16 bits, not i8",
            "declare a header-less file: `{ format raw }`",
        ),
        example(
            changed(simple(), |spec| {
                spec.inputs[0].element = at(ElementType::I32);
                spec.inputs[0].element.loc
            }),
            Code::UnsupportedInputElement,
            "weights of `Chess768` are i16 or i8, not i32",
            "save the weights as `i16`, and leave the type out",
        ),
        example(
            changed(of_sets([Chess768, knights("P")], 1).0, |spec| {
                spec.inputs[1].element = at(ElementType::I16);
                spec.inputs[1].element.loc
            }),
            Code::UnsupportedInputElement,
            "weights of `Threats` are i8, not i16",
            "save the weights as `i8`, and leave the type out",
        ),
    ]
}

fn accumulator_examples() -> Vec<Example> {
    vec![
        example(
            width(1000),
            Code::AccumulatorWidth,
            "accumulator width 1000 is not a multiple of 32",
            "train with 992 or 1024, or pad the weights with neurons of zeros",
        ),
        example(
            width(0),
            Code::AccumulatorWidth,
            "accumulator width 0 is not a multiple of 32",
            "the smallest width is 32",
        ),
        example(
            width(32768),
            Code::AccumulatorTooWide,
            "accumulator width 32768 is above the limit of 16384",
            "write 16384 or less",
        ),
        example(
            changed(simple(), |spec| {
                spec.accumulator.perspectives = at(3);
                spec.accumulator.perspectives.loc
            }),
            Code::Perspectives,
            "an accumulator has 1 or 2 perspectives, not 3",
            "write `64x2` for both sides, or `64` for the side to move alone",
        ),
        example(
            changed(simple(), |spec| {
                spec.accumulator.one = at(40_000);
                spec.accumulator.one.loc
            }),
            Code::AccumulatorScale,
            "an accumulator scale is 1 to 32767, not 40000",
            "common scales are `@ 127` and `@ 255`",
        ),
        example(
            changed(sfnn_v5(1024), |spec| {
                spec.accumulator.one = at(4096);
                spec.accumulator.one.loc
            }),
            Code::AccumulatorScale,
            "`pairwise` takes accumulators with a scale of 1 to 2895, not 4096",
            "common scales are `@ 127` and `@ 255`",
        ),
    ]
}

fn psqt_examples() -> Vec<Example> {
    vec![
        example(
            changed(bucketed(simple()), |spec| {
                spec.accumulator.psqt = Some(at(4));
                spec.accumulator.psqt.expect("just set").loc
            }),
            Code::PsqtCount,
            "a network has as many PSQT outputs as layer stacks: 8, not 4",
            "declare 4 layer stacks, or `psqt 8`",
        ),
        example(
            changed(bucketed(simple()), |spec| {
                spec.accumulator.perspectives = at(1);
                spec.accumulator
                    .psqt
                    .expect("bucketed networks have them")
                    .loc
            }),
            Code::PsqtPerspectives,
            "PSQT outputs need 2 perspectives, the accumulator has 1",
            "write `64x2`, or leave `psqt` out",
        ),
    ]
}

/// A header-less network with separate weights, after `change`.
fn separate(base: NetSpec, change: impl FnOnce(&mut NetSpec)) -> (NetSpec, Loc) {
    changed(base, |spec| {
        let loc = at(()).loc;
        spec.accumulator.separate = Some(loc);
        spec.format.raw = Some(RawSpec::default());
        change(spec);
        loc
    })
}

fn psqt_floats_examples() -> Vec<Example> {
    let with = |change: &dyn Fn(&mut NetSpec)| {
        changed(simple(), |spec| {
            spec.accumulator.psqt_floats = Some(at(3));
            spec.format.raw = Some(RawSpec::default());
            change(spec);
            spec.accumulator.psqt_floats.expect("just set").loc
        })
    };
    let wrong = |wrong, message, help| example(wrong, Code::PsqtFloats, message, help);
    vec![
        wrong(
            with(&|spec| spec.format.raw = None),
            "PSQT outputs of the Stockfish container are whole numbers",
            "declare a header-less file: `{ format raw }`",
        ),
        wrong(
            with(&|_| ()),
            "PSQT outputs of floats are added to floats, and the output is a whole number",
            "let the last layer have the type `f32`, or leave `: f32` out",
        ),
    ]
}

fn separate_examples() -> Vec<Example> {
    let wrong = |wrong, message, help| example(wrong, Code::SeparateWeights, message, help);
    vec![
        wrong(
            separate(simple(), |spec| spec.accumulator.perspectives = at(1)),
            "one perspective has no other from which its weights are separate",
            "leave `separate` out, or write `64x2`",
        ),
        wrong(
            separate(bucketed(simple()), |_| ()),
            "PSQT outputs are the difference of perspectives that share their weights",
            "leave `separate` or `psqt` out",
        ),
        wrong(
            separate(simple(), |spec| spec.format.raw = None),
            "the Stockfish container has the weights of one perspective",
            "declare a header-less file: `{ format raw }`",
        ),
    ]
}

fn bucket_examples() -> Vec<Example> {
    vec![
        example(
            stacks(33),
            Code::StackCount,
            "a network has 1 to 32 layer stacks, not 33",
            "most networks have 1 or 8",
        ),
        example(
            by_rows(),
            Code::RowRule,
            "rows choose the stacks of networks over `rows[..]` only",
            "write for example `by (piece_count - 1) / 4`",
        ),
        example(
            by(8, 1, 0),
            Code::SelectorDivisor,
            "`(piece_count - 1) / 0` divides by 0",
            "write the rule of the network; `(piece_count - 1) / 4` fits 8 stacks",
        ),
        example(
            by(8, 3, 4),
            Code::SelectorMinus,
            "`piece_count - 3` goes below zero: there are 2 pieces or more",
            "write the rule of the network; `(piece_count - 1) / 4` fits 8 stacks",
        ),
        example(
            by(8, 0, 4),
            Code::SelectorRange,
            "32 pieces choose stack 8 of 8 (the first is 0)",
            "write the rule of the network; `(piece_count - 1) / 4` fits 8 stacks",
        ),
        example(
            stacks(5),
            Code::SelectorRange,
            "32 pieces choose stack 5 of 5 (the first is 0)",
            "add the rule of the network, for example `by (piece_count - 1) / 7`",
        ),
        example(
            by(8, 1, 8),
            Code::UnusedStacks,
            "stacks 4 to 7 are never used: `(piece_count - 1) / 8` is at most 3",
            "declare 4 stacks, or another rule, for example `by (piece_count - 1) / 4`",
        ),
    ]
}

#[test]
fn wrong_rows_that_fit_another_set_say_which() {
    let mut spec = simple();
    spec.inputs[0].rows = Some(at(22528));
    assert_eq!(
        diagnose(&spec)[0].note.as_deref(),
        Some("22528 inputs belong to `HalfKAv2_hm`")
    );
}

#[test]
fn every_divisor_that_is_proposed_is_accepted() {
    for count in 1..=32 {
        for minus in 0..=2 {
            let (spec, _) = by(count, minus, (32 - minus) / count + 1);
            let codes: Vec<_> = diagnose(&spec)
                .iter()
                .map(|diagnostic| diagnostic.code)
                .collect();
            assert!(
                codes.is_empty() || codes == [Code::UnusedStacks],
                "{count} {minus}: {codes:?}"
            );
        }
    }
}

fn nonzero_examples() -> Vec<Example> {
    let share = |share| {
        changed(simple(), |spec| {
            let nonzero = at(share);
            spec.accumulator.nonzero = Some(nonzero);
            nonzero.loc
        })
    };
    let wrong = |wrong, message| {
        let help = "write what `nnue bench --plans` says of the network, or leave `nonzero` out";
        example(wrong, Code::Nonzero, message, help)
    };
    vec![
        wrong(
            share(0),
            "of 100 activated values 1 to 100 are not zero, not 0",
        ),
        wrong(
            share(101),
            "of 100 activated values 1 to 100 are not zero, not 101",
        ),
    ]
}
