//! One walk over the graph of a checked model.

mod file;
mod float;

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::{Plan, PlanBuffer, PlanGolden, PlanLayer, notation, raw};
use crate::descriptor::*;
use crate::layout::file_columns;
use crate::model::{Activation, Expr, NetSpec, RatioSpec, SelectorSpec, TermSpec, ValueForm};
use crate::quant;

/// What an expression stands for.
#[derive(Clone, Debug)]
enum Value {
    /// the accumulators themselves
    Accumulator,
    /// activated accumulators, which become a buffer when a layer of 8-bit weights reads them
    Activated { function: Activation, shift: Option<u32>, name: Option<String> },
    /// activated sums of a layer, which become a buffer of bytes or floats when a layer reads them
    ActivatedSums {
        function: Activation,
        shift: Option<u32>,
        name: Option<String>,
        layer: usize,
        start: usize,
        len: usize,
    },
    /// a run of the sums of a layer
    Sums { layer: usize, start: usize, len: usize },
    /// runs of buffers, one after the other
    Read(Vec<Segment>),
}

impl Value {
    /// Number of values; of accumulators, as the checks count them, none.
    fn len(&self) -> usize {
        match self {
            Self::Accumulator | Self::Activated { .. } => 0,
            Self::Sums { len, .. } | Self::ActivatedSums { len, .. } => *len,
            Self::Read(segments) => segments.iter().map(|segment| segment.len).sum(),
        }
    }
}

struct Lowering<'a> {
    accumulator: AccumulatorDesc,
    accumulator_name: &'a str,
    names: BTreeMap<&'a str, Value>,
    buffers: Vec<PlanBuffer>,
    layers: Vec<PlanLayer>,
    steps: Vec<StepDesc>,
    /// rows of layer weights are not padded
    is_raw: bool,
    /// some layers are of floats: then so is everything behind the first
    floats: bool,
    /// products and additions of floats are one operation
    fused: bool,
}

pub(crate) fn lower(spec: &NetSpec) -> Plan {
    let accumulator = lower_accumulator(spec);
    let stacks = lower_stacks(spec);
    let mut graph = Lowering::new(spec, accumulator);
    for binding in &spec.bindings {
        let value = graph.value(&binding.value, Some(&binding.name.value));
        graph.names.insert(&binding.name.value, value);
    }
    let terms = spec.output.terms.iter().flat_map(|term| graph.terms(term)).collect();
    let features: Vec<_> = spec.inputs.iter().map(lower_input).collect();
    let mut tensors = file::tensors(&features, accumulator, stacks, &graph.layers, file::encoding(spec));
    let raw = spec.format.raw.as_ref().map(|written| raw::lower(written, &mut tensors));
    let value = lower_value(spec, &graph.layers);
    let mut plan = Plan {
        name: spec.name.value.clone(),
        notation: String::new(),
        tensors,
        container: file::container(spec, &features, accumulator, &graph.layers),
        features,
        accumulator,
        stacks,
        buffers: graph.buffers,
        layers: graph.layers,
        steps: graph.steps,
        terms,
        ratio: spec.output.ratio.map(lower_ratio),
        value,
        raw,
        goldens: spec.goldens.iter().map(lower_golden).collect(),
    };
    plan.notation = notation::notation(&plan);
    plan
}

fn lower_input(input: &crate::model::InputSpec) -> FeatureDesc {
    let set = input.set.value;
    FeatureDesc { set, rows: set.rows(), element: input.element.value }
}

fn lower_golden(golden: &crate::model::GoldenSpec) -> PlanGolden {
    PlanGolden { fen: golden.fen.value.clone(), value: golden.value.value as i32 }
}

fn lower_accumulator(spec: &NetSpec) -> AccumulatorDesc {
    let written = &spec.accumulator;
    AccumulatorDesc {
        width: written.width.value as usize,
        perspectives: written.perspectives.value as usize,
        psqt: written.psqt.map_or(0, |psqt| psqt.value as usize),
        one: written.one.value as i32,
        order: written.order.map_or(PerspectiveOrder::SideToMove, |order| order.value),
        separate: written.separate.is_some(),
    }
}

fn lower_stacks(spec: &NetSpec) -> StackDesc {
    let count = spec.stacks.count.value;
    let by_count =
        |(minus, divide): (u64, u64)| Selector::PieceCount { minus: minus as usize, divide: divide as usize };
    let selector = match spec.stacks.by.map(|by| by.value) {
        None if count == 1 => Selector::Single,
        None => by_count(quant::default_selector(count)),
        Some(SelectorSpec::PieceCount { minus, divide }) => by_count((minus, divide)),
        Some(SelectorSpec::MaterialCount) => by_count(quant::material_count(count)),
        Some(SelectorSpec::Own) => Selector::Own,
        Some(SelectorSpec::Table(table)) => Selector::Table(table.map(|stack| stack.unwrap_or(0) as u8)),
    };
    StackDesc { count: count as usize, selector }
}

fn lower_ratio(ratio: RatioSpec) -> Ratio {
    Ratio { num: ratio.num.value as i64, den: ratio.den.value as i64, wide: ratio.wide }
}

fn lower_value(spec: &NetSpec, layers: &[PlanLayer]) -> ValueDesc {
    // What 1.0 is in units of the output: of the bias of a layer that reads accumulators, or of a sum behind activations.
    let last = layers.last().map_or(0, |layer| i64::from(layer.scale));
    let direct = layers.iter().any(|layer| layer.kind == LayerKind::Direct);
    let unit = if direct { spec.accumulator.one.value as i64 } else { i64::from(quant::BUFFER_MAX as i32) };
    let floats = spec.has_floats();
    let scaled = |num: u64| match floats {
        true => ValueDesc::Float { scale: num as i32 },
        false => ValueDesc::Scaled { num: num as i64, den: unit * last },
    };
    match spec.value.map(|value| (value.form, value.number.value)) {
        None if direct || floats => scaled(quant::DEFAULT_OUTPUT),
        None => ValueDesc::Together { divide: quant::DEFAULT_DIVIDE },
        Some((ValueForm::Together, divide)) => ValueDesc::Together { divide: divide as i32 },
        Some((ValueForm::Separately, divide)) => ValueDesc::Separately { divide: divide as i32 },
        Some((ValueForm::Output, number)) => scaled(number),
        Some((ValueForm::Sigmoid, number)) => ValueDesc::Sigmoid { scale: number as i32 },
        Some((ValueForm::Wdl, number)) => ValueDesc::Wdl { scale: number as i32 },
    }
}

impl<'a> Lowering<'a> {
    fn new(spec: &'a NetSpec, accumulator: AccumulatorDesc) -> Self {
        let accumulator_name = spec.accumulator.name.value.as_str();
        Self {
            accumulator,
            accumulator_name,
            names: BTreeMap::from([(accumulator_name, Value::Accumulator)]),
            buffers: Vec::new(),
            layers: Vec::new(),
            steps: Vec::new(),
            is_raw: spec.format.raw.is_some(),
            floats: spec.has_floats(),
            fused: spec.fused,
        }
    }

    /// Evaluates an expression; `name` is what a buffer made by its outermost operation is to be called.
    fn value(&mut self, expr: &Expr, name: Option<&str>) -> Value {
        match expr {
            Expr::Name(name) => self.names[name.value.as_str()].clone(),
            Expr::Affine { input, outputs, element, scale, .. } if element.value == ElementType::I16 => {
                match self.value(input, None) {
                    Value::Activated { function, .. } => {
                        self.affine_direct(function, outputs.value as usize, scale.value)
                    }
                    other => panic!("the check lets only activated accumulators meet 16-bit weights, not {other:?}"),
                }
            }
            Expr::Affine { input, outputs, element, sums, .. } if element.value == ElementType::F32 => {
                self.affine_float(input, outputs.value as usize, sums.map_or(0, |sums| sums.value as usize))
            }
            Expr::Affine { input, outputs, scale, .. } => {
                let input = self.bytes(input);
                self.affine(input, outputs.value as usize, scale.value)
            }
            Expr::Activate { function, input, shift } => {
                let input = self.value(input, None);
                self.activate(function.value, input, shift.map(|shift| shift.value as u32), name)
            }
            Expr::Concat { parts, .. } => {
                Value::Read(join(parts.iter().flat_map(|part| self.bytes(part)).collect::<Vec<_>>()))
            }
            Expr::Slice { input, start, end, .. } => {
                let input = self.value(input, None);
                let input = self.made(input);
                let start = start.map_or(0, |start| start.value as usize);
                let end = end.map_or(input.len(), |end| end.value as usize);
                slice(input, start, end)
            }
        }
    }

    /// Evaluates an expression that a layer reads.
    fn bytes(&mut self, expr: &Expr) -> Vec<Segment> {
        let value = self.value(expr, None);
        match self.made(value) {
            Value::Read(segments) => segments,
            other => panic!("the check lets only activated values be read, not {other:?}"),
        }
    }

    /// Puts activated accumulators into a buffer.
    fn made(&mut self, value: Value) -> Value {
        match value {
            Value::Activated { function, shift, name } => self.activate_accumulator(function, shift, name.as_deref()),
            Value::ActivatedSums { function, shift, name, layer, start, len } => {
                // A name is only right for the buffer if the name stands for all of it.
                let name = name.filter(|_| start == 0 && len == function.values(self.layers[layer].outputs));
                let buffer = match self.floats {
                    true => self.activate_float(function, layer, name.as_deref()),
                    false => self.activate_sums(function, layer, shift, name.as_deref()),
                };
                Value::Read(vec![Segment { buffer, start, len }])
            }
            other => other,
        }
    }

    /// A layer that reads the accumulators themselves.
    fn affine_direct(&mut self, function: Activation, outputs: usize, scale: u64) -> Value {
        let layer = self.layers.len();
        let activation = match function {
            Activation::Crelu => DirectActivation::Crelu,
            Activation::Screlu => DirectActivation::Screlu,
            Activation::Pairwise => DirectActivation::Pairwise,
            other => panic!("the check lets no 16-bit weights read {other:?}"),
        };
        let inputs = activation.values(self.accumulator.width) * self.accumulator.perspectives;
        self.layers.push(PlanLayer {
            name: format!("fc{layer}"),
            segments: Vec::new(),
            inputs,
            file_inputs: inputs,
            outputs,
            kind: LayerKind::Direct,
            scale: scale as i32,
        });
        self.steps.push(StepDesc::AffineDirect { activation, layer });
        Value::Sums { layer, start: 0, len: outputs }
    }

    fn affine(&mut self, segments: Vec<Segment>, outputs: usize, scale: u64) -> Value {
        let layer = self.layers.len();
        let inputs = segments.iter().map(|segment| segment.len).sum();
        let from_accumulator = |segment: &Segment| self.buffers[segment.buffer].source == Source::Accumulator;
        let kind = match outputs {
            1 => LayerKind::Row,
            _ if segments.iter().any(from_accumulator) => LayerKind::Sparse,
            _ => LayerKind::Dense,
        };
        let file_inputs = if self.is_raw { inputs } else { file_columns(inputs) };
        let name = format!("fc{layer}");
        self.layers.push(PlanLayer { name, segments, inputs, file_inputs, outputs, kind, scale: scale as i32 });
        self.steps.push(StepDesc::Affine { layer });
        Value::Sums { layer, start: 0, len: outputs }
    }

    fn activate(&mut self, function: Activation, input: Value, shift: Option<u32>, name: Option<&str>) -> Value {
        match input {
            Value::Accumulator => Value::Activated { function, shift, name: name.map(ToString::to_string) },
            Value::Sums { layer, start, len } => {
                let (name, len) = (name.map(ToString::to_string), function.values(len));
                Value::ActivatedSums { function, shift, name, layer, start, len }
            }
            Value::Read(_) | Value::Activated { .. } | Value::ActivatedSums { .. } => {
                panic!("the check lets no activated value be activated again")
            }
        }
    }

    fn activate_accumulator(&mut self, function: Activation, shift: Option<u32>, name: Option<&str>) -> Value {
        let AccumulatorDesc { width, perspectives, one, .. } = self.accumulator;
        let activation = match function {
            Activation::Crelu => AccumulatorActivation::Crelu,
            Activation::SqrCrelu => AccumulatorActivation::SqrCrelu,
            Activation::Pairwise => AccumulatorActivation::Pairwise,
            Activation::Own(own) => AccumulatorActivation::Own(own.path),
            other => panic!("the check lets no 8-bit weights read {other:?} of accumulators"),
        };
        let (per_perspective, shift, max) = match activation {
            AccumulatorActivation::Crelu => (width, 0, one),
            AccumulatorActivation::Own(_) => (width, 0, greatest(function)),
            product => {
                let shift = shift.unwrap_or_else(|| quant::product_shift(one as u64));
                let len = if product == AccumulatorActivation::Pairwise { width / 2 } else { width };
                (len, shift, ((i64::from(one) * i64::from(one)) >> shift) as i32)
            }
        };
        let made = |step: &StepDesc| match *step {
            StepDesc::ActivateAccumulator { activation: a, shift: s, buffer } => {
                (a == activation && s == shift && self.buffers[buffer].max == max).then_some(buffer)
            }
            _ => None,
        };
        let len = per_perspective * perspectives;
        let buffer = self.steps.iter().find_map(made).unwrap_or_else(|| {
            let name = self.buffer_name(name, self.accumulator_name, function);
            let buffer = self.push_buffer(PlanBuffer { name, len, max, source: Source::Accumulator });
            self.steps.push(StepDesc::ActivateAccumulator { activation, shift, buffer });
            buffer
        });
        Value::Read(vec![Segment { buffer, start: 0, len }])
    }

    /// The buffer with the activation of all sums of `layer`.
    fn activate_sums(&mut self, function: Activation, layer: usize, shift: Option<u32>, name: Option<&str>) -> usize {
        let scale = self.layers[layer].scale as u64;
        let (activation, default) = match function {
            Activation::Crelu => (SumActivation::Crelu, quant::crelu_shift(scale)),
            Activation::SqrCrelu => (SumActivation::SqrCrelu, quant::sqr_crelu_shift(scale)),
            Activation::Own(own) => (SumActivation::Own(own.path), 0),
            other => panic!("the check lets no 8-bit weights read {other:?} of sums"),
        };
        let (shift, max) = (shift.unwrap_or(default), greatest(function));
        let made = |step: &StepDesc| match *step {
            StepDesc::ActivateSums { activation: a, shift: s, layer: l, buffer } => {
                (a == activation && s == shift && l == layer && self.buffers[buffer].max == max).then_some(buffer)
            }
            _ => None,
        };
        if let Some(buffer) = self.steps.iter().find_map(made) {
            return buffer;
        }
        let PlanLayer { name: layer_name, outputs, .. } = &self.layers[layer];
        let name = self.buffer_name(name, layer_name, function);
        let buffer = self.push_buffer(PlanBuffer { name, len: *outputs, max, source: Source::Layer(layer) });
        self.steps.push(StepDesc::ActivateSums { activation, shift, layer, buffer });
        buffer
    }

    fn push_buffer(&mut self, buffer: PlanBuffer) -> usize {
        self.buffers.push(buffer);
        self.buffers.len() - 1
    }

    /// The name in the declaration, or one made from the operation; primes keep made names apart from others.
    fn buffer_name(&self, declared: Option<&str>, of: &str, function: Activation) -> String {
        let mut name = declared.map_or_else(|| format!("{of}_{}", function.name()), ToString::to_string);
        while self.buffers.iter().any(|buffer| buffer.name == name) {
            name.push('\'');
        }
        name
    }

    /// A neuron; of an output of several, each.
    fn terms(&mut self, term: &TermSpec) -> Vec<OutputTerm> {
        let Value::Sums { layer, start, len } = self.value(&term.value, None) else {
            panic!("the check lets only neurons be terms of the output")
        };
        if self.floats {
            self.float_sums(layer);
        }
        let (negative, ratio) = (term.negative, term.ratio.map(lower_ratio));
        (start..start + len).map(|neuron| OutputTerm { layer, neuron, negative, ratio }).collect()
    }
}

/// The greatest value of the bytes that an activation makes of sums, and one of the program's own of anything.
fn greatest(function: Activation) -> i32 {
    let declared = if let Activation::Own(own) = function { own.max } else { None };
    declared.map_or(quant::BUFFER_MAX, |max| max.value) as i32
}

/// Values `start..end` of `value`.
fn slice(value: Value, start: usize, end: usize) -> Value {
    match value {
        Value::Sums { layer, start: from, .. } => Value::Sums { layer, start: from + start, len: end - start },
        Value::Read(segments) => {
            let mut at = 0;
            let cut = |segment: Segment| {
                let (first, last) = (start.max(at), end.min(at + segment.len));
                let begin = segment.start + first.saturating_sub(at);
                at += segment.len;
                (first < last).then(|| Segment { buffer: segment.buffer, start: begin, len: last - first })
            };
            Value::Read(segments.into_iter().filter_map(cut).collect())
        }
        Value::Accumulator | Value::Activated { .. } | Value::ActivatedSums { .. } => {
            panic!("the check lets only activated values be cut")
        }
    }
}

/// Makes one segment of neighbours in the same buffer.
fn join(segments: Vec<Segment>) -> Vec<Segment> {
    let mut joined: Vec<Segment> = Vec::new();
    for segment in segments {
        match joined.last_mut() {
            Some(last) if last.buffer == segment.buffer && last.start + last.len == segment.start => {
                last.len += segment.len;
            }
            _ => joined.push(segment),
        }
    }
    joined
}
