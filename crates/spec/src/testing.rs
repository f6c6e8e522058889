//! A small builder of models for tests. Every `Loc` is unique, numbered in order of construction.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::cell::Cell;

use crate::check::check;
use crate::descriptor::{ElementType, Encoding, FeatureSetId, KingBuckets};
use crate::diagnostic::Sink;
use crate::loc::{Loc, Located};
use crate::model::*;
use crate::plan::{Plan, plan};

std::thread_local! {
    static NEXT: Cell<u32> = const { Cell::new(0) };
}

pub(crate) fn at<T>(value: T) -> Located<T> {
    Located::new(value, fresh())
}

fn fresh() -> Loc {
    Loc(NEXT.replace(NEXT.get() + 1))
}

pub(crate) fn name(name: &str) -> Expr {
    Expr::Name(at(name.to_string()))
}

pub(crate) fn affine(input: Expr, outputs: u64) -> Expr {
    let (outputs, element, scale) = (at(outputs), at(ElementType::I8), at(64));
    Expr::Affine {
        input: Box::new(input),
        outputs,
        element,
        scale,
        sums: None,
        bias: None,
        unit: None,
        binary: None,
        reach: None,
        loc: fresh(),
    }
}

pub(crate) fn apply(function: Function, input: Expr) -> Expr {
    Expr::Activate {
        function: at(function),
        input: Box::new(input),
        shift: None,
        words: None,
    }
}

pub(crate) fn activate(function: Activation, input: Expr) -> Expr {
    apply(Function::Known(function), input)
}

pub(crate) fn shifted(function: Activation, input: Expr, shift: u64) -> Expr {
    Expr::Activate {
        function: at(Function::Known(function)),
        input: Box::new(input),
        shift: Some(at(shift)),
        words: None,
    }
}

/// A function of the program.
pub(crate) fn custom(path: &str, max: Option<u64>) -> Function {
    Function::Custom(CustomFunction {
        path: path.to_string(),
        max: max.map(at),
    })
}

pub(crate) fn crelu(input: Expr) -> Expr {
    activate(Activation::Crelu, input)
}

pub(crate) fn sqr_crelu(input: Expr) -> Expr {
    activate(Activation::SqrCrelu, input)
}

pub(crate) fn pairwise(input: Expr) -> Expr {
    activate(Activation::Pairwise, input)
}

pub(crate) fn concat(parts: impl IntoIterator<Item = Expr>) -> Expr {
    Expr::Concat {
        parts: parts.into_iter().collect(),
        loc: fresh(),
    }
}

/// Arithmetic of integers.
pub(crate) fn arithmetic(operation: Arithmetic, operands: impl IntoIterator<Item = Expr>) -> Expr {
    Expr::Arithmetic {
        operation: at(operation),
        operands: operands.into_iter().collect(),
    }
}

/// `max(a, b)`
pub(crate) fn pool(pool: Pool, operands: [Expr; 2]) -> Expr {
    Expr::Pool {
        pool: at(pool),
        operands: Box::new(operands),
    }
}

pub(crate) fn slice(input: Expr, start: u64, end: u64) -> Expr {
    Expr::Slice {
        input: Box::new(input),
        start: Some(at(start)),
        end: Some(at(end)),
        loc: fresh(),
    }
}

pub(crate) fn bind(name: &str, value: Expr) -> Binding {
    Binding {
        name: at(name.to_string()),
        value,
    }
}

pub(crate) fn term(value: Expr) -> TermSpec {
    TermSpec {
        negative: false,
        value,
        ratio: None,
    }
}

pub(crate) fn ratio(num: u64, den: u64) -> RatioSpec {
    RatioSpec {
        num: at(num),
        den: at(den),
        wide: false,
    }
}

/// A network `set -> width x 2` with the given graph; one stack, no PSQT.
pub(crate) fn net(
    set: FeatureSetId,
    width: u64,
    bindings: Vec<Binding>,
    terms: Vec<TermSpec>,
) -> NetSpec {
    NetSpec {
        name: at("Net".to_string()),
        inputs: [InputSpec {
            set: at(set),
            name: None,
            groups: Vec::new(),
            rows: None,
            element: at(ElementType::I16),
        }]
        .into(),
        accumulator: AccumulatorSpec {
            name: at("acc".to_string()),
            width: at(width),
            perspectives: at(2),
            one: at(127),
            psqt: None,
            psqt_floats: None,
            order: None,
            separate: None,
            nonzero: None,
        },
        stacks: StackSpec {
            count: at(1),
            group: None,
            by: None,
        },
        bindings,
        output: OutputSpec {
            terms,
            ratio: None,
            loc: fresh(),
        },
        heads: Vec::new(),
        fused: false,
        value: None,
        format: FormatSpec {
            raw: None,
            version: None,
            encoding: None,
            features: None,
        },
        goldens: Vec::new(),
        weights: None,
    }
}

/// `set -> width x 2 -> 16 -> 32 -> 1` with clipped ReLU everywhere.
pub(crate) fn chain(set: FeatureSetId, width: u64) -> NetSpec {
    let h1 = affine(crelu(name("acc")), 16);
    let h2 = affine(crelu(h1), 32);
    net(set, width, Vec::new(), [term(affine(crelu(h2), 1))].into())
}

/// Adds eight stacks and eight PSQT outputs.
pub(crate) fn bucketed(mut spec: NetSpec) -> NetSpec {
    spec.accumulator.psqt = Some(at(8));
    spec.stacks = StackSpec {
        count: at(8),
        group: None,
        by: Some(at(SelectorSpec::PieceCount {
            minus: 1,
            divide: 4,
        })),
    };
    spec
}

/// SFNNv5 and its wider successors.
pub(crate) fn sfnn_v5(width: u64) -> NetSpec {
    let bindings = [
        bind("x", pairwise(name("acc"))),
        bind("h1", affine(name("x"), 16)),
        bind(
            "a1",
            concat([
                sqr_crelu(slice(name("h1"), 0, 15)),
                crelu(slice(name("h1"), 0, 15)),
            ]),
        ),
        bind("h2", affine(name("a1"), 32)),
    ];
    let forward = TermSpec {
        ratio: Some(ratio(9600, 8128)),
        ..term(slice(name("h1"), 15, 16))
    };
    let terms = [term(affine(crelu(name("h2")), 1)), forward];
    let mut spec = bucketed(net(
        FeatureSetId::HalfKaV2Hm,
        width,
        bindings.into(),
        terms.into(),
    ));
    spec.format.encoding = Some(at(Encoding::Leb128));
    spec
}

/// The plan of a model without errors.
pub(crate) fn planned(spec: &NetSpec) -> Plan {
    let mut sink = Sink::new();
    let graph = check(spec, &mut sink);
    assert_eq!(sink.into_diagnostics(), []);
    plan(&graph.expect("a model without errors has a graph"))
}

/// All sets of single pieces, with king buckets of each kind.
pub(crate) fn sets_of_pieces() -> Vec<FeatureSetId> {
    let halves = KingBuckets::new(
        core::array::from_fn(|square| u8::from(square > 31)),
        true,
        false,
    );
    let ranks = KingBuckets::new(
        core::array::from_fn(|square| (square / 16) as u8),
        false,
        true,
    );
    let buckets = [
        KingBuckets::MIRRORED,
        halves,
        ranks,
        ranks.rotated(),
        halves.with_attacks(),
        halves.merged_kings().with_attacks(),
    ];
    let named = FeatureSetId::ALL.into_iter();
    named.chain(buckets.map(FeatureSetId::King)).collect()
}
