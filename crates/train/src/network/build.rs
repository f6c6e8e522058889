//! Lowers the graph of a declaration to steps over the values of a position.

use std::error::Error;
use std::fmt;
use std::ops::Range;

use nnue_runtime::Choice;
use nnue_spec::graph::{Element, Graph, Node, Op, Tensor};
use nnue_spec::op::pool::{self, Definition};
use nnue_spec::op::{Activation, BUFFER_MAX, Constants, Formula, Operation, Real, Reduce, Strided};
use nnue_spec::{TensorRole, Unit};

use super::Network;
use super::affine::Affine;
use super::binary::Binary;
use super::elementwise::Elementwise;
use super::head::{Head, Terms};
use super::others::OtherOutputs;
use super::step::Step;
use super::transformer::{Transformer, index_of};
use super::whole::Whole;

/// A declared network that cannot be trained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// an activation is a function of the program, whose derivative is not known; its path
    Function(String),
    /// it has arithmetic; the name of the value
    Arithmetic(String),
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Function(path) => write!(
                f,
                "`{path}` is a function of the program, whose derivative is not known"
            ),
            Self::Arithmetic(name) => write!(
                f,
                "`{name}` is arithmetic, which this trainer does not train yet: train the \
                 network elsewhere, and let `nnue` quantise or read its file"
            ),
        }
    }
}

impl Error for Unsupported {}

/// Values of a position are padded to whole cache lines of `f32`.
const LINE: usize = 16;

/// `factors` has the scale of each tensor. With `is_whole`, values that are integers in inference are
/// rounded.
pub(super) fn build<T: Real>(
    graph: &Graph,
    factors: &[f64],
    is_whole: bool,
) -> Result<Network<T>, Unsupported> {
    let mut building = Building {
        graph,
        factors,
        is_whole,
        starts: Vec::new(),
        steps: Vec::new(),
        rows: None,
        layers: 0,
        end: 0,
    };
    for node in &graph.nodes {
        building.node(node)?;
    }
    Ok(Network {
        transformer: Transformer::new(graph, factors),
        terms: Terms::new(graph, &building.starts),
        others: OtherOutputs::new(graph, &building.starts, building.rows),
        steps: building.steps,
        values: building.end.next_multiple_of(LINE),
        head: Head::of(graph.value),
        stacks: graph.stacks.count,
        level: Choice::now().level,
        lengths: graph
            .tensors
            .iter()
            .map(|tensor| length(graph, tensor))
            .collect(),
    })
}

pub(crate) fn length(graph: &Graph, tensor: &Tensor) -> usize {
    tensor.rows * columns(graph, tensor) * tensor.copies
}

/// The length of a row of a tensor. Scales of binary layers are not trained: they follow from the weights.
pub(crate) fn columns(graph: &Graph, tensor: &Tensor) -> usize {
    match tensor.role {
        TensorRole::LayerScale(_) => 0,
        TensorRole::LayerWeight(layer) => match graph.layers().nth(layer) {
            Some((_, layer)) if layer.binary => layer.inputs(),
            _ => tensor.cols,
        },
        _ => tensor.cols,
    }
}

struct Building<'a, T> {
    graph: &'a Graph,
    factors: &'a [f64],
    is_whole: bool,
    /// first value of each node so far
    starts: Vec<usize>,
    layers: usize,
    steps: Vec<Step<T>>,
    /// the layer with rows on demand
    rows: Option<Affine<T>>,
    end: usize,
}

impl<T: Real> Building<'_, T> {
    fn node(&mut self, node: &Node) -> Result<(), Unsupported> {
        let results = self.end..self.end + node.len;
        self.starts.push(results.start);
        if let Op::Affine(layer) = &node.op
            && layer.on_demand
        {
            self.rows = Some(self.affine(layer, results));
            return Ok(());
        }
        self.end = results.end;
        match &node.op {
            Op::Accumulator => {
                let factor = T::of(self.graph.accumulator.one.into());
                self.elementwise(Elementwise::Scale {
                    values: results.clone(),
                    factor,
                });
                self.whole(Whole::Nearest { values: results });
            }
            Op::Activate {
                function,
                shift,
                operand,
            } => self.activate(node, (*function, *shift), *operand, results)?,
            Op::Sign { operand } => {
                let (unit, operands) = (
                    real(self.graph.nodes[*operand].unit),
                    self.values_of(*operand),
                );
                self.elementwise(Elementwise::Sign {
                    unit: T::of(unit),
                    operands,
                    results,
                });
            }
            Op::Affine(layer) if layer.binary => {
                let layer = self.binary(layer, results);
                self.steps.push(Step::Binary(layer));
            }
            Op::Affine(layer) => {
                let reads_bytes = layer
                    .operands
                    .iter()
                    .all(|run| self.graph.nodes[run.node].element == Element::U8);
                let is_exact = reads_bytes && node.element == Element::I32;
                let layer = self.affine(layer, results.clone());
                self.steps.push(Step::Affine(layer));
                if is_exact {
                    self.whole(Whole::Nearest { values: results });
                }
            }
            Op::Pool {
                pool,
                operands,
                stride,
            } => {
                let starts = operands.map(|run| self.starts[run.node] + run.start);
                let (definition, places) = (
                    pool.definition(),
                    Strided {
                        starts,
                        stride: *stride,
                    },
                );
                let is_float = node.element == Element::F32;
                self.elementwise(Elementwise::Pool {
                    pool: *pool,
                    loops: definition.loops(),
                    constants: Definition::constants(is_float),
                    places,
                    results: results.clone(),
                });
                if !is_float {
                    let constants = (BUFFER_MAX as i64, pool::SHIFT);
                    self.whole(Whole::Pool {
                        pool: *pool,
                        constants,
                        places,
                        results,
                    });
                }
            }
            Op::Reduce {
                reduce,
                operand,
                size,
            } => {
                let start = self.starts[operand.node] + operand.start;
                let operands = start..start + operand.len;
                self.elementwise(Elementwise::Reduce {
                    reduce: *reduce,
                    size: *size,
                    operands: operands.clone(),
                    results: results.clone(),
                });
                // A maximum of integers is an integer already.
                if node.element != Element::F32 && *reduce == Reduce::Mean {
                    self.whole(Whole::Mean {
                        size: *size,
                        operands,
                        results,
                    });
                }
            }
            Op::Map(_) => return Err(Unsupported::Arithmetic(node.name.clone())),
            Op::ToFloats { operand, .. } => {
                let bias = index_of(
                    &self.graph.tensors,
                    TensorRole::LayerBias(self.layer_of(*operand)),
                );
                let unit = real(self.graph.nodes[*operand].unit);
                self.elementwise(Elementwise::ToFloats {
                    unit: T::of(unit),
                    bias,
                    operands: self.values_of(*operand),
                    results,
                });
            }
        }
        Ok(())
    }

    fn elementwise(&mut self, operation: Elementwise<T>) {
        self.steps.push(Step::Elementwise(operation));
    }

    fn whole(&mut self, whole: Whole) {
        if self.is_whole {
            self.steps.push(Step::Whole(whole));
        }
    }

    fn values_of(&self, node: usize) -> Range<usize> {
        self.starts[node]..self.starts[node] + self.graph.nodes[node].len
    }

    fn layer_of(&self, node: usize) -> usize {
        self.graph.nodes[..node]
            .iter()
            .filter(|node| node.layer().is_some())
            .count()
    }

    fn activate(
        &mut self,
        node: &Node,
        (function, shift): (Activation, u32),
        operand: usize,
        results: Range<usize>,
    ) -> Result<(), Unsupported> {
        let operation = self.operation(function)?;
        let accumulator = self.graph.accumulator;
        let (exact, one, parts) = match operand {
            0 => (
                of_accumulators(operation, node.element),
                i64::from(accumulator.one),
                accumulator.perspectives,
            ),
            _ => (
                operation.sums.filter(|_| node.element != Element::F32),
                BUFFER_MAX as i64,
                1,
            ),
        };
        let of_floats = || operation.floats.map(|formula| formula.real);
        let formula = exact.map(|formula| formula.real).or_else(of_floats);
        let formula = formula.expect("the checks let an activation stand only where it is defined");
        let one_of_floats = if exact.is_some() { one as f64 } else { 1.0 };
        self.elementwise(Elementwise::Activate {
            function,
            loops: T::loops(&formula),
            constants: Constants {
                pairs: operation.pairs,
                one: T::of(one_of_floats),
                shift,
            },
            parts,
            operands: self.values_of(operand),
            results: results.clone(),
        });
        if let Some(exact) = exact {
            self.whole(Whole::Activation {
                function,
                formula: exact.value,
                pairs: operation.pairs,
                constants: (one, shift),
                parts,
                operands: self.values_of(operand),
                results: results.clone(),
            });
        }
        if operand == 0 && node.element == Element::F32 {
            self.elementwise(Elementwise::Scale {
                values: results,
                factor: T::of(real(node.unit)),
            });
        }
        Ok(())
    }

    fn operation(&self, function: Activation) -> Result<&'static Operation, Unsupported> {
        let path = || match function {
            Activation::Custom(index) => self.graph.custom.activations[index].clone(),
            _ => String::new(),
        };
        function
            .operation()
            .ok_or_else(|| Unsupported::Function(path()))
    }

    /// Runs of operands of a layer, each with its first weight column.
    fn runs(&self, layer: &nnue_spec::graph::Affine) -> Vec<(Range<usize>, usize)> {
        let mut column = 0;
        let runs = layer.operands.iter().map(|run| {
            let start = self.starts[run.node] + run.start;
            column += run.len;
            (start..start + run.len, column - run.len)
        });
        runs.collect()
    }

    /// The bias tensor of the layer at the current node; `None` if a later step adds it.
    fn bias(&self, number: usize) -> Option<usize> {
        let node = self.starts.len() - 1;
        let later =
            |other: &Node| matches!(other.op, Op::ToFloats { operand, .. } if operand == node);
        (!self.graph.nodes.iter().any(later))
            .then(|| index_of(&self.graph.tensors, TensorRole::LayerBias(number)))
    }

    fn binary(&mut self, layer: &nnue_spec::graph::Affine, results: Range<usize>) -> Binary<T> {
        let number = self.layers;
        self.layers += 1;
        let [weight, scale, bias] = [
            TensorRole::LayerWeight(number),
            TensorRole::LayerScale(number),
            TensorRole::LayerBias(number),
        ]
        .map(|role| index_of(&self.graph.tensors, role));
        Binary {
            runs: self.runs(layer),
            weight,
            bias: self.bias(number),
            inputs: layer.inputs(),
            scale_factor: T::of(self.factors[scale]),
            bias_factor: T::of(self.factors[bias]),
            results,
        }
    }

    fn affine(&mut self, layer: &nnue_spec::graph::Affine, results: Range<usize>) -> Affine<T> {
        let number = self.layers;
        self.layers += 1;
        let [weight, bias] = [
            TensorRole::LayerWeight(number),
            TensorRole::LayerBias(number),
        ]
        .map(|role| index_of(&self.graph.tensors, role));
        Affine {
            runs: self.runs(layer),
            weight,
            bias: self.bias(number),
            columns: layer.columns,
            weight_factor: T::of(self.factors[weight] / self.surplus(layer)),
            bias_factor: T::of(self.factors[bias]),
            results,
        }
    }

    /// The surplus scale of integer products of two accumulators, which the weight factor divides out.
    fn surplus(&self, layer: &nnue_spec::graph::Affine) -> f64 {
        let node = layer
            .operands
            .first()
            .map(|run| &self.graph.nodes[run.node]);
        match node {
            Some(node) if node.element == Element::Whole => {
                1.0 / real(node.unit) / f64::from(self.graph.accumulator.one)
            }
            _ => 1.0,
        }
    }
}

/// The formula for accumulators; the integer one if layers with 16-bit or float weights read the result.
fn of_accumulators(operation: &Operation, element: Element) -> Option<Formula> {
    match element {
        Element::U8 => operation.accumulators,
        Element::Words => operation.words(),
        _ => operation.whole,
    }
}

fn real(unit: Unit) -> f64 {
    unit.num as f64 / unit.den as f64
}
