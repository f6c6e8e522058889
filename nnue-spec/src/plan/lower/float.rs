//! Layers of floats.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use super::super::{PlanBuffer, PlanLayer};
use super::{Lowering, Value};
use crate::descriptor::*;
use crate::model::{Activation, Expr};
use crate::quant;

impl Lowering<'_> {
    /// The sums of a layer of floats.
    pub(super) fn affine_float(&mut self, input: &Expr, outputs: usize, partial: usize) -> Value {
        let segments = self.float_segments(input);
        let layer = self.layers.len();
        let inputs = segments.iter().map(|segment| segment.len).sum();
        self.layers.push(PlanLayer {
            name: format!("fc{layer}"),
            segments,
            inputs,
            file_inputs: inputs,
            outputs,
            kind: LayerKind::Float { partial, fused: self.fused },
            scale: 1,
        });
        self.steps.push(StepDesc::Affine { layer });
        Value::Sums { layer, start: 0, len: outputs }
    }

    /// Evaluates an expression that a layer of floats reads.
    fn float_segments(&mut self, input: &Expr) -> Vec<Segment> {
        match self.value(input, None) {
            Value::Activated { function, name, .. } => {
                let buffer = self.float_accumulator(function, name.as_deref());
                vec![Segment { buffer, start: 0, len: self.buffers[buffer].len }]
            }
            value => match self.made(value) {
                Value::Read(segments) => segments,
                other => panic!("the check lets only activated values be read, not {other:?}"),
            },
        }
    }

    /// The buffer with the activation, in floats, of the accumulators.
    fn float_accumulator(&mut self, function: Activation, name: Option<&str>) -> usize {
        let AccumulatorDesc { width, perspectives, one, .. } = self.accumulator;
        let one = one as u64;
        let (input, den, width) = match function {
            Activation::Own(own) => (FloatInput::Own(own.path), 1, width),
            Activation::Crelu => (FloatInput::Crelu, one, width),
            Activation::Screlu => (FloatInput::Screlu, one * one, width),
            Activation::Pairwise => (FloatInput::Pairwise, one * one, width / 2),
            other => panic!("the check lets no accumulator be activated with {other:?} for floats"),
        };
        let name = self.buffer_name(name, self.accumulator_name, function);
        let (len, source) = (width * perspectives, Source::FloatAccumulator);
        let buffer = self.push_buffer(PlanBuffer { name, len, max: 1, source });
        self.steps.push(StepDesc::FloatAccumulator { input, unit: Unit { num: 1, den }, buffer });
        buffer
    }

    /// The buffer with the activation, in floats, of all sums of `layer`.
    pub(super) fn activate_float(&mut self, function: Activation, layer: usize, name: Option<&str>) -> usize {
        let activation = match function {
            Activation::Crelu => FloatActivation::Crelu,
            Activation::Screlu => FloatActivation::Screlu,
            Activation::SqrCrelu => FloatActivation::SqrCrelu,
            Activation::HardSwish => FloatActivation::HardSwish,
            Activation::Gated => FloatActivation::Gated,
            Activation::Own(own) => FloatActivation::Own(own.path),
            Activation::Pairwise => panic!("the check lets no sums be multiplied pairwise"),
        };
        let made = |step: &StepDesc| match *step {
            StepDesc::ActivateFloat { activation: a, layer: l, buffer } => {
                (a == activation && l == layer).then_some(buffer)
            }
            _ => None,
        };
        if let Some(buffer) = self.steps.iter().find_map(made) {
            return buffer;
        }
        self.float_sums(layer);
        let PlanLayer { name: layer_name, outputs, .. } = &self.layers[layer];
        let len = activation.values(*outputs);
        let name = self.buffer_name(name, layer_name, function);
        let buffer = self.push_buffer(PlanBuffer { name, len, max: 1, source: Source::Float(layer) });
        self.steps.push(StepDesc::ActivateFloat { activation, layer, buffer });
        buffer
    }

    /// Makes floats of the sums of a layer of whole numbers, once.
    pub(super) fn float_sums(&mut self, layer: usize) {
        let made = |step: &StepDesc| matches!(*step, StepDesc::FloatSums { layer: l, .. } if l == layer);
        let is_float = matches!(self.layers[layer].kind, LayerKind::Float { .. });
        if !is_float && !self.steps.iter().any(made) {
            let unit = self.unit(layer);
            self.steps.push(StepDesc::FloatSums { layer, unit, fused: self.fused });
        }
    }

    /// What the sums of a layer of whole numbers mean: 1.0 is the scale of its weights times that of its inputs, which were
    /// shifted if they are products of accumulators.
    fn unit(&self, layer: usize) -> Unit {
        let PlanLayer { segments, scale, .. } = &self.layers[layer];
        let (one, scale) = (self.accumulator.one as u64, *scale as u64);
        let inputs = segments.first().map(|segment| segment.buffer);
        let made = self.steps.iter().find_map(|step| match *step {
            StepDesc::ActivateAccumulator { activation, shift, buffer } if Some(buffer) == inputs => {
                Some((activation, shift))
            }
            _ => None,
        });
        match made {
            Some((AccumulatorActivation::Crelu, _)) => Unit { num: 1, den: one * scale },
            Some((AccumulatorActivation::SqrCrelu | AccumulatorActivation::Pairwise, shift)) => {
                Unit { num: 1 << shift, den: one * one * scale }
            }
            Some((AccumulatorActivation::Own(_), _)) | None => Unit { num: 1, den: quant::BUFFER_MAX * scale },
        }
    }
}
