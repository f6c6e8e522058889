//! Named outputs.

use super::*;
use crate::descriptor::{HeadKind, Unit};

fn head(name: &str, kind: HeadKind, value: Expr) -> HeadSpec {
    HeadSpec {
        name: at(name.into()),
        kind: at(kind),
        value,
        ratio: None,
    }
}

/// A network with these named outputs.
fn with(heads: Vec<HeadSpec>) -> NetSpec {
    let bindings = vec![bind("h1", affine(crelu(name("acc")), 16))];
    NetSpec {
        heads,
        ..net(
            FeatureSetId::Chess768,
            64,
            bindings,
            vec![term(affine(crelu(name("h1")), 1))],
        )
    }
}

fn of(kind: HeadKind, value: Expr) -> (NetSpec, Loc) {
    let loc = match &value {
        Expr::Affine { outputs, .. } => outputs.loc,
        value => value.loc(),
    };
    (with(vec![head("wdl", kind, value)]), loc)
}

fn named(names: &[&str]) -> (NetSpec, Loc) {
    let heads: Vec<_> = names
        .iter()
        .map(|name| head(name, HeadKind::Numbers, slice(self::name("h1"), 0, 1)))
        .collect();
    let loc = heads[heads.len() - 1].name.loc;
    (with(heads), loc)
}

pub(super) fn examples() -> Vec<Example> {
    [rows_examples(), head_examples()]
        .into_iter()
        .flatten()
        .collect()
}

fn head_examples() -> Vec<Example> {
    let many: Vec<_> = (0..17).map(|index| alloc::format!("a{index}")).collect();
    vec![
        example(
            of(HeadKind::Wdl, affine(crelu(name("h1")), 2)),
            Code::OutputWidth,
            "`wdl` reads 3 neurons, for a loss, a draw and a win; there are 2",
            "write `output wdl = wdl(affine(x, 3));`",
        ),
        example(
            of(HeadKind::Numbers, affine(crelu(name("h1")), 257)),
            Code::OutputWidth,
            "the output `wdl` has 257 numbers, the limit is 256",
            "end with a smaller layer",
        ),
        example(
            of(HeadKind::Numbers, crelu(name("acc"))),
            Code::OutputTerm,
            "an output is made of neurons of a layer, `crelu(acc)` is of the accumulator",
            "write `affine(crelu(acc), 1)`",
        ),
        example(
            of(
                HeadKind::Numbers,
                concat([crelu(name("h1")), sqr_crelu(name("h1"))]),
            ),
            Code::OutputTerm,
            "`concat(..)` are values of several layers, an output has those of one",
            "write an output for each of them",
        ),
        example(
            named(&["left", "left"]),
            Code::DuplicateName,
            "the output `left` is written twice",
            "choose another name for one of the two",
        ),
        example(
            named(&["a_1", "a1"]),
            Code::DuplicateName,
            "the outputs `a_1` and `a1` have one type, `A1`",
            "choose another name for one of the two",
        ),
        example(
            named(&["params"]),
            Code::ReservedName,
            "`NetParams` is another generated item",
            "choose another name for the output, for example `params_head`",
        ),
        example(
            named(&many.iter().map(String::as_str).collect::<Vec<_>>()),
            Code::OutputWidth,
            "there are 17 outputs beside the value, the limit is 16",
            "let one output have several numbers: `output parts = affine(x, 8);`",
        ),
    ]
}

fn rows(input: Expr, outputs: u64) -> HeadSpec {
    head("policy", HeadKind::Rows, affine(input, outputs))
}

/// Networks with wrong rows.
fn rows_examples() -> Vec<Example> {
    let outputs = |head: &HeadSpec| match &head.value {
        Expr::Affine { outputs, .. } => outputs.loc,
        value => value.loc(),
    };
    let many = rows(crelu(name("acc")), 65537);
    let many_loc = outputs(&many);
    let joined = concat([crelu(name("h1")), sqr_crelu(name("h1"))]);
    let joined_loc = joined.loc();
    let sums = name("h1");
    let sums_loc = sums.loc();
    let second = rows(crelu(name("acc")), 8);
    let second_loc = second.kind.loc;
    let second = HeadSpec {
        name: at("other".into()),
        ..second
    };
    let mut no_value = with(vec![rows(crelu(name("h1")), 8)]);
    no_value.output.terms.clear();
    let number = at(16);
    no_value.value = Some(ValueSpec {
        form: ValueForm::Together,
        number,
        den: 1,
        over: None,
    });
    vec![
        example(
            (with(vec![many]), many_loc),
            Code::LayerWidth,
            "there are 1 to 65536 rows, not 65537",
            "write the number of moves that have an index",
        ),
        example(
            (with(vec![rows(joined, 8)]), joined_loc),
            Code::UnsupportedMixedInputs,
            "rows read one activation, `concat(..)` joins several",
            "let a layer read them, and rows its activation",
        ),
        example(
            (with(vec![rows(sums, 8)]), sums_loc),
            Code::MissingActivation,
            "`h1` are sums of a layer, a layer reads activated values",
            "activate it, for example `crelu(h1)`",
        ),
        example(
            (with(vec![rows(crelu(name("acc")), 8), second]), second_loc),
            Code::OutputTerm,
            "a network has one output of rows",
            "let one layer have the rows of both, and add the number of the first to indices of the second",
        ),
        example(
            (no_value, number.loc),
            Code::BadValue,
            "no output gives the value",
            "remove the clause, or add `output value = affine(x, 1);`",
        ),
    ]
}

#[test]
fn a_network_of_rows_needs_no_value() {
    let mut spec = with(vec![rows(crelu(name("h1")), 5000)]);
    spec.output.terms.clear();
    let plan = crate::plan::plan(&check(&spec, &mut Sink::new()).expect("it is right"));
    assert_eq!(
        (plan.terms.len(), plan.layers[1].kind),
        (0, crate::LayerKind::Rows)
    );
    assert_eq!(plan.notation, "Chess768[768] -> 64x2 -> policy: 16 -> 5000");
}

#[test]
fn units_are_those_of_the_values() {
    let mut sums = head("sums", HeadKind::Numbers, affine(crelu(name("h1")), 1));
    sums.ratio = Some(ratio(127, 2));
    let parts = head("parts", HeadKind::Numbers, slice(crelu(name("h1")), 3, 8));
    let graph = check(&with(vec![sums, parts]), &mut Sink::new()).expect("it is right");
    let units: Vec<_> = graph
        .heads
        .iter()
        .map(|head| (head.unit, head.run.start, head.run.len))
        .collect();
    assert_eq!(
        units,
        [
            (Unit { num: 1, den: 128 }, 0, 1),
            (Unit { num: 1, den: 127 }, 3, 5)
        ]
    );
}

#[test]
fn only_what_an_output_needs_is_computed_for_it() {
    let mut spec = with(vec![
        head("left", HeadKind::Numbers, affine(crelu(name("h1")), 1)),
        head(
            "squares",
            HeadKind::Numbers,
            affine(sqr_crelu(name("h1")), 1),
        ),
    ]);
    spec.bindings
        .push(bind("h9", affine(crelu(name("acc")), 8)));
    spec.heads
        .push(head("apart", HeadKind::Wdl, slice(name("h9"), 0, 3)));
    let plan = crate::plan::plan(&check(&spec, &mut Sink::new()).expect("it is right"));
    let readers = crate::readers(&plan.tables().descriptor());
    // activated accumulators, h1, h9, its activation, value, left, squares of h1, their layer
    assert_eq!(
        readers,
        [
            0b1111, 0b0111, 0b1000, 0b0011, 0b0001, 0b0010, 0b0100, 0b0100
        ]
    );
    assert_eq!(
        plan.notation,
        "Chess768[768] -> 64x2 -> 16 crelu|sqr_crelu -> 1 | left: 1 | squares: 1 | apart: 8"
    );
}
