//! Refused declarations, and logits computed by hand.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::model::{GroupSpec, LogitSpec, ProductSpec, SubnetExpr, SubnetsSpec};
use super::reference::{Listed, active_rows, evaluate};
use super::{Numbers, Parameters, SubnetsGraph, check};
use crate::descriptor::{CustomSet, ElementType, FeatureSetId};
use crate::diagnostic::{Code, Sink};
use crate::loc::{Loc, Located};
use crate::model::InputSpec;
use crate::op::Activation;
use crate::reference::Board;

fn at<T>(value: T) -> Located<T> {
    Located::new(value, Loc(0))
}

fn group(name: &str, width: u64, element: ElementType, scale: Option<u64>) -> GroupSpec {
    let input = InputSpec {
        set: at(FeatureSetId::Chess768),
        name: None,
        groups: Vec::new(),
        rows: None,
        element: at(ElementType::I16),
    };
    GroupSpec {
        name: at(name.to_string()),
        inputs: vec![input],
        count: at(2),
        width: at(width),
        element: at(element),
        scale: scale.map(at),
    }
}

fn of(activation: Activation, name: &str) -> SubnetExpr {
    SubnetExpr::Activate {
        activation: at(activation),
        input: at(name.to_string()),
    }
}

fn spec(groups: [GroupSpec; 2], operands: [SubnetExpr; 2]) -> SubnetsSpec {
    let product = ProductSpec {
        negative: false,
        operands,
        loc: Loc(7),
    };
    let logit = LogitSpec {
        products: vec![product],
        terms: Some(at(2)),
    };
    SubnetsSpec {
        name: at("N".to_string()),
        groups: groups.into(),
        bindings: Vec::new(),
        logit,
    }
}

fn floats() -> SubnetsSpec {
    let groups = ["a", "b"].map(|name| group(name, 3, ElementType::F32, None));
    spec(
        groups,
        [of(Activation::Relu, "a"), of(Activation::Relu, "b")],
    )
}

fn checked(spec: &SubnetsSpec) -> Result<SubnetsGraph, Vec<(Code, String)>> {
    let mut sink = Sink::new();
    let graph = check(spec, &mut sink);
    let found: Vec<(Code, String)> = sink
        .into_diagnostics()
        .into_iter()
        .map(|wrong| (wrong.code, wrong.message))
        .collect();
    match graph {
        Some(graph) if found.is_empty() => Ok(graph),
        _ => Err(found),
    }
}

/// Turns a correct declaration into a wrong one.
type Mistake = fn(&mut SubnetsSpec);

#[test]
fn what_does_not_fit_is_refused() {
    let wrong = |change: Mistake| {
        let mut spec = floats();
        change(&mut spec);
        checked(&spec).expect_err("it is wrong")[0].clone()
    };
    let cases: [(Mistake, Code, &str); 9] = [
        (
            |spec| spec.groups[0].count.value = 0,
            Code::Subnets,
            "a group has 1 to 65536 subnets, not 0",
        ),
        (
            |spec| spec.groups[0].width.value = 300,
            Code::LayerWidth,
            "a subnet has 1 to 256 neurons, not 300",
        ),
        (
            |spec| spec.groups[1].width.value = 4,
            Code::Subnets,
            "`dot` multiplies as many neurons, found 3 and 4",
        ),
        (
            |spec| spec.groups[1].scale = Some(at(64)),
            Code::LayerScale,
            "in floats 1.0 is 1, found `@ 64`",
        ),
        (
            |spec| {
                spec.groups
                    .iter_mut()
                    .for_each(|group| group.element.value = ElementType::I16)
            },
            Code::LayerScale,
            "`i16` does not say what 1.0 is",
        ),
        (
            |spec| spec.groups[1].inputs[0].set.value = FeatureSetId::HalfKp,
            Code::Subnets,
            "all subnets of a network read the same rows, and these read others",
        ),
        (
            |spec| spec.logit.terms = Some(at(0)),
            Code::Subnets,
            "there are 1 to 65536 terms, not 0",
        ),
        (
            |spec| spec.logit.products[0].operands[1] = SubnetExpr::Name(at("b".to_string())),
            Code::MissingActivation,
            "`b` is not activated",
        ),
        (
            |spec| spec.logit.products[0].operands[1] = of(Activation::Relu, "a"),
            Code::UnusedBinding,
            "`b` is never read",
        ),
    ];
    for (change, code, message) in cases {
        assert_eq!(wrong(change), (code, message.to_string()));
    }
}

#[test]
fn sums_of_whole_numbers_fit_or_are_refused() {
    let mut spec = floats();
    for group in &mut spec.groups {
        (group.element.value, group.scale) = (ElementType::I16, Some(at(256)));
        group.inputs[0].set.value = FeatureSetId::Custom(CustomSet::new("Mine", 100_000, 100_000));
        group.inputs[0].rows = Some(at(100_000));
        group.inputs[0].name = Some("Mine".to_string());
    }
    let (code, message) = checked(&spec).expect_err("100,000 rows leave i32")[0].clone();
    assert_eq!(code, Code::SumOverflow);
    assert_eq!(
        message,
        "sums of 100000 rows and their products may not fit in i32 and i64"
    );
    for group in &mut spec.groups {
        group.inputs[0].set.value = FeatureSetId::Custom(CustomSet::new("Mine", 100_000, 64));
    }
    checked(&spec).expect("64 of them do not");
}

/// Two subnets of three neurons each; the board has a king on each side, and Black moves.
#[test]
fn a_logit_is_what_it_is_by_hand() {
    let graph = checked(&floats()).expect("nothing is wrong");
    let groups = graph.groups();
    let net = graph.desc(&groups);
    assert_eq!(
        net.notation(),
        "Chess768 -> a 2 x 3, b 2 x 3: f32 -> dot(relu(a), relu(b)) + terms[2]"
    );
    let board = Board::new([(false, 5, 4), (true, 5, 60)], true);
    let rows = active_rows(&net, &board);
    // Black sees its own king on e1, White's on e8: planes 5 and 11.
    assert_eq!(rows, [384 + 320 + 60, 320 + 4]);
    let mut numbers = vec![0.0; net.numbers()];
    let subnet = 769 * 3;
    for (place, value) in [
        (324 * 3, 2.0),
        (764 * 3, 0.5),
        (768 * 3, -1.0),
        (324 * 3 + 1, -9.0),
    ] {
        numbers[place] = value; // subnet 0 of `a`: 1.5, then -9
    }
    for k in 0..3 {
        numbers[3 * subnet + 768 * 3 + k] = 4.0; // subnet 1 of `b`: biases alone
    }
    let parameters = Parameters {
        numbers: Numbers::Floats(numbers),
        terms: vec![10.0, -0.25],
    };
    let moves = [
        Listed {
            subnets: vec![[0, 1]],
            terms: vec![1, 0],
        },
        Listed {
            subnets: vec![[1, 1]],
            terms: vec![],
        },
    ];
    assert_eq!(
        evaluate(&net, &parameters, &rows, &moves),
        [1.5 * 4.0 - 0.25 + 10.0, 0.0]
    );
}
