//! Header-less files and golden values.

use super::*;
use crate::check::check;
use crate::descriptor::{Axis, ElementType, KingBuckets};
use crate::loc::Located;

/// A valid network in a header-less file after `change`, which returns the location of the expected error.
fn raw(change: impl FnOnce(&mut RawSpec) -> Loc) -> (NetSpec, Loc) {
    let mut spec = bucketed(simple());
    spec.accumulator.psqt = None;
    let mut raw = RawSpec::default();
    let loc = change(&mut raw);
    spec.format.raw = Some(raw);
    (spec, loc)
}

/// A description of one tensor.
fn tensor(name: &str, element: Option<ElementType>, axes: Option<&[Axis]>) -> RawTensorSpec {
    let whole = |axis: &Axis| at(PartSpec::whole(*axis));
    let axes = axes.map(|axes| at(axes.iter().map(whole).collect()));
    RawTensorSpec {
        name: at(name.into()),
        element: element.map(at),
        scale: None,
        shift: None,
        ratio: None,
        axes,
    }
}

/// A tensor with these brackets: the numbers before `-`, after `/` and after `%`.
fn in_parts(name: &str, parts: &[(Axis, [Option<u64>; 3])]) -> RawTensorSpec {
    let part = |&(axis, numbers): &(Axis, [Option<u64>; 3])| {
        let [from, over, modulo] = numbers.map(|number| number.map(at));
        at(PartSpec {
            axis,
            from,
            over,
            modulo,
            to: None,
        })
    };
    RawTensorSpec {
        axes: Some(at(parts.iter().map(part).collect())),
        ..tensor(name, None, None)
    }
}

/// The brackets with this index.
fn bracket(tensor: &RawTensorSpec, index: usize) -> &Located<PartSpec> {
    &tensor.axes.as_ref().expect("said").value[index]
}

fn described(tensor: RawTensorSpec, loc: impl FnOnce(&RawTensorSpec) -> Loc) -> (NetSpec, Loc) {
    raw(|raw| {
        let loc = loc(&tensor);
        raw.tensors.push(tensor);
        loc
    })
}

const WHOLE: [Option<u64>; 3] = [None; 3];
const BY_FOUR: (Axis, [Option<u64>; 3]) = (Axis::Column, [None, Some(4), None]);

const ORDER: [&str; 8] = [
    "fc0_bias",
    "fc0_weight",
    "fc1_bias",
    "fc1_weight",
    "fc2_bias",
    "fc2_weight",
    "ft_bias",
    "ft_weight",
];

fn ordered(names: &[&str]) -> (NetSpec, Loc) {
    raw(|raw| {
        let order = at(names
            .iter()
            .map(|name| at(SectionSpec::Tensor(String::from(*name))))
            .collect::<Vec<_>>());
        let loc = order.loc;
        raw.order = Some(order);
        loc
    })
}

/// All tensors in order, changed.
fn sections(change: impl FnOnce(&mut Vec<Located<SectionSpec>>) -> Loc) -> (NetSpec, Loc) {
    raw(|raw| {
        let tensors = ORDER.map(|name| at(SectionSpec::Tensor(name.into())));
        let mut order = tensors.to_vec();
        let loc = change(&mut order);
        raw.order = Some(at(order));
        loc
    })
}

pub(super) fn examples() -> Vec<Example> {
    let order_without_weights = ordered(&ORDER[..7]);
    vec![
        example(
            described(tensor("fc3_bias", None, None), |tensor| tensor.name.loc),
            Code::UnknownTensor,
            "the network has no tensor `fc3_bias`",
            "did you mean `fc0_bias`?",
        ),
        example(
            order_without_weights,
            Code::TensorOrder,
            "the order does not say where `ft_weight` stands",
            "name all 8 tensors of the network",
        ),
        example(
            described(tensor("fc0_bias", Some(ElementType::F32), None), |tensor| {
                tensor.element.expect("said").loc
            }),
            Code::TensorElement,
            "`fc0_bias` is read as i32 or i16 or i8, not as f32",
            "save it as `i32` or `i16` or `i8`, and leave the type out",
        ),
        example(
            described(
                tensor("fc1_weight", None, Some(&[Axis::Column, Axis::Copy])),
                |tensor| tensor.axes.as_ref().expect("said").loc,
            ),
            Code::TensorAxes,
            "`fc1_weight` has 32 times the axis `output`",
            "write all axes, the outermost first, for example `fc1_weight: [stack][output][input]`",
        ),
        example(
            described(
                in_parts(
                    "fc1_weight",
                    &[(Axis::Copy, WHOLE), (Axis::Row, WHOLE), BY_FOUR],
                ),
                |tensor| bracket(tensor, 2).loc,
            ),
            Code::TensorAxes,
            "`input / 4` leaves `input % 4` out",
            "write `[input % 4]` too",
        ),
        example(
            described(
                in_parts(
                    "fc1_weight",
                    &[
                        (Axis::Copy, WHOLE),
                        BY_FOUR,
                        (Axis::Row, WHOLE),
                        (Axis::Column, [None, None, Some(8)]),
                    ],
                ),
                |tensor| bracket(tensor, 1).loc,
            ),
            Code::TensorAxes,
            "`input / 4` does not begin where `input % 8` ends",
            "write `input / 8`",
        ),
        example(
            described(
                in_parts(
                    "fc1_weight",
                    &[
                        (Axis::Copy, WHOLE),
                        (Axis::Column, [None, Some(4), Some(2)]),
                        (Axis::Row, WHOLE),
                        (Axis::Column, [None, None, Some(4)]),
                    ],
                ),
                |tensor| bracket(tensor, 1).loc,
            ),
            Code::TensorAxes,
            "`input / 4 % 2` ends after 8 of 16 times the axis `input`",
            "write `[input / 8]` too",
        ),
        example(
            described(
                in_parts(
                    "fc1_weight",
                    &[
                        (Axis::Copy, WHOLE),
                        (Axis::Row, WHOLE),
                        (Axis::Column, [Some(16), None, None]),
                    ],
                ),
                |tensor| bracket(tensor, 2).value.from.expect("said").loc,
            ),
            Code::TensorAxes,
            "`input` counts up to 15",
            "write `15`, from which it counts down",
        ),
        example(
            described(
                in_parts(
                    "fc1_weight",
                    &[
                        (Axis::Copy, WHOLE),
                        (Axis::Row, WHOLE),
                        (Axis::Column, [None, Some(3), None]),
                    ],
                ),
                |tensor| bracket(tensor, 2).value.over.expect("said").loc,
            ),
            Code::TensorAxes,
            "`fc1_weight` has 16 times the axis `input`, which is no multiple of 3",
            "write a divisor of 16",
        ),
        example(
            described(
                in_parts(
                    "fc1_weight",
                    &[
                        (Axis::Copy, WHOLE),
                        (Axis::Row, WHOLE),
                        (Axis::Column, [None, None, Some(0)]),
                    ],
                ),
                |tensor| bracket(tensor, 2).value.modulo.expect("said").loc,
            ),
            Code::TensorAxes,
            "`% 0` is no part of an axis",
            "write for example `/ 4`",
        ),
        example(
            sections(|order| {
                order.push(at(SectionSpec::Tensor("fc0_bias".into())));
                order.last().expect("pushed").loc
            }),
            Code::TensorOrder,
            "`fc0_bias` stands twice in the order",
            "remove one of the two",
        ),
        example(
            sections(|order| {
                let (to, skip) = (at(1), at(4));
                order.push(at(SectionSpec::Align(to)));
                order.push(at(SectionSpec::Skip(skip)));
                to.loc
            }),
            Code::TensorOrder,
            "an alignment is 2 to 4096, not 1",
            "write the number of bytes of whose multiple the next tensor begins",
        ),
        example(
            sections(|order| {
                let skip = at(1 << 17);
                let bias = order.remove(0);
                order.push(at(SectionSpec::Stacks(vec![
                    bias,
                    at(SectionSpec::Skip(skip)),
                ])));
                order.push(at(SectionSpec::Skip(skip)));
                skip.loc
            }),
            Code::HeaderSize,
            "1179648 bytes are skipped, at most 1048576 can be",
            "raw files of engines have headers of some bytes, or none",
        ),
        example(
            sections(|order| {
                order.insert(0, at(SectionSpec::Constant(Vec::new())));
                order[0].loc
            }),
            Code::TensorOrder,
            "a text has 1 to 256 bytes, not 0",
            "write for example `\"CBNF\"`",
        ),
        example(
            sections(|order| {
                order.push(at(SectionSpec::Stacks(Vec::new())));
                order.last().expect("pushed").loc
            }),
            Code::TensorOrder,
            "no tensor stands in `stacks`",
            "write for example `stacks [fc0_weight, fc0_bias]`",
        ),
        example(
            sections(|order| {
                let inner = at(SectionSpec::Stacks(vec![order.remove(0)]));
                let loc = inner.loc;
                order.push(at(SectionSpec::Stacks(vec![inner])));
                loc
            }),
            Code::TensorOrder,
            "`stacks` stands in `stacks`",
            "name the tensors in one of them",
        ),
        example(
            sections(|order| {
                let bias = order.remove(6);
                let loc = bias.loc;
                order.push(at(SectionSpec::Stacks(vec![bias])));
                loc
            }),
            Code::TensorOrder,
            "`ft_bias` is there once, not for each stack",
            "name it outside of `stacks [..]`",
        ),
        example(
            {
                let weight = tensor("fc1_weight", None, Some(&Axis::ALL));
                let loc = bracket(&weight, 0).loc;
                let (mut spec, _) = sections(|order| {
                    let weight = order.remove(3);
                    order.push(at(SectionSpec::Stacks(vec![weight])));
                    loc
                });
                let raw = spec.format.raw.as_mut().expect("raw");
                raw.tensors.push(weight);
                (spec, loc)
            },
            Code::TensorAxes,
            "`fc1_weight` stands in `stacks [..]`, which is its axis `stack`",
            "leave `[stack]` out",
        ),
        example(
            raw(|raw| {
                let skip = at(1 << 21);
                raw.skip = Some(skip);
                skip.loc
            }),
            Code::HeaderSize,
            "2097152 bytes before the tensors are skipped, at most 1048576 can be",
            "raw files of engines have headers of some bytes, or none",
        ),
        example(
            {
                let mut spec = simple();
                let value = at(1 << 40);
                spec.goldens.push(GoldenSpec {
                    form: GoldenForm::Text,
                    fen: at("8/8/8/8/8/8/8/K1k5 w - - 0 1".into()),
                    says: GoldenSays::Value(value),
                });
                (spec, value.loc)
            },
            Code::GoldenRange,
            "a value has 32 bits, 1099511627776 has more",
            "write what the engine prints",
        ),
        example(
            {
                let mut spec = simple();
                let name = at(String::from("wdl"));
                spec.goldens.push(GoldenSpec {
                    form: GoldenForm::Text,
                    fen: at("8/8/8/8/8/8/8/K1k5 w - - 0 1".into()),
                    says: GoldenSays::Output {
                        name: name.clone(),
                        rows: Vec::new(),
                        numbers: at(Vec::new()),
                    },
                });
                (spec, name.loc)
            },
            Code::GoldenOutput,
            "the network has no output `wdl`",
            "write `golden \"FEN\" = 60;` for the value of the network",
        ),
        example(
            {
                let mut spec = simple();
                let fen = at(String::from("8/8/8/8/8/8/8/8 w - - 0 1"));
                let loc = fen.loc;
                spec.goldens.push(GoldenSpec {
                    form: GoldenForm::Text,
                    fen,
                    says: GoldenSays::Value(at(0)),
                });
                (spec, loc)
            },
            Code::GoldenFen,
            "not a position: white does not have one king",
            "write a FEN, for example `rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1`",
        ),
        example(
            {
                let hidden = activate(Activation::Screlu, affine(crelu(name("acc")), 16));
                let loc = match &hidden {
                    Expr::Activate { function, .. } => function.loc,
                    _ => panic!("an activation"),
                };
                (
                    net(
                        FeatureSetId::Chess768,
                        64,
                        vec![],
                        vec![term(affine(hidden, 1))],
                    ),
                    loc,
                )
            },
            Code::FloatLayers,
            "`screlu` of a layer is read by layers of floats only",
            "give the layer that reads it the type `f32`, or train with `crelu` or `sqr_crelu`",
        ),
    ]
}

#[test]
fn a_tensor_stands_once_in_an_order_and_is_described_once() {
    let mut names = ORDER.to_vec();
    names.push("ft_bias");
    let twice = diagnose(&ordered(&names).0);
    assert_eq!(twice[0].message, "`ft_bias` stands twice in the order");
    let (spec, _) = raw(|raw| {
        raw.tensors = vec![
            tensor("fc0_bias", None, None),
            tensor("fc0_bias", None, None),
        ];
        raw.tensors[1].name.loc
    });
    assert_eq!(diagnose(&spec)[0].message, "`fc0_bias` is described twice");
    assert!(diagnose(&ordered(&ORDER).0).is_empty());
}

/// `(768 -> 64)x2 @ 255 screlu -> 1: i16`
fn direct(function: Activation) -> NetSpec {
    let Expr::Affine {
        input,
        outputs,
        scale,
        sums,
        binary,
        reach,
        loc,
        ..
    } = affine(activate(function, name("acc")), 1)
    else {
        panic!("a layer")
    };
    let output = Expr::Affine {
        input,
        outputs,
        element: at(ElementType::I16),
        scale,
        sums,
        bias: None,
        unit: None,
        binary,
        reach,
        loc,
    };
    let mut spec = net(
        FeatureSetId::King(KingBuckets::MIRRORED),
        64,
        vec![],
        vec![term(output)],
    );
    spec.accumulator.one = at(255);
    spec
}

fn codes(spec: &NetSpec) -> Vec<Code> {
    let mut sink = Sink::new();
    check(spec, &mut sink);
    sink.into_diagnostics()
        .iter()
        .map(|diagnostic| diagnostic.code)
        .collect()
}

#[test]
fn layers_of_16_bit_weights_read_clipped_accumulators_whole() {
    for function in [Activation::Crelu, Activation::Screlu, Activation::Pairwise] {
        assert_eq!(codes(&direct(function)), []);
    }
    assert_eq!(
        codes(&direct(Activation::SqrCrelu)),
        [Code::UnsupportedWeightElement]
    );
}

#[test]
fn a_layer_of_16_bit_weights_is_the_whole_output() {
    let mut scaled = direct(Activation::Screlu);
    scaled.output.ratio = Some(ratio(1, 2));
    assert_eq!(codes(&scaled), [Code::OutputTerm]);
    let mut with_psqt = direct(Activation::Screlu);
    with_psqt.accumulator.psqt = Some(at(1));
    assert_eq!(codes(&with_psqt), [Code::BadValue]);
}

#[test]
fn whole_squares_are_not_bytes() {
    let spec = net(
        FeatureSetId::Chess768,
        64,
        vec![],
        vec![term(affine(activate(Activation::Screlu, name("acc")), 1))],
    );
    assert_eq!(codes(&spec), [Code::ActivationRange]);
}

/// `acc -> 16 screlu -> 1: f32 sums n`
fn float(inner: Expr, sums: Option<u64>) -> NetSpec {
    let Expr::Affine {
        input,
        outputs,
        scale,
        binary,
        reach,
        loc,
        ..
    } = affine(activate(Activation::Screlu, inner), 1)
    else {
        panic!("a layer")
    };
    let output = Expr::Affine {
        input,
        outputs,
        element: at(ElementType::F32),
        scale,
        sums: sums.map(at),
        bias: None,
        unit: None,
        binary,
        reach,
        loc,
    };
    net(FeatureSetId::Chess768, 64, vec![], vec![term(output)])
}

#[test]
fn floats_follow_one_layer_that_reads_accumulators() {
    let first = || affine(crelu(name("acc")), 16);
    assert_eq!(codes(&float(first(), None)), []);
    assert_eq!(
        codes(&float(affine(crelu(first()), 8), None)),
        [Code::FloatLayers]
    );
    // Float layers may read parts of activations, and several activations.
    assert_eq!(codes(&float(slice(first(), 0, 8), None)), []);
    for (sums, right) in [(2, true), (16, true), (1, false), (12, false), (32, false)] {
        assert_eq!(
            codes(&float(first(), Some(sums))).is_empty(),
            right,
            "{sums}"
        );
    }
}

#[test]
fn every_entry_of_a_table_names_a_stack() {
    let with = |table: [Option<u16>; 33]| {
        let mut spec = simple();
        spec.stacks = StackSpec {
            count: at(8),
            group: None,
            by: Some(at(SelectorSpec::Table(table))),
        };
        codes(&spec)
    };
    assert_eq!(with([Some(7); 33]), []);
    assert_eq!(with([Some(8); 33]), [Code::SelectorRange]);
    assert_eq!(
        with(core::array::from_fn(|pieces| (pieces != 20).then_some(0))),
        [Code::SelectorRange]
    );
    assert_eq!(
        with(core::array::from_fn(|pieces| (pieces > 1).then_some(0))),
        []
    );
}

#[test]
fn the_rule_of_the_trainer_may_leave_stacks_unused() {
    for count in 1..=32 {
        let mut spec = simple();
        spec.stacks = StackSpec {
            count: at(count),
            group: None,
            by: Some(at(SelectorSpec::MaterialCount)),
        };
        assert_eq!(codes(&spec), [], "{count}");
    }
}
