//! The forward pass: steps one after the other, then the output.

use alloc::vec::Vec;

use nnue_spec::{
    HeadKind, HeadSource, LayerKind, NetDesc, OutputDesc, Ratio, RawOutput, Readers, Source,
    StepDesc, TensorRef, ValueDesc, Wdl, readers,
};

use super::binary::{Binary, Sign};
use super::builder::{Builder, Home};
use super::bytes::{Activate, ActivateSums, BlockSparse, Blocks, Row};
use super::direct::Direct;
use super::float::{ActivateFloats, FloatAccumulators, FloatRow, FloatSums, Floats};
use super::integer::{IntegerLayer, IntegerRow};
use super::map::{FloatMap, IntegerMap};
use super::pools::{BytePool, ByteReduced, FloatPool, FloatReduced};
use super::run::Start;
use super::scratch::{Place, Scratch};
use super::step::Step;
use super::words::{Words, WordsLayer};
use crate::simd::Level;

/// The steps of a network with the weights that their kernels read.
pub(super) struct Program {
    /// each with the outputs that need its result
    steps: Vec<(Step, Readers)>,
    terms: Vec<Term>,
    ratio: Option<Ratio>,
    value: ValueDesc,
    pub(super) heads: Vec<Head>,
    /// where the sums of each layer are; `None` for rows on demand
    pub(super) layers: Vec<Option<Numbers>>,
    /// the scratch memory that it needs
    lines: usize,
    sparse: Vec<usize>,
}

/// A term of the output: a sum of a layer, an integer or a float like the output.
struct Term {
    place: Place,
    neuron: usize,
    negative: bool,
    ratio: Option<Ratio>,
}

pub(super) struct Head {
    pub(super) name: &'static str,
    pub(super) kind: HeadKind,
    numbers: Numbers,
    start: usize,
    len: usize,
    unit: f32,
}

pub(super) enum Numbers {
    Sums(Place),
    Floats(Place),
    Bytes(Place),
    /// in an accumulator buffer, packed in the level's order
    Packed,
}

impl Program {
    /// `None` if a step has parameters that no kernel supports. Checked declarations have none.
    pub(super) fn new(
        net: &'static NetDesc<'static>,
        tensors: &[TensorRef<'_>],
        level: Level,
    ) -> Option<Self> {
        let mut builder = Builder::new(net, tensors, level);
        let mut steps = Vec::new();
        for (step, readers) in net.steps.iter().zip(readers(net)) {
            if let StepDesc::Affine { layer } = *step
                && net.layers[layer].kind == LayerKind::Rows
            {
                continue;
            }
            steps.push((step_of(&mut builder, step)?, readers));
        }
        let terms = terms(&builder, net.output);
        let heads = net.heads.iter().map(|head| Head {
            name: head.name,
            kind: head.kind,
            numbers: numbers(&builder, head.source),
            start: head.start,
            len: head.len,
            unit: head.unit.factor(),
        });
        let layers = net.layers.iter().enumerate().map(|(layer, desc)| {
            (desc.kind != LayerKind::Rows).then(|| numbers(&builder, HeadSource::Layer(layer)))
        });
        let (heads, layers, ratio) = (heads.collect(), layers.collect(), net.output.ratio);
        let Builder { lines, sparse, .. } = builder;
        Some(Self {
            steps,
            terms,
            ratio,
            value: net.value,
            heads,
            layers,
            lines,
            sparse,
        })
    }

    pub(super) fn scratch(&self) -> Scratch {
        Scratch::new(self.lines, &self.sparse)
    }

    /// Computes the results that `wanted` outputs need: bit 0 is the value, bit `1 + k` is output `k`.
    #[inline(never)]
    pub(super) fn run(&self, start: Start<'_>, wanted: Readers, scratch: &mut Scratch) {
        for (step, readers) in &self.steps {
            if readers & wanted != 0 {
                step.run(start, scratch);
            }
        }
    }

    /// The computed output of the last layer.
    #[inline(always)]
    pub(super) fn output(&self, scratch: &Scratch) -> RawOutput {
        let float = |term: &Term| scratch.at::<f32>(term.place)[term.neuron];
        match self.value {
            ValueDesc::Float { .. } | ValueDesc::Sigmoid { .. } => {
                let mut terms = self.terms.iter();
                let first = terms.next().map_or(0.0, |term| {
                    if term.negative {
                        -float(term)
                    } else {
                        float(term)
                    }
                });
                let add = |sum, term: &Term| {
                    if term.negative {
                        sum - float(term)
                    } else {
                        sum + float(term)
                    }
                };
                RawOutput::Float(terms.fold(first, add))
            }
            ValueDesc::Wdl { .. } => {
                RawOutput::Wdl(Wdl::new([0, 1, 2].map(|term| float(&self.terms[term]))))
            }
            ValueDesc::Together { .. }
            | ValueDesc::Separately { .. }
            | ValueDesc::Scaled { .. }
            | ValueDesc::Shifted { .. } => {
                let mut sum = 0_i32;
                for term in &self.terms {
                    let value = scaled(scratch.at::<i32>(term.place)[term.neuron], term.ratio);
                    sum = if term.negative {
                        sum.wrapping_sub(value)
                    } else {
                        sum.wrapping_add(value)
                    };
                }
                RawOutput::Sum(scaled(sum, self.ratio))
            }
        }
    }
}

impl Head {
    /// The numbers of a computed output: three for [`HeadKind::Wdl`], none for rows on demand.
    pub(super) fn numbers(&self, scratch: &Scratch) -> Vec<f32> {
        if self.kind == HeadKind::Rows {
            return Vec::new();
        }
        let values = self.start..self.start + self.len;
        let numbers: Vec<f32> = match self.numbers {
            Numbers::Sums(place) => scratch.at::<i32>(place)[values]
                .iter()
                .map(|&sum| sum as f32)
                .collect(),
            Numbers::Floats(place) => scratch.at::<f32>(place)[values].to_vec(),
            Numbers::Bytes(place) => scratch.at::<u8>(place)[values]
                .iter()
                .map(|&byte| byte.into())
                .collect(),
            Numbers::Packed => Vec::new(),
        };
        numbers
            .into_iter()
            .map(|number| number * self.unit)
            .collect()
    }
}

/// `trunc(x * num / den)`, with the product in 64 bits or modulo 2^32.
#[inline(always)]
fn scaled(x: i32, ratio: Option<Ratio>) -> i32 {
    let Some(Ratio { num, den, wide }) = ratio else {
        return x;
    };
    let product = i64::from(x).wrapping_mul(num);
    let product = if wide {
        product
    } else {
        i64::from(product as i32)
    };
    (product / den) as i32
}

/// A step with its prepared weights.
fn step_of(builder: &mut Builder<'_>, step: &StepDesc) -> Option<Step> {
    let net = builder.net;
    Some(match *step {
        StepDesc::ActivateAccumulator {
            activation,
            shift,
            buffer,
        } => match net.buffers[buffer].source {
            Source::Words => Words::new(builder, activation, shift, buffer)?.into(),
            _ => Activate::new(builder, activation, shift, buffer)?.into(),
        },
        StepDesc::Affine { layer } => layer_of(builder, layer)?,
        StepDesc::AffineDirect { activation, layer } => {
            Direct::new(builder, activation, layer)?.into()
        }
        StepDesc::ActivateSums {
            activation,
            shift,
            layer,
            buffer,
        } => ActivateSums::new(builder, (activation, shift), layer, buffer).into(),
        StepDesc::Pool {
            pool,
            operands,
            stride,
            buffer,
        } if builder.is_float(buffer) => {
            FloatPool::new(builder, pool, operands, stride, buffer).into()
        }
        StepDesc::Pool {
            pool,
            operands,
            stride,
            buffer,
        } => BytePool::new(builder, pool, operands, stride, buffer).into(),
        StepDesc::Reduce {
            reduce,
            operand,
            size,
            buffer,
        } if builder.is_float(buffer) => {
            FloatReduced::new(builder, reduce, (operand, size), buffer).into()
        }
        StepDesc::Reduce {
            reduce,
            operand,
            size,
            buffer,
        } => ByteReduced::new(builder, reduce, (operand, size), buffer).into(),
        StepDesc::FloatAccumulator {
            activation,
            unit,
            buffer,
        } => FloatAccumulators::new(builder, activation, unit, buffer)?.into(),
        StepDesc::FloatSums { layer, unit, fused } => {
            FloatSums::new(builder, layer, unit, fused).into()
        }
        StepDesc::ActivateFloat {
            activation,
            layer,
            buffer,
        } => ActivateFloats::new(builder, activation, layer, buffer).into(),
        StepDesc::Map { map, buffer } if builder.net.maps[map].is_float() => {
            FloatMap::new(builder, map, buffer).into()
        }
        StepDesc::Map { map, buffer } => IntegerMap::new(builder, map, buffer).into(),
        StepDesc::Sign { of, buffer } => Sign::new(builder, of, buffer).into(),
    })
}

fn layer_of(builder: &mut Builder<'_>, layer: usize) -> Option<Step> {
    let desc = &builder.net.layers[layer];
    Some(match desc.kind {
        LayerKind::Sparse | LayerKind::Dense => Blocks::new(builder, layer).into(),
        LayerKind::BlockSparse { .. } => BlockSparse::new(builder, layer).into(),
        LayerKind::Row => Row::new(builder, layer).into(),
        LayerKind::Words => WordsLayer::new(builder, layer)?.into(),
        LayerKind::Integer if desc.is_integer_row() => IntegerRow::new(builder, layer)?.into(),
        LayerKind::Integer => IntegerLayer::new(builder, layer)?.into(),
        LayerKind::Float { partial, fused } if desc.is_float_row() => {
            FloatRow::new(builder, layer, partial, fused)?.into()
        }
        LayerKind::Float { partial, fused } => Floats::new(builder, layer, partial, fused)?.into(),
        LayerKind::Binary => Binary::new(builder, layer)?.into(),
        LayerKind::Rows | LayerKind::Direct => return None,
    })
}

fn terms(builder: &Builder<'_>, output: OutputDesc<'_>) -> Vec<Term> {
    let is_float = builder.net.value.is_float();
    let terms = output.terms.iter().map(|term| Term {
        place: if is_float {
            builder.floats(term.layer)
        } else {
            builder.sums(term.layer)
        },
        neuron: term.neuron,
        negative: term.negative,
        ratio: term.ratio,
    });
    terms.collect()
}

fn numbers(builder: &Builder<'_>, source: HeadSource) -> Numbers {
    let net = builder.net;
    match source {
        HeadSource::Layer(layer) => match net.has_float_sums(layer) {
            true => Numbers::Floats(builder.floats(layer)),
            false => Numbers::Sums(builder.sums(layer)),
        },
        HeadSource::Buffer(buffer) => match builder.home(buffer) {
            Home::Lines(place) if builder.is_float(buffer) => Numbers::Floats(place),
            Home::Lines(place) => Numbers::Bytes(place),
            Home::Sparse(..) => Numbers::Packed,
        },
    }
}
