//! The operations of a graph, built while the walk checks expressions. Equal operations of equal operands are
//! one node.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::axes::MAX_PADDING;
use crate::arithmetic::Facts;
use crate::descriptor::{AccumulatorDesc, Activation, ElementType, Pool, Reduce, Unit};
use crate::graph::{Affine, Element, Map, Node, Op, Reach, Run};
use crate::layout::{file_columns, sign_bytes};
use crate::model::{NetSpec, RawSpec, RawTensorSpec};
use crate::quant::BUFFER_MAX;

/// The properties of a new layer; the checks have accepted its numbers.
pub(super) struct Layer {
    pub(super) operands: Vec<Run>,
    pub(super) outputs: usize,
    pub(super) weights: ElementType,
    pub(super) scale: i32,
    pub(super) partial: usize,
    pub(super) on_demand: bool,
    pub(super) binary: bool,
    pub(super) reach: Reach,
    pub(super) integer_bias: bool,
    /// the declared unit of the sums
    pub(super) unit: Option<Unit>,
}

pub(super) struct Nodes<'a> {
    pub(super) all: Vec<Node>,
    /// the paths of functions of the program
    pub(super) custom: Vec<String>,
    accumulator: &'a AccumulatorDesc,
    accumulator_name: &'a str,
    /// what is said of a header-less file, in which rows of layer weights are not padded, unless it says so
    raw: Option<&'a RawSpec>,
    /// float products and additions are fused
    fused: bool,
    layers: usize,
    /// number of values of all operations
    pub(super) values: usize,
    /// the names of buffers, each with the fewest primes that the next buffer of this name needs
    names: BTreeMap<String, usize>,
}

impl<'a> Nodes<'a> {
    pub(super) fn new(spec: &'a NetSpec, accumulator: &'a AccumulatorDesc) -> Self {
        let AccumulatorDesc {
            width,
            perspectives,
            one,
            ..
        } = *accumulator;
        let name = &spec.accumulator.name.value;
        let first = Node {
            name: name.clone(),
            op: Op::Accumulator,
            len: width.saturating_mul(perspectives),
            element: Element::I16,
            unit: Unit {
                num: 1,
                den: one as u64,
            },
            range: Some((i16::MIN.into(), i16::MAX.into())),
        };
        Self {
            all: [first].into(),
            custom: Vec::new(),
            accumulator,
            accumulator_name: name,
            raw: spec.format.raw.as_ref(),
            fused: spec.fused,
            layers: 0,
            values: 0,
            names: BTreeMap::new(),
        }
    }

    /// The index of a function of the program.
    pub(super) fn custom(&mut self, path: &str) -> usize {
        self.custom
            .iter()
            .position(|known| known == path)
            .unwrap_or_else(|| {
                self.custom.push(path.to_owned());
                self.custom.len() - 1
            })
    }

    /// The activation of the accumulators; `greatest` is the declared maximum of a function of the program.
    pub(super) fn activate_accumulator(
        &mut self,
        (function, shift): (Activation, u32),
        greatest: u64,
        element: Element,
        name: Option<&str>,
    ) -> usize {
        let one = self.accumulator.one;
        let formula = function.operation().and_then(|operation| match element {
            Element::U8 => operation.accumulators,
            Element::Words => operation.words(),
            _ => operation.whole,
        });
        let whole = match formula {
            Some(formula) => (
                (formula.greatest)(one.into(), shift),
                (formula.unit)(one as u64, shift),
            ),
            None => (greatest as i64, unit_of_custom(element)),
        };
        let len = function.values(self.accumulator.width) * self.accumulator.perspectives;
        self.activation((function, shift), 0, (len, element, whole), name)
    }

    /// The activation of all sums of the layer at node `layer`; `greatest` as in
    /// [`Self::activate_accumulator`].
    pub(super) fn activate_sums(
        &mut self,
        (function, shift): (Activation, u32),
        layer: usize,
        greatest: u64,
        element: Element,
        name: Option<&str>,
    ) -> usize {
        let operand = if element == Element::F32 {
            self.floats(layer)
        } else {
            layer
        };
        let formula = function.operation().and_then(|operation| operation.sums);
        let whole = match formula {
            Some(formula) if element == Element::U8 => (
                (formula.greatest)(BUFFER_MAX as i64, shift),
                (formula.unit)(BUFFER_MAX, shift),
            ),
            _ => (greatest as i64, unit_of_custom(element)),
        };
        let len = function.values(self.all[layer].len);
        self.activation((function, shift), operand, (len, element, whole), name)
    }

    fn activation(
        &mut self,
        (function, shift): (Activation, u32),
        operand: usize,
        (len, element, (greatest, unit)): (usize, Element, (i64, Unit)),
        name: Option<&str>,
    ) -> usize {
        let op = Op::Activate {
            function,
            shift,
            operand,
        };
        let range = (element != Element::F32).then_some((0, greatest));
        let same = |node: &Node| node.op == op && node.element == element && node.range == range;
        if let Some(made) = self.all.iter().position(same) {
            return made;
        }
        let word = match (function.operation(), function) {
            (Some(operation), _) => operation.name.to_owned(),
            (None, Activation::Custom(index)) => self.custom[index].clone(),
            (None, _) => String::new(),
        };
        let name = self.unique_name(name, operand, &word);
        self.push(Node {
            name,
            op,
            len,
            element,
            unit,
            range,
        })
    }

    /// A pool of layer values of equal unit; `word` is its name in the declaration.
    pub(super) fn pool(
        &mut self,
        pool: Pool,
        operands: [Run; 2],
        stride: usize,
        (word, name): (&str, Option<&str>),
    ) -> usize {
        let op = Op::Pool {
            pool,
            operands,
            stride,
        };
        if let Some(made) = self.all.iter().position(|node| node.op == op) {
            return made;
        }
        let [Node { element, unit, .. }, _] = operands.map(|run| &self.all[run.node]);
        let unit = if *element == Element::F32 {
            *unit
        } else {
            (pool.definition().unit)(*unit)
        };
        let greatest =
            operands.map(|run| self.all[run.node].range.map(|(_, greatest)| greatest as u8));
        let range = match greatest {
            [Some(x), Some(y)] => Some((0, pool.of_bytes(x, y).into())),
            _ => None,
        };
        let (element, name) = (*element, self.unique_name(name, operands[0].node, word));
        self.push(Node {
            name,
            op,
            len: operands[0].len,
            element,
            unit,
            range,
        })
    }

    /// One value per run of `size` values of a layer.
    pub(super) fn reduce(
        &mut self,
        reduce: Reduce,
        operand: Run,
        size: usize,
        name: Option<&str>,
    ) -> usize {
        let op = Op::Reduce {
            reduce,
            operand,
            size,
        };
        if let Some(made) = self.all.iter().position(|node| node.op == op) {
            return made;
        }
        let name = self.unique_name(name, operand.node, reduce.name(size == operand.len));
        let Node {
            element,
            unit,
            range,
            ..
        } = self.all[operand.node];
        self.push(Node {
            name,
            op,
            len: operand.len / size,
            element,
            unit,
            range,
        })
    }

    /// An elementwise expression.
    pub(super) fn map(&mut self, map: Map, facts: Facts, name: Option<&str>) -> usize {
        let operand = map.operands.first();
        let (first, len) = operand.map_or((0, 0), |first| (first.node, first.len));
        let element = match map.element {
            ElementType::F32 => Element::F32,
            _ => Element::I32,
        };
        let op = Op::Map(map);
        if let Some(made) = self.all.iter().position(|node| node.op == op) {
            return made;
        }
        let name = self.unique_name(name, first, "map");
        self.push(Node {
            name,
            op,
            len,
            element,
            unit: facts.unit.unwrap_or(Unit { num: 1, den: 1 }),
            range: (element == Element::I32).then_some(facts.range),
        })
    }

    /// Number of perspectives that layers read.
    pub(super) const fn perspectives(&self) -> usize {
        self.accumulator.perspectives
    }

    /// A layer, `fc0`, `fc1`, ...
    pub(super) fn affine(&mut self, layer: Layer) -> usize {
        let Layer {
            operands,
            outputs,
            weights,
            scale,
            partial,
            on_demand,
            binary,
            reach,
            integer_bias,
            unit,
        } = layer;
        let name = format!("fc{}", self.layers);
        self.layers += 1;
        let is_float = weights == ElementType::F32;
        let inputs = operands.iter().map(|run| run.len).sum();
        let derived = match operands.first() {
            // The scales of the outputs bring sums to the unit of byte layers.
            _ if binary => scaled(
                Unit {
                    num: 1,
                    den: BUFFER_MAX,
                },
                scale,
            ),
            Some(run) if !is_float => scaled(self.all[run.node].unit, scale),
            _ => Unit { num: 1, den: 1 },
        };
        let columns = match self.raw {
            _ if binary => sign_bytes(inputs),
            Some(raw) => inputs.next_multiple_of(padding(raw, &name)),
            None if weights == ElementType::I8 => file_columns(inputs),
            None => inputs,
        };
        let scale = if is_float { 1 } else { scale };
        let fused = self.fused;
        let affine = Affine {
            operands,
            weights,
            scale,
            columns,
            partial,
            fused,
            on_demand,
            binary,
            reach,
            integer_bias,
        };
        // Sums of products of two accumulators are divided before the bias is added.
        let derived = match affine.is_direct(&self.all) {
            true => scaled(self.all[0].unit, scale),
            false => derived,
        };
        let op = Op::Affine(affine);
        let (element, range) = if is_float {
            (Element::F32, None)
        } else {
            (Element::I32, Some(SUMS))
        };
        self.push(Node {
            name,
            op,
            len: outputs,
            element,
            unit: unit.unwrap_or(derived),
            range,
        })
    }

    /// The signs of all values of a node.
    pub(super) fn signs(&mut self, operand: usize) -> usize {
        let op = Op::Sign { operand };
        if let Some(made) = self.all.iter().position(|node| node.op == op) {
            return made;
        }
        let Node { name, len, .. } = &self.all[operand];
        let (name, len) = (format!("{name}_sign"), *len);
        let name = self.with_primes(name);
        let unit = Unit { num: 1, den: 1 };
        self.push(Node {
            name,
            op,
            len,
            element: Element::Sign,
            unit,
            range: Some((-1, 1)),
        })
    }

    /// The sums of a layer as floats.
    pub(super) fn floats(&mut self, layer: usize) -> usize {
        let Node {
            name, len, element, ..
        } = &self.all[layer];
        if *element == Element::F32 {
            return layer;
        }
        let op = Op::ToFloats {
            operand: layer,
            fused: self.fused,
        };
        if let Some(made) = self.all.iter().position(|node| node.op == op) {
            return made;
        }
        let (name, len) = (name.clone(), *len);
        self.push(Node {
            name,
            op,
            len,
            element: Element::F32,
            unit: Unit { num: 1, den: 1 },
            range: None,
        })
    }

    /// Whether a node is an activation of the accumulators, or a pool of one.
    pub(super) fn reads_accumulator(&self, node: usize) -> bool {
        match &self.all[node].op {
            Op::Activate { operand, .. } => *operand == 0,
            Op::Pool {
                operands: [run, _], ..
            }
            | Op::Reduce { operand: run, .. } => self.reads_accumulator(run.node),
            Op::Accumulator
            | Op::Affine(_)
            | Op::Map(_)
            | Op::Sign { .. }
            | Op::ToFloats { .. } => false,
        }
    }

    /// Whether runs have results of elementwise expressions.
    pub(super) fn are_of_expression(&self, runs: &[Run]) -> bool {
        runs.iter()
            .any(|run| matches!(self.all[run.node].op, Op::Map(_)))
    }

    /// Whether runs have results of elementwise expressions of integers.
    pub(super) fn are_integers(&self, runs: &[Run]) -> bool {
        let of_integers =
            |node: &Node| matches!(node.op, Op::Map(_)) && node.element == Element::I32;
        runs.iter().any(|run| of_integers(&self.all[run.node]))
    }

    /// Whether the layer at a node reads 16-bit values.
    pub(super) fn reads_words(&self, node: usize) -> bool {
        self.all[node]
            .layer()
            .is_some_and(|layer| layer.reads_words(&self.all))
    }

    fn push(&mut self, node: Node) -> usize {
        self.values = self.values.saturating_add(node.len);
        self.all.push(node);
        self.all.len() - 1
    }

    /// The declared name, or one derived from the operation; primes make derived names unique.
    fn unique_name(&mut self, declared: Option<&str>, operand: usize, function: &str) -> String {
        let of = if operand == 0 {
            self.accumulator_name
        } else {
            &self.all[operand].name
        };
        self.with_primes(declared.map_or_else(|| format!("{of}_{function}"), ToOwned::to_owned))
    }

    /// The name of a buffer, with primes if it is taken.
    fn with_primes(&mut self, name: String) -> String {
        let mut primes = self.names.get(&name).copied().unwrap_or(0);
        let mut free = format!("{name}{}", "'".repeat(primes));
        while primes > 0 && self.names.contains_key(&free) {
            primes += 1;
            free.push('\'');
        }
        self.names.insert(name, primes + 1);
        if primes > 0 {
            self.names.insert(free.clone(), 1);
        }
        free
    }
}

/// The range of sums, which wrap.
const SUMS: (i64, i64) = (i32::MIN as i64, i32::MAX as i64);

/// The unit of results of a function of the program.
const fn unit_of_custom(element: Element) -> Unit {
    let den = if matches!(element, Element::U8) {
        BUFFER_MAX
    } else {
        1
    };
    Unit { num: 1, den }
}

/// The unit of sums of products with weights of scale `scale`.
fn scaled(Unit { num, den }: Unit, scale: i32) -> Unit {
    Unit {
        num,
        den: den.saturating_mul(scale as u64),
    }
}

/// Of what number the rows of the weights of a layer take a multiple. The check of the axes refuses others.
fn padding(raw: &RawSpec, layer: &str) -> usize {
    let said = raw.tensor(&format!("{layer}_weight"));
    let to = said.and_then(RawTensorSpec::padded);
    to.map_or(1, |to| to.value.clamp(1, MAX_PADDING) as usize)
}
