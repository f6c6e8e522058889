//! Prints a declaration as JSON, with everything needed to read and evaluate the network in any language.

use std::io::Write;

use nnue_format::{Padding, raw_size};
use nnue_spec::{
    Axis, FeatureSetId, HELD, HeadDesc, HeadGoldenDesc, HeadKind, HeadSource, LayerKind, NetDesc,
    Part, PerspectiveOrder, Selector, SignOf, Span, StepDesc, TensorDesc, ValueDesc,
};
use serde::Serialize;

use super::unit;
use crate::error::Error;

#[derive(Serialize)]
struct Net<'a> {
    name: &'a str,
    notation: &'a str,
    file: File,
    features: Vec<Feature<'a>>,
    accumulator: Accumulator,
    stacks: Stacks,
    layers: Vec<Layer<'a>>,
    steps: Vec<Step<'a>>,
    value: Value,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    outputs: Vec<Output<'a>>,
    tensors: Vec<Tensor<'a>>,
    goldens: Vec<Golden<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    golden_outputs: Vec<GoldenOutput<'a>>,
}

/// `bytes` is the size with padding; missing for Stockfish containers, whose size depends on their contents.
#[derive(Serialize)]
struct File {
    format: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    skip: Option<usize>,
    /// weights of layers that read two perspectives alternate between them
    #[serde(skip_serializing_if = "Option::is_none")]
    interleaved: Option<bool>,
    enemy_first: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    padding: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    padding_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    network_hash: Option<u32>,
}

#[derive(Serialize)]
struct Feature<'a> {
    set: &'a str,
    rows: usize,
    element: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    king_buckets: Option<Vec<u8>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mirrored: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    merged_kings: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attacks: Option<bool>,
}

#[derive(Serialize)]
struct Accumulator {
    width: usize,
    perspectives: usize,
    one: i32,
    psqt: usize,
    /// number of floats per feature that are added to the output neurons
    psqt_floats: usize,
    white_first: bool,
    /// the second perspective has its own weights
    separate: bool,
}

/// `by_piece_count[n]` is the stack for n pieces; missing if the stack does not depend on their number.
#[derive(Serialize)]
struct Stacks {
    count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_piece_count: Option<Vec<usize>>,
    /// the rule of a network over `rows`, as in a declaration
    #[serde(skip_serializing_if = "Option::is_none")]
    by_rows: Option<String>,
}

#[derive(Serialize)]
struct Layer<'a> {
    name: &'a str,
    inputs: usize,
    outputs: usize,
    kind: &'static str,
    scale: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    partial_sums: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fused: Option<bool>,
}

#[derive(Serialize)]
struct Step<'a> {
    step: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    layer: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    activation: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shift: Option<u32>,
}

#[derive(Serialize)]
struct Value {
    form: &'static str,
    num: i64,
    den: i64,
}

/// Element `k` is `f32(of[start + k]) * (f32(num) / f32(den))`.
#[derive(Serialize)]
struct Output<'a> {
    name: &'a str,
    kind: &'static str,
    /// name of the layer or activation
    of: &'a str,
    start: usize,
    len: usize,
    num: u64,
    den: u64,
}

/// `shape` and `axes` as in the file, outermost first.
#[derive(Serialize)]
struct Tensor<'a> {
    name: &'a str,
    order: usize,
    element: &'static str,
    shape: Vec<usize>,
    axes: Vec<String>,
    scale: Option<f64>,
    bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<usize>,
}

#[derive(Serialize)]
struct Golden<'a> {
    fen: &'a str,
    value: i32,
}

#[derive(Serialize)]
struct GoldenOutput<'a> {
    fen: &'a str,
    output: &'a str,
    #[serde(skip_serializing_if = "<[usize]>::is_empty")]
    rows: &'a [usize],
    numbers: Vec<String>,
}

pub(super) fn write(net: &NetDesc<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let text = serde_json::to_string_pretty(&object(net))
        .map_err(|error| Error::from(std::io::Error::from(error)))?;
    Ok(writeln!(out, "{text}")?)
}

fn object<'a>(net: &'a NetDesc<'a>) -> Net<'a> {
    Net {
        name: net.name,
        notation: net.notation,
        file: file(net),
        features: net
            .features
            .iter()
            .map(|feature| self::feature(net, feature.set, feature.element.name()))
            .collect(),
        accumulator: Accumulator {
            width: net.accumulator.width,
            perspectives: net.accumulator.perspectives,
            one: net.accumulator.one,
            psqt: net.accumulator.psqt,
            psqt_floats: net.accumulator.psqt_floats,
            white_first: net.accumulator.order == PerspectiveOrder::WhiteFirst,
            separate: net.accumulator.separate,
        },
        stacks: Stacks {
            count: net.stacks.count,
            by_piece_count: net
                .stacks
                .selector
                .is_by_pieces()
                .then(|| (0..=32).map(|pieces| net.stacks.select(pieces)).collect()),
            by_rows: match net.stacks.selector {
                Selector::Rows(rule) => Some(rule.text(net.custom.groups)),
                _ => None,
            },
        },
        layers: net.layers.iter().map(layer).collect(),
        steps: net.steps.iter().map(|step| self::step(net, step)).collect(),
        value: value(net.value),
        outputs: net.heads.iter().map(|head| output(net, head)).collect(),
        tensors: tensors(net),
        goldens: net
            .goldens
            .iter()
            .map(|golden| Golden {
                fen: golden.fen,
                value: golden.value,
            })
            .collect(),
        golden_outputs: net
            .head_goldens
            .iter()
            .map(|golden| golden_output(net, golden))
            .collect(),
    }
}

fn golden_output<'a>(net: &NetDesc<'a>, golden: &HeadGoldenDesc<'a>) -> GoldenOutput<'a> {
    let numbers = golden.numbers.iter().map(ToString::to_string).collect();
    GoldenOutput {
        fen: golden.fen,
        output: net.heads[golden.head].name,
        rows: golden.rows,
        numbers,
    }
}

fn file(net: &NetDesc<'_>) -> File {
    let Some(raw) = &net.raw else {
        return File {
            format: "stockfish",
            skip: None,
            interleaved: None,
            enemy_first: None,
            padding: None,
            padding_bytes: None,
            bytes: None,
            version: Some(net.container.version),
            network_hash: Some(net.container.network_hash()),
        };
    };
    let size = |padding| raw_size(net, padding).unwrap_or_default();
    File {
        format: "raw",
        skip: raw.skip(),
        interleaved: Some(raw.interleaved),
        enemy_first: Some(raw.enemy_first),
        padding: Some(raw.padding.name()),
        padding_bytes: Some(size(raw.padding) - size(Padding::None)),
        bytes: Some(size(raw.padding)),
        version: None,
        network_hash: None,
    }
}

fn feature<'a>(net: &NetDesc<'a>, set: FeatureSetId, element: &'static str) -> Feature<'a> {
    let king = match set {
        FeatureSetId::King(king) => Some(king),
        _ => None,
    };
    Feature {
        set: net.set_name(set),
        rows: set.rows(),
        element,
        king_buckets: king.map(|king| king.table().to_vec()),
        mirrored: king.map(|king| king.is_mirrored()),
        merged_kings: king.map(|king| king.is_merged()),
        attacks: king.map(|king| king.sees_attacks()).filter(|sees| *sees),
    }
}

fn layer<'a>(layer: &nnue_spec::LayerDesc<'a>) -> Layer<'a> {
    let (kind, partial_sums, fused) = match layer.kind {
        LayerKind::Direct => ("16-bit weights on accumulators", None, None),
        LayerKind::Float { partial, fused } => ("floats", Some(partial), Some(fused)),
        LayerKind::Binary => ("signs", None, None),
        LayerKind::Words => ("16-bit values", None, None),
        LayerKind::Integer => ("32-bit integers", None, None),
        LayerKind::BlockSparse { .. } => ("8-bit weights of blocks of outputs", None, None),
        LayerKind::Sparse | LayerKind::Dense | LayerKind::Row | LayerKind::Rows => {
            ("8-bit weights", None, None)
        }
    };
    let nnue_spec::LayerDesc {
        name,
        inputs,
        outputs,
        scale,
        ..
    } = *layer;
    Layer {
        name,
        inputs,
        outputs,
        kind,
        scale,
        partial_sums,
        fused,
    }
}

fn step<'a>(net: &NetDesc<'a>, step: &StepDesc) -> Step<'a> {
    let (what, layer, shift) = match *step {
        StepDesc::ActivateAccumulator { shift, .. } => ("activate accumulators", None, Some(shift)),
        StepDesc::Affine { layer } => ("affine", Some(layer), None),
        StepDesc::Sign {
            of: SignOf::Accumulator,
            ..
        } => ("signs of accumulators", None, None),
        StepDesc::Sign {
            of: SignOf::Layer(layer),
            ..
        } => ("signs of sums", Some(layer), None),
        StepDesc::Sign {
            of: SignOf::Buffer(_),
            ..
        } => ("signs of activated values", None, None),
        StepDesc::AffineDirect { layer, .. } => ("affine of accumulators", Some(layer), None),
        StepDesc::FloatAccumulator { .. } => ("accumulators as floats", None, None),
        StepDesc::Map { .. } => ("arithmetic", None, None),
        StepDesc::FloatSums { layer, .. } => ("sums as floats", Some(layer), None),
        StepDesc::ActivateFloat { layer, .. } => ("activate floats", Some(layer), None),
        StepDesc::ActivateSums { shift, layer, .. } => ("activate sums", Some(layer), Some(shift)),
        StepDesc::Reduce { reduce, .. } => {
            return Step {
                step: "pool of runs",
                layer: None,
                activation: Some(reduce.name(false)),
                shift: None,
            };
        }
        StepDesc::Pool { pool, .. } => {
            return Step {
                step: "pool",
                layer: None,
                activation: Some(pool.definition().name),
                shift: None,
            };
        }
    };
    let activation = step
        .activation()
        .map(|activation| net.activation_name(activation));
    Step {
        step: what,
        layer: layer.map(|layer| net.layers[layer].name),
        activation,
        shift,
    }
}

fn value(value: ValueDesc) -> Value {
    let (form, num, den) = match value {
        ValueDesc::Together { divide } => ("(psqt + positional) * num / den", 1, divide.into()),
        ValueDesc::Separately { divide } => (
            "psqt * num / den + positional * num / den",
            1,
            divide.into(),
        ),
        ValueDesc::Shifted { bits } => ("positional >> num", bits.into(), 1),
        ValueDesc::Scaled { num, den } => ("positional * num / den", num, den),
        ValueDesc::Float { scale } => (
            "trunc(output * num / den)",
            scale.num as i64,
            scale.den as i64,
        ),
        ValueDesc::Sigmoid { scale } => ("trunc(sigmoid(output) * num / den)", scale.into(), 1),
        ValueDesc::Wdl { scale } => ("trunc((win + draw / 2) * num / den)", scale.into(), 1),
    };
    Value { form, num, den }
}

fn output<'a>(net: &NetDesc<'a>, head: &HeadDesc<'a>) -> Output<'a> {
    let of = match head.source {
        HeadSource::Layer(layer) => net.layers[layer].name,
        HeadSource::Buffer(buffer) => net.buffers[buffer].name,
    };
    let kind = match head.kind {
        HeadKind::Numbers => "numbers",
        HeadKind::Rows => "rows on demand",
        HeadKind::Wdl => "loss, draw, win",
    };
    Output {
        name: head.name,
        kind,
        of,
        start: head.start,
        len: head.len,
        num: head.unit.num,
        den: head.unit.den,
    }
}

fn tensors<'a>(net: &NetDesc<'a>) -> Vec<Tensor<'a>> {
    let spans = net.raw.as_ref().and_then(|raw| raw.spans(net));
    let tensor = |(order, tensor): (usize, &TensorDesc<'a>)| {
        let element = net
            .raw
            .map_or(tensor.element, |raw| raw.element(net, order));
        let is_it = |span: &&Span<'_>| span.placed.section.tensor() == Some(order);
        let span = spans.as_ref().and_then(|spans| spans.iter().find(is_it));
        let offset = span.map(|span| span.offset as usize);
        let bytes = tensor.len() * element.bytes();
        let axes = net.raw.map_or(HELD, |raw| raw.axes[order]);
        let mut parts = tensor.long_axes(axes);
        if parts.is_empty() {
            parts.push(Part::whole(Axis::Column));
        }
        Tensor {
            name: tensor.name,
            order,
            element: element.name(),
            shape: parts.iter().map(|&part| tensor.part_length(part)).collect(),
            axes: parts.iter().map(|&part| tensor.part_text(part)).collect(),
            scale: unit::of_tensor(net, tensor),
            bytes,
            offset,
        }
    };
    net.tensors.iter().enumerate().map(tensor).collect()
}
