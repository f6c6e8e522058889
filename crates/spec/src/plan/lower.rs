//! From operations to steps: chooses the kernel of each operation and the place of its result.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Plan, PlanBuffer, PlanHead, PlanLayer, PlanMap, notation};
use crate::arithmetic::Facts;
use crate::descriptor::*;
use crate::graph::{Affine, Element, Graph, Head, Map, Node, Op, Run};

/// The place of a node's result.
#[derive(Clone, Copy)]
enum Place {
    /// the accumulators, activated or not, which layers read without a buffer
    Accumulator,
    Buffer(usize),
    Layer(usize),
}

struct Lowering<'a> {
    graph: &'a Graph,
    /// of the nodes lowered so far
    places: Vec<Place>,
    buffers: Vec<PlanBuffer>,
    layers: Vec<PlanLayer>,
    maps: Vec<PlanMap>,
    steps: Vec<StepDesc>,
}

pub(super) fn lower(graph: &Graph) -> Plan {
    let mut lowering = Lowering {
        graph,
        places: Vec::new(),
        buffers: Vec::new(),
        layers: Vec::new(),
        maps: Vec::new(),
        steps: Vec::new(),
    };
    for node in &graph.nodes {
        let place = lowering.lower(node);
        lowering.places.push(place);
    }
    let terms = graph.terms.iter().map(|term| {
        let layer = lowering.layer(term.node);
        OutputTerm {
            layer,
            neuron: term.neuron,
            negative: term.negative,
            ratio: term.ratio,
        }
    });
    let heads = graph.heads.iter().map(|head| lowering.head(head));
    let mut plan = Plan {
        name: graph.name.clone(),
        notation: String::new(),
        features: graph.features.clone(),
        accumulator: graph.accumulator,
        stacks: graph.stacks,
        terms: terms.collect(),
        heads: heads.collect(),
        buffers: lowering.buffers,
        layers: lowering.layers,
        maps: lowering.maps,
        steps: lowering.steps,
        ratio: graph.ratio,
        value: graph.value,
        tensors: graph.tensors.clone(),
        container: graph.container,
        raw: graph.raw.clone(),
        goldens: graph.goldens.clone(),
        head_goldens: graph.head_goldens.clone(),
        custom: graph.custom.clone(),
    };
    plan.notation = notation::notation(&plan);
    plan
}

impl Lowering<'_> {
    fn lower(&mut self, node: &Node) -> Place {
        match node.op {
            Op::Accumulator => Place::Accumulator,
            Op::Activate {
                function,
                shift,
                operand: 0,
            } => self.activate_accumulator(node, function, shift),
            Op::Activate {
                function,
                shift,
                operand,
            } => self.activate_sums(node, function, shift, operand),
            Op::Sign { operand } => self.sign(node, operand),
            Op::Affine(ref layer) => self.affine(node, layer),
            Op::Pool {
                pool,
                operands,
                stride,
            } => self.pool(node, pool, operands, stride),
            Op::Reduce {
                reduce,
                operand,
                size,
            } => self.reduce(node, reduce, operand, size),
            Op::Map(ref map) => self.map(node, map),
            Op::ToFloats { operand, fused } => {
                let (layer, unit) = (self.layer(operand), self.graph.nodes[operand].unit);
                self.steps.push(StepDesc::FloatSums { layer, unit, fused });
                Place::Layer(layer)
            }
        }
    }

    /// Activated accumulators. Those that are read as exact integers have no step of their own.
    fn activate_accumulator(&mut self, node: &Node, activation: Activation, shift: u32) -> Place {
        let buffer = self.buffers.len();
        let (source, step) = match node.element {
            Element::Whole => return Place::Accumulator,
            Element::F32 => (
                Source::FloatAccumulator,
                StepDesc::FloatAccumulator {
                    activation,
                    unit: node.unit,
                    buffer,
                },
            ),
            Element::Words => (
                Source::Words,
                StepDesc::ActivateAccumulator {
                    activation,
                    shift,
                    buffer,
                },
            ),
            _ => (
                Source::Accumulator,
                StepDesc::ActivateAccumulator {
                    activation,
                    shift,
                    buffer,
                },
            ),
        };
        self.push_buffer(node, source, step)
    }

    fn activate_sums(
        &mut self,
        node: &Node,
        activation: Activation,
        shift: u32,
        operand: usize,
    ) -> Place {
        let (layer, buffer) = (self.layer(operand), self.buffers.len());
        let (source, step) = match node.element {
            Element::F32 => (
                Source::Float(layer),
                StepDesc::ActivateFloat {
                    activation,
                    layer,
                    buffer,
                },
            ),
            _ => (
                Source::Layer(layer),
                StepDesc::ActivateSums {
                    activation,
                    shift,
                    layer,
                    buffer,
                },
            ),
        };
        self.push_buffer(node, source, step)
    }

    fn pool(&mut self, node: &Node, pool: Pool, operands: [Run; 2], stride: usize) -> Place {
        let operands = operands.map(|run| Segment {
            buffer: self.buffer(run.node),
            start: run.start,
            len: run.len,
        });
        let source = if node.element == Element::F32 {
            Source::FloatPool
        } else {
            Source::Pool
        };
        let buffer = self.buffers.len();
        self.push_buffer(
            node,
            source,
            StepDesc::Pool {
                pool,
                operands,
                stride,
                buffer,
            },
        )
    }

    fn reduce(&mut self, node: &Node, reduce: Reduce, run: Run, size: usize) -> Place {
        let operand = Segment {
            buffer: self.buffer(run.node),
            start: run.start,
            len: run.len,
        };
        let source = if node.element == Element::F32 {
            Source::FloatPool
        } else {
            Source::Pool
        };
        let buffer = self.buffers.len();
        self.push_buffer(
            node,
            source,
            StepDesc::Reduce {
                reduce,
                operand,
                size,
                buffer,
            },
        )
    }

    fn map(&mut self, node: &Node, map: &Map) -> Place {
        let operands = map.operands.iter().map(|run| match self.places[run.node] {
            Place::Layer(layer) => MapOperand::sums(layer, run.start),
            Place::Accumulator => MapOperand::ACCUMULATORS,
            Place::Buffer(_) => MapOperand::values(self.buffer(run.node), run.start),
        });
        let (least, greatest) = node.range.unwrap_or(Facts::FLOATS.range);
        let source = match map.element {
            ElementType::F32 => Source::FloatPool,
            _ => Source::Integers,
        };
        let map = PlanMap {
            operands: operands.collect(),
            code: map.code.clone(),
            element: map.element,
            range: (least as i32, greatest as i32),
            unit: node.unit,
        };
        self.maps.push(map);
        let step = StepDesc::Map {
            map: self.maps.len() - 1,
            buffer: self.buffers.len(),
        };
        self.push_buffer(node, source, step)
    }

    fn sign(&mut self, node: &Node, operand: usize) -> Place {
        let of = match self.places[operand] {
            Place::Accumulator => SignOf::Accumulator,
            Place::Layer(layer) => SignOf::Layer(layer),
            Place::Buffer(buffer) => SignOf::Buffer(buffer),
        };
        self.push_buffer(
            node,
            Source::Signs(of),
            StepDesc::Sign {
                of,
                buffer: self.buffers.len(),
            },
        )
    }

    fn push_buffer(&mut self, node: &Node, source: Source, step: StepDesc) -> Place {
        let max = node.range.map_or(1, |(_, greatest)| greatest as i32);
        self.buffers.push(PlanBuffer {
            name: node.name.clone(),
            len: node.len,
            max,
            source,
        });
        self.steps.push(step);
        Place::Buffer(self.buffers.len() - 1)
    }

    fn affine(&mut self, node: &Node, affine: &Affine) -> Place {
        let layer = self.layers.len();
        let segments = affine
            .operands
            .iter()
            .filter_map(|run| match self.places[run.node] {
                Place::Buffer(buffer) => Some(Segment {
                    buffer,
                    start: run.start,
                    len: run.len,
                }),
                Place::Accumulator | Place::Layer(_) => None,
            });
        self.layers.push(PlanLayer {
            name: node.name.clone(),
            segments: segments.collect(),
            inputs: affine.inputs(),
            file_inputs: affine.columns,
            outputs: node.len,
            kind: self.kernel(node, affine),
            scale: affine.scale,
            shards: affine.reach.shards(),
        });
        self.steps.push(match self.direct(affine) {
            Some(activation) => StepDesc::AffineDirect { activation, layer },
            None => StepDesc::Affine { layer },
        });
        Place::Layer(layer)
    }

    fn kernel(&self, node: &Node, affine: &Affine) -> LayerKind {
        if let Some(reached) = affine.reach.blocks() {
            return LayerKind::BlockSparse { reached };
        }
        match affine.weights {
            _ if affine.binary => LayerKind::Binary,
            ElementType::F32 => LayerKind::Float {
                partial: affine.partial,
                fused: affine.fused,
            },
            _ if affine.is_integer(&self.graph.nodes) => LayerKind::Integer,
            _ if affine.on_demand => LayerKind::Rows,
            _ if affine.reads_words(&self.graph.nodes) => LayerKind::Words,
            ElementType::I16 => LayerKind::Direct,
            _ if node.len == 1 => LayerKind::Row,
            _ if affine
                .operands
                .iter()
                .any(|run| self.graph.reads_accumulator(run)) =>
            {
                LayerKind::Sparse
            }
            _ => LayerKind::Dense,
        }
    }

    /// The activation of accumulators that is part of a layer of 16-bit weights.
    fn direct(&self, affine: &Affine) -> Option<Activation> {
        let node = &self.graph.nodes[affine.operands.first()?.node];
        match node.op {
            Op::Activate { function, .. } if node.element == Element::Whole => Some(function),
            _ => None,
        }
    }

    fn head(&self, head: &Head) -> PlanHead {
        let source = match self.places[head.run.node] {
            Place::Buffer(buffer) => HeadSource::Buffer(buffer),
            Place::Accumulator | Place::Layer(_) => HeadSource::Layer(self.layer(head.run.node)),
        };
        let Run { start, len, .. } = head.run;
        PlanHead {
            name: head.name.clone(),
            kind: head.kind,
            source,
            start,
            len,
            unit: head.unit,
        }
    }

    /// The buffer with the values of a node.
    fn buffer(&self, node: usize) -> usize {
        match self.places[node] {
            Place::Buffer(buffer) => buffer,
            Place::Accumulator | Place::Layer(_) => 0,
        }
    }

    /// The layer with the sums of a node.
    fn layer(&self, node: usize) -> usize {
        match self.places[node] {
            Place::Layer(layer) => layer,
            Place::Accumulator | Place::Buffer(_) => 0,
        }
    }
}
