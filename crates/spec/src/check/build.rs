//! The parts of the graph that are not operations. Nothing here fails: wrong numbers, already reported, are
//! replaced by common ones so that later checks can find other errors.

use alloc::vec::Vec;

use super::walk::Walked;
use super::{MAX_ONE, MAX_WIDTH, golden, row_rule};
use crate::descriptor::*;
use crate::graph::{Custom, Golden, Graph, Node, Term, container, layers, lower_raw, tensors};
use crate::model::{
    GoldenSays, GoldenSpec, InputSpec, NetSpec, RatioSpec, SelectorSpec, ValueForm,
};
use crate::quant;
use crate::rows::RowRule;

/// The graph of a declaration without errors in its parts and operations.
pub(super) fn graph(spec: &NetSpec, accumulator: AccumulatorDesc, walked: Walked) -> Graph {
    let Walked {
        nodes,
        custom,
        terms,
        heads,
        ..
    } = walked;
    let (features, stacks) = (
        spec.inputs.iter().map(feature).collect::<Vec<_>>(),
        stacks(spec),
    );
    let encoding = spec
        .format
        .encoding
        .map_or(Encoding::Raw, |encoding| encoding.value);
    let mut tensors = tensors(&features, accumulator, stacks, &nodes, encoding);
    let raw = spec
        .format
        .raw
        .as_ref()
        .map(|written| lower_raw(written, &mut tensors, &nodes));
    let head_goldens = golden::of_heads(spec, &heads);
    Graph {
        name: spec.name.value.clone(),
        container: container(&spec.format, encoding, &features, accumulator, &nodes),
        value: value(spec, &nodes, &terms),
        features,
        accumulator,
        stacks,
        nodes,
        terms,
        ratio: spec.output.ratio.map(ratio),
        heads,
        tensors,
        raw,
        goldens: spec.goldens.iter().filter_map(golden_value).collect(),
        head_goldens,
        weights: spec.weights.clone(),
        custom: Custom {
            set: spec
                .inputs
                .iter()
                .find_map(|input| input.name.clone())
                .unwrap_or_default(),
            activations: custom,
            groups: spec
                .inputs
                .iter()
                .flat_map(|input| input.groups.iter().cloned())
                .collect(),
        },
    }
}

fn feature(input: &InputSpec) -> FeatureDesc {
    let set = input.set.value;
    FeatureDesc {
        set,
        rows: set.rows(),
        element: input.element.value,
    }
}

fn golden_value(golden: &GoldenSpec) -> Option<Golden> {
    let GoldenSays::Value(value) = &golden.says else {
        return None;
    };
    Some(Golden {
        fen: golden.fen.value.clone(),
        value: value.value as i32,
    })
}

/// The accumulators.
pub(super) fn accumulator(spec: &NetSpec) -> AccumulatorDesc {
    let written = &spec.accumulator;
    let (width, one) = (written.width.value, written.one.value);
    AccumulatorDesc {
        width: if (1..=MAX_WIDTH).contains(&width) {
            width as usize
        } else {
            32
        },
        perspectives: written.perspectives.value.clamp(1, 2) as usize,
        psqt: written.psqt.map_or(0, |psqt| psqt.value as usize),
        psqt_floats: written
            .psqt_floats
            .map_or(0, |floats| floats.value as usize),
        one: if (1..=MAX_ONE).contains(&one) {
            one
        } else {
            quant::DEFAULT_ONE
        } as i32,
        order: written
            .order
            .map_or(PerspectiveOrder::SideToMove, |order| order.value),
        separate: written.separate.is_some(),
        nonzero: written.nonzero.map_or(DEFAULT_NONZERO, |nonzero| {
            nonzero.value.clamp(1, 100) as usize
        }),
    }
}

fn stacks(spec: &NetSpec) -> StackDesc {
    let count = spec.stacks.count.value;
    let by_count = |(minus, divide): (u64, u64)| Selector::PieceCount {
        minus: minus as usize,
        divide: divide as usize,
    };
    let selector = match spec.stacks.by.map(|by| by.value) {
        None if count == 1 => Selector::Single,
        None => by_count(quant::default_selector(count)),
        Some(SelectorSpec::PieceCount { minus, divide }) => by_count((minus, divide)),
        Some(SelectorSpec::MaterialCount) => by_count(quant::material_count(count)),
        Some(SelectorSpec::Rows(by)) => {
            let (first, rows) = row_rule::rows_of_rule(spec).unwrap_or_default();
            Selector::Rows(RowRule { first, rows, by })
        }
        Some(SelectorSpec::Custom) => Selector::Custom,
        Some(SelectorSpec::Table(table)) => {
            Selector::Table(table.map(|stack| stack.unwrap_or(0) as u8))
        }
    };
    StackDesc {
        count: count as usize,
        selector,
    }
}

pub(super) fn ratio(ratio: RatioSpec) -> Ratio {
    Ratio {
        num: ratio.num.value as i64,
        den: ratio.den.value as i64,
        wide: ratio.wide,
    }
}

fn value(spec: &NetSpec, nodes: &[Node], terms: &[Term]) -> ValueDesc {
    // The scale of the output: of the bias of a layer that reads accumulators, or of a sum after activations.
    let last = terms
        .first()
        .and_then(|term| nodes[term.node].layer())
        .map_or(0, |layer| i64::from(layer.scale));
    let direct = layers(nodes).any(|(_, layer)| layer.is_direct(nodes));
    let unit = if direct {
        spec.accumulator.one.value as i64
    } else {
        i64::from(quant::BUFFER_MAX as i32)
    };
    let floats = spec.has_floats();
    let of_words = terms.first().map(|term| &nodes[term.node]).filter(|node| {
        let layer = node.layer();
        layer.is_some_and(|layer| layer.reads_words(nodes) || layer.is_integer(nodes))
    });
    let den = of_words.map_or(unit * last, |node| {
        (node.unit.den / node.unit.num).max(1) as i64
    });
    let denominator = spec.value.map_or(1, |value| value.den);
    let scaled = |num: u64| match floats {
        true => ValueDesc::Float {
            scale: Unit {
                num,
                den: denominator,
            },
        },
        false => ValueDesc::Scaled {
            num: num as i64,
            den: denominator as i64
                * spec
                    .value
                    .and_then(|value| value.over)
                    .map_or(den, |over| over.value as i64),
        },
    };
    match spec.value.map(|value| (value.form, value.number.value)) {
        None if direct || floats => scaled(quant::DEFAULT_OUTPUT),
        None => ValueDesc::Together {
            divide: quant::DEFAULT_DIVIDE,
        },
        Some((ValueForm::Together, divide)) => ValueDesc::Together {
            divide: divide as i32,
        },
        Some((ValueForm::Separately, divide)) => ValueDesc::Separately {
            divide: divide as i32,
        },
        Some((ValueForm::Output, number)) => scaled(number),
        Some((ValueForm::Shifted, bits)) => ValueDesc::Shifted { bits: bits as u32 },
        Some((ValueForm::Sigmoid, number)) => ValueDesc::Sigmoid {
            scale: number as i32,
        },
        Some((ValueForm::Wdl, number)) => ValueDesc::Wdl {
            scale: number as i32,
        },
    }
}
