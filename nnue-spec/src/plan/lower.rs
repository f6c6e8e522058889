//! One walk over the graph of a checked model.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::{Plan, PlanBuffer, PlanLayer, PlanTensor, notation};
use crate::descriptor::*;
use crate::hash;
use crate::layout::file_columns;
use crate::model::{Activation, Expr, NetSpec, RatioSpec, TermSpec};
use crate::quant;

/// What an expression stands for.
#[derive(Clone, Debug)]
enum Value {
    /// the accumulators themselves
    Accumulator,
    /// a run of the sums of a layer
    Sums { layer: usize, start: usize, len: usize },
    /// runs of u8 buffers, one after the other
    Bytes(Vec<Segment>),
}

impl Value {
    /// Number of values; of accumulators, as the checks count them, none.
    fn len(&self) -> usize {
        match self {
            Self::Accumulator => 0,
            Self::Sums { len, .. } => *len,
            Self::Bytes(segments) => segments.iter().map(|segment| segment.len).sum(),
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
}

pub(crate) fn lower(spec: &NetSpec) -> Plan {
    let accumulator = lower_accumulator(spec);
    let stacks = lower_stacks(spec);
    let mut graph = Lowering::new(spec, accumulator);
    for binding in &spec.bindings {
        let value = graph.value(&binding.value, Some(&binding.name.value));
        graph.names.insert(&binding.name.value, value);
    }
    let terms = spec.output.terms.iter().map(|term| graph.term(term)).collect();
    let features: Vec<_> = spec.inputs.iter().map(lower_input).collect();
    let mut plan = Plan {
        name: spec.name.value.clone(),
        notation: String::new(),
        tensors: tensors(&features, accumulator, stacks, &graph.layers, encoding(spec)),
        container: container(spec, &features, accumulator, &graph.layers),
        features,
        accumulator,
        stacks,
        buffers: graph.buffers,
        layers: graph.layers,
        steps: graph.steps,
        terms,
        ratio: spec.output.ratio.map(lower_ratio),
        value: lower_value(spec),
    };
    plan.notation = notation::notation(&plan);
    plan
}

fn lower_input(input: &crate::model::InputSpec) -> FeatureDesc {
    let set = input.set.value;
    FeatureDesc { set, rows: set.rows(), element: input.element.value }
}

fn lower_accumulator(spec: &NetSpec) -> AccumulatorDesc {
    let written = &spec.accumulator;
    AccumulatorDesc {
        width: written.width.value as usize,
        perspectives: written.perspectives.value as usize,
        psqt: written.psqt.map_or(0, |psqt| psqt.value as usize),
        one: written.one.value as i32,
    }
}

fn lower_stacks(spec: &NetSpec) -> StackDesc {
    let count = spec.stacks.count.value;
    let selector = match spec.stacks.by {
        None if count == 1 => Selector::Single,
        by => {
            let (minus, divide) = by.map_or_else(|| quant::default_selector(count), |by| by.value);
            Selector::PieceCount { minus: minus as usize, divide: divide as usize }
        }
    };
    StackDesc { count: count as usize, selector }
}

fn lower_ratio(ratio: RatioSpec) -> Ratio {
    Ratio { num: ratio.num.value as i64, den: ratio.den.value as i64, wide: ratio.wide }
}

fn lower_value(spec: &NetSpec) -> ValueDesc {
    match spec.value {
        None => ValueDesc::Together { divide: quant::DEFAULT_DIVIDE },
        Some(value) if value.together => ValueDesc::Together { divide: value.divide.value as i32 },
        Some(value) => ValueDesc::Separately { divide: value.divide.value as i32 },
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
        }
    }

    /// Evaluates an expression; `name` is what a buffer made by its outermost operation is to be called.
    fn value(&mut self, expr: &Expr, name: Option<&str>) -> Value {
        match expr {
            Expr::Name(name) => self.names[name.value.as_str()].clone(),
            Expr::Affine { input, outputs, scale, .. } => {
                let input = self.bytes(input);
                self.affine(input, outputs.value as usize, scale.value)
            }
            Expr::Activate { function, input, shift } => {
                let input = self.value(input, None);
                self.activate(function.value, input, shift.map(|shift| shift.value as u32), name)
            }
            Expr::Concat { parts, .. } => {
                Value::Bytes(join(parts.iter().flat_map(|part| self.bytes(part)).collect::<Vec<_>>()))
            }
            Expr::Slice { input, start, end, .. } => {
                let input = self.value(input, None);
                let start = start.map_or(0, |start| start.value as usize);
                let end = end.map_or(input.len(), |end| end.value as usize);
                slice(input, start, end)
            }
        }
    }

    /// Evaluates an expression that a layer reads.
    fn bytes(&mut self, expr: &Expr) -> Vec<Segment> {
        match self.value(expr, None) {
            Value::Bytes(segments) => segments,
            other => panic!("the check lets only activated values be read, not {other:?}"),
        }
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
        let file_inputs = file_columns(inputs);
        let name = format!("fc{layer}");
        self.layers.push(PlanLayer { name, segments, inputs, file_inputs, outputs, kind, scale: scale as i32 });
        self.steps.push(StepDesc::Affine { layer });
        Value::Sums { layer, start: 0, len: outputs }
    }

    fn activate(&mut self, function: Activation, input: Value, shift: Option<u32>, name: Option<&str>) -> Value {
        match input {
            Value::Accumulator => self.activate_accumulator(function, shift, name),
            Value::Sums { layer, start, len } => {
                // A name is only right for the buffer if the name stands for all of it.
                let name = name.filter(|_| len == self.layers[layer].outputs);
                let buffer = self.activate_sums(function, layer, shift, name);
                Value::Bytes(vec![Segment { buffer, start, len }])
            }
            Value::Bytes(_) => panic!("the check lets no activated value be activated again"),
        }
    }

    fn activate_accumulator(&mut self, function: Activation, shift: Option<u32>, name: Option<&str>) -> Value {
        let AccumulatorDesc { width, perspectives, one, .. } = self.accumulator;
        let activation = match function {
            Activation::Crelu => AccumulatorActivation::Crelu,
            Activation::SqrCrelu => AccumulatorActivation::SqrCrelu,
            Activation::Pairwise => AccumulatorActivation::Pairwise,
        };
        let (per_perspective, shift, max) = match activation {
            AccumulatorActivation::Crelu => (width, 0, one),
            product => {
                let shift = shift.unwrap_or_else(|| quant::product_shift(one as u64));
                let len = if product == AccumulatorActivation::Pairwise { width / 2 } else { width };
                (len, shift, ((i64::from(one) * i64::from(one)) >> shift) as i32)
            }
        };
        let made = |step: &StepDesc| match *step {
            StepDesc::ActivateAccumulator { activation: a, shift: s, buffer } => {
                (a == activation && s == shift).then_some(buffer)
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
        Value::Bytes(vec![Segment { buffer, start: 0, len }])
    }

    /// The buffer with the activation of all sums of `layer`.
    fn activate_sums(&mut self, function: Activation, layer: usize, shift: Option<u32>, name: Option<&str>) -> usize {
        let scale = self.layers[layer].scale as u64;
        let (activation, default) = match function {
            Activation::Crelu => (SumActivation::Crelu, quant::crelu_shift(scale)),
            Activation::SqrCrelu => (SumActivation::SqrCrelu, quant::sqr_crelu_shift(scale)),
            Activation::Pairwise => panic!("the check lets only accumulators be multiplied pairwise"),
        };
        let shift = shift.unwrap_or(default);
        let made = |step: &StepDesc| match *step {
            StepDesc::ActivateSums { activation: a, shift: s, layer: l, buffer } => {
                (a == activation && s == shift && l == layer).then_some(buffer)
            }
            _ => None,
        };
        if let Some(buffer) = self.steps.iter().find_map(made) {
            return buffer;
        }
        let PlanLayer { name: layer_name, outputs, .. } = &self.layers[layer];
        let name = self.buffer_name(name, layer_name, function);
        let max = quant::BUFFER_MAX as i32;
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

    fn term(&mut self, term: &TermSpec) -> OutputTerm {
        match self.value(&term.value, None) {
            Value::Sums { layer, start, len: 1 } => {
                OutputTerm { layer, neuron: start, negative: term.negative, ratio: term.ratio.map(lower_ratio) }
            }
            other => panic!("the check lets only single neurons be terms of the output, not {other:?}"),
        }
    }
}

/// Values `start..end` of `value`.
fn slice(value: Value, start: usize, end: usize) -> Value {
    match value {
        Value::Sums { layer, start: from, .. } => Value::Sums { layer, start: from + start, len: end - start },
        Value::Bytes(segments) => {
            let mut at = 0;
            let cut = |segment: Segment| {
                let (first, last) = (start.max(at), end.min(at + segment.len));
                let begin = segment.start + first.saturating_sub(at);
                at += segment.len;
                (first < last).then(|| Segment { buffer: segment.buffer, start: begin, len: last - first })
            };
            Value::Bytes(segments.into_iter().filter_map(cut).collect())
        }
        Value::Accumulator => panic!("the check lets accumulators be cut only when they are activated"),
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

fn encoding(spec: &NetSpec) -> Encoding {
    spec.format.encoding.map_or(Encoding::Raw, |encoding| encoding.value)
}

fn container(
    spec: &NetSpec,
    features: &[FeatureDesc],
    accumulator: AccumulatorDesc,
    layers: &[PlanLayer],
) -> ContainerDesc {
    let values = accumulator.width * accumulator.perspectives;
    let sets: Vec<u32> = features.iter().map(|feature| feature.set.hash()).collect();
    let start = spec.format.features.map_or_else(|| hash::features(&sets), |start| start.value as u32);
    ContainerDesc {
        version: spec.format.version.map_or(quant::DEFAULT_VERSION, |version| version.value as u32),
        transformer_hash: hash::transformer(start, values),
        stack_hash: hash::stack(values, layers.iter().map(|layer| layer.outputs)),
        encoding: encoding(spec),
    }
}

/// The tensors in file order (fact sheet, sections 3 and 4): sets after the first stand before it.
fn tensors(
    features: &[FeatureDesc],
    accumulator: AccumulatorDesc,
    stacks: StackDesc,
    layers: &[PlanLayer],
    encoding: Encoding,
) -> Vec<PlanTensor> {
    let AccumulatorDesc { width, psqt, .. } = accumulator;
    let bias = TensorRole::TransformerBias;
    let mut all = vec![tensor("ft_bias".to_string(), bias, ElementType::I16, [1, width, 1])];
    let order = (1..features.len()).chain([0]);
    let weights = order.clone().map(|index| feature_weight(features, index, width));
    let psqts = order.map(|index| feature_psqt(features, index, psqt));
    if psqt == 0 {
        all.extend(weights);
    } else if encoding.is_joint() {
        all.extend(weights.chain(psqts));
    } else {
        all.extend(weights.zip(psqts).flat_map(|(weight, psqt)| [weight, psqt]));
    }
    for (index, PlanLayer { name, outputs, file_inputs, .. }) in layers.iter().enumerate() {
        let (bias, weight) = (TensorRole::LayerBias(index), TensorRole::LayerWeight(index));
        all.push(tensor(format!("{name}_bias"), bias, ElementType::I32, [1, *outputs, stacks.count]));
        all.push(tensor(format!("{name}_weight"), weight, ElementType::I8, [*outputs, *file_inputs, stacks.count]));
    }
    all
}

fn tensor(name: String, role: TensorRole, element: ElementType, [rows, cols, copies]: [usize; 3]) -> PlanTensor {
    PlanTensor { name, role, element, rows, cols, copies }
}

/// `ft_weight`, `ft1_weight`, ...
fn feature_weight(features: &[FeatureDesc], index: usize, width: usize) -> PlanTensor {
    let FeatureDesc { rows, element, .. } = features[index];
    let name = if index == 0 { "ft_weight".to_string() } else { format!("ft{index}_weight") };
    tensor(name, TensorRole::weight_of(index), element, [rows, width, 1])
}

/// `ft_psqt`, `ft1_psqt`, ...
fn feature_psqt(features: &[FeatureDesc], index: usize, psqt: usize) -> PlanTensor {
    let name = if index == 0 { "ft_psqt".to_string() } else { format!("ft{index}_psqt") };
    tensor(name, TensorRole::psqt_of(index), ElementType::I32, [features[index].rows, psqt, 1])
}
