//! Writes an ONNX graph node by node, each with one named result.

use std::collections::{BTreeMap, BTreeSet};

use prost::Message as _;
use prost::bytes::Bytes;

use crate::declare::Clause;
use crate::onnx::proto::{
    Attribute, Dimension, Entry, Graph, Model, Node, Opset, Shape, Tensor, TensorType, Type,
    ValueInfo,
};

/// Version of the operator set: the first whose operations here accept integers in every engine.
const OPSET: i64 = 17;

/// Version of the format for this operator set.
const IR_VERSION: i64 = 8;

/// Element types, by ONNX's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Float = 1,
    Int8 = 3,
    Int16 = 5,
    Int32 = 6,
    Int64 = 7,
    Bool = 9,
}

/// Name of a value of the graph.
pub(super) type Value = String;

#[derive(Debug, Default)]
pub(super) struct Writer {
    graph: Graph,
    /// scalar constants
    numbers: BTreeMap<i64, Value>,
    count: usize,
    /// the clause of the nodes that follow
    pub(super) clause: String,
    /// the clause of each node
    clauses: Vec<String>,
}

impl Writer {
    fn fresh(&mut self) -> Value {
        self.count += 1;
        format!("v{}", self.count)
    }

    /// Adds an input with rows of this shape.
    pub(super) fn input(&mut self, name: &str, kind: Kind, shape: &[usize]) -> Value {
        self.graph.input.push(described(name, kind, shape));
        name.to_owned()
    }

    /// Adds an output with rows of this shape.
    pub(super) fn output(&mut self, name: &str, value: &str, kind: Kind, shape: &[usize]) {
        self.push("Identity", &[value], Vec::new(), name);
        self.graph.output.push(described(name, kind, shape));
    }

    /// A name derived from `name` that is not in use.
    pub(super) fn free_name(&self, name: &str) -> String {
        let graph = &self.graph;
        let inputs = graph
            .input
            .iter()
            .chain(&graph.output)
            .map(|value| &value.name);
        let made = graph
            .node
            .iter()
            .flat_map(|node| &node.output)
            .chain(graph.initializer.iter().map(|one| &one.name));
        let taken: BTreeSet<&String> = inputs.chain(made).collect();
        let mut name = name.to_owned();
        while taken.contains(&name) {
            name.push('_');
        }
        name
    }

    /// Adds an initializer from little-endian bytes.
    pub(super) fn weights(
        &mut self,
        name: &str,
        kind: Kind,
        shape: &[usize],
        bytes: Vec<u8>,
    ) -> Value {
        self.graph.initializer.push(Tensor {
            name: name.to_owned(),
            dims: shape.iter().map(|&length| length as i64).collect(),
            data_type: kind as i32,
            raw_data: Bytes::from(bytes),
            ..Tensor::default()
        });
        name.to_owned()
    }

    /// An integer constant.
    pub(super) fn number(&mut self, number: i64) -> Value {
        if let Some(name) = self.numbers.get(&number) {
            return name.clone();
        }
        let name = format!("n{number}");
        self.weights(&name, Kind::Int64, &[], number.to_le_bytes().to_vec());
        self.numbers.insert(number, name.clone());
        name
    }

    /// A constant vector of integers.
    pub(super) fn list(&mut self, numbers: &[i64]) -> Value {
        let name = self.fresh();
        self.weights(
            &name,
            Kind::Int64,
            &[numbers.len()],
            numbers.iter().flat_map(|n| n.to_le_bytes()).collect(),
        )
    }

    /// A float constant.
    pub(super) fn float(&mut self, number: f32) -> Value {
        let name = self.fresh();
        self.weights(&name, Kind::Float, &[], number.to_le_bytes().to_vec())
    }

    /// Adds a node and returns its result.
    pub(super) fn node(&mut self, operation: &str, inputs: &[&str]) -> Value {
        self.with(operation, inputs, &[])
    }

    /// As [`node`](Self::node), with integer attributes.
    pub(super) fn with(
        &mut self,
        operation: &str,
        inputs: &[&str],
        attributes: &[(&str, i64)],
    ) -> Value {
        let one = |&(name, i): &(&str, i64)| Attribute {
            name: name.into(),
            i,
            kind: 2,
            ..Attribute::default()
        };
        self.having(operation, inputs, attributes.iter().map(one).collect())
    }

    /// As [`node`](Self::node), with attributes of windows.
    pub(super) fn windowed(
        &mut self,
        operation: &str,
        inputs: &[&str],
        lists: &[(&str, &[usize])],
    ) -> Value {
        let one = |&(name, lengths): &(&str, &[usize])| Attribute {
            name: name.into(),
            ints: lengths.iter().map(|&length| length as i64).collect(),
            kind: 7,
            ..Attribute::default()
        };
        self.having(operation, inputs, lists.iter().map(one).collect())
    }

    /// As [`node`](Self::node), with a float attribute.
    pub(super) fn with_float(
        &mut self,
        operation: &str,
        inputs: &[&str],
        (name, f): (&str, f32),
    ) -> Value {
        self.having(
            operation,
            inputs,
            vec![Attribute {
                name: name.into(),
                f,
                kind: 1,
                ..Attribute::default()
            }],
        )
    }

    fn having(&mut self, operation: &str, inputs: &[&str], attributes: Vec<Attribute>) -> Value {
        let output = self.fresh();
        self.push(operation, inputs, attributes, &output);
        output
    }

    fn push(&mut self, operation: &str, inputs: &[&str], attribute: Vec<Attribute>, output: &str) {
        self.clauses.push(self.clause.clone());
        self.graph.node.push(Node {
            input: inputs.iter().map(|&name| name.to_owned()).collect(),
            output: vec![output.to_owned()],
            name: format!("{}_{}", operation.to_lowercase(), self.graph.node.len()),
            op_type: operation.to_owned(),
            attribute,
            ..Node::default()
        });
    }

    /// Adds an initializer of floats.
    pub(super) fn floats(&mut self, name: &str, shape: &[usize], numbers: &[f32]) -> Value {
        self.weights(
            name,
            Kind::Float,
            shape,
            numbers
                .iter()
                .flat_map(|number| number.to_le_bytes())
                .collect(),
        )
    }

    pub(super) fn cast(&mut self, x: &str, kind: Kind) -> Value {
        self.with("Cast", &[x], &[("to", kind as i64)])
    }

    /// An operation on `x` and an integer.
    pub(super) fn by(&mut self, operation: &str, x: &str, number: i64) -> Value {
        let number = self.number(number);
        self.node(operation, &[x, &number])
    }

    /// `min(max(x, low), high)`
    pub(super) fn clamp(&mut self, x: &str, low: i64, high: i64) -> Value {
        let x = self.by("Max", x, low);
        self.by("Min", &x, high)
    }

    /// `x >> shift`, exact only if `x` is non-negative or a multiple of `1 << shift`.
    pub(super) fn shifted(&mut self, x: Value, shift: u32) -> Value {
        if shift == 0 {
            x
        } else {
            self.by("Div", &x, 1 << shift)
        }
    }

    /// `x` wrapped to a signed integer of `bits` bits.
    pub(super) fn wrapped(&mut self, x: &str, bits: u32) -> Value {
        let half = 1_i64 << (bits - 1);
        let x = self.by("Add", x, half);
        let x = self.by("Mod", &x, 2 * half);
        self.by("Sub", &x, half)
    }

    /// Sum along an axis, which is removed.
    pub(super) fn sum(&mut self, x: &str, axis: i64) -> Value {
        let axes = self.list(&[axis]);
        self.with("ReduceSum", &[x, &axes], &[("keepdims", 0)])
    }

    pub(super) fn columns(&mut self, x: &str, start: usize, len: usize) -> Value {
        let [start, end, axis] =
            [start as i64, (start + len) as i64, 1].map(|number| self.list(&[number]));
        self.node("Slice", &[x, &start, &end, &axis])
    }

    /// `count` columns from `start` on, `stride` apart.
    pub(super) fn every(&mut self, x: &str, start: usize, count: usize, stride: usize) -> Value {
        let numbers = [start, start + stride * count, 1, stride];
        let [start, end, axis, step] = numbers.map(|number| self.list(&[number as i64]));
        self.node("Slice", &[x, &start, &end, &axis, &step])
    }

    /// Concatenates columns.
    pub(super) fn joined(&mut self, parts: &[Value]) -> Value {
        match parts {
            [only] => only.clone(),
            _ => self.with(
                "Concat",
                &parts.iter().map(String::as_str).collect::<Vec<_>>(),
                &[("axis", 1)],
            ),
        }
    }

    pub(super) fn clauses(&self) -> Vec<Clause> {
        let clause = |(node, clause): (&Node, &String)| Clause {
            node: node.name.clone(),
            operation: node.op_type.clone(),
            line: None,
            clause: clause.clone(),
        };
        self.graph
            .node
            .iter()
            .zip(&self.clauses)
            .map(clause)
            .collect()
    }

    /// The bytes of the model.
    pub(super) fn finish(mut self, name: &str, notes: String, metadata: Vec<Entry>) -> Vec<u8> {
        self.graph.name = name.to_owned();
        let model = Model {
            ir_version: IR_VERSION,
            producer_name: "nnue".into(),
            producer_version: env!("CARGO_PKG_VERSION").into(),
            doc_string: notes,
            graph: Some(self.graph),
            opset_import: vec![Opset {
                domain: String::new(),
                version: OPSET,
            }],
            metadata,
            functions: Vec::new(),
        };
        model.encode_to_vec()
    }
}

/// An input or output with a free number of rows.
fn described(name: &str, kind: Kind, shape: &[usize]) -> ValueInfo {
    let rows = Dimension {
        value: None,
        parameter: "rows".into(),
    };
    let fixed = |&length: &usize| Dimension {
        value: Some(length as i64),
        parameter: String::new(),
    };
    let shape = Some(Shape {
        dim: std::iter::once(rows)
            .chain(shape.iter().map(fixed))
            .collect(),
    });
    ValueInfo {
        name: name.into(),
        r#type: Some(Type {
            tensor: Some(TensorType {
                element: kind as i32,
                shape,
            }),
        }),
    }
}
