//! Writes a graph of ONNX: nodes one after the other, each with a value of its own.

use std::collections::{BTreeMap, BTreeSet};

use prost::Message as _;
use prost::bytes::Bytes;

use crate::declare::Clause;
use crate::onnx::proto::{
    Attribute, Dimension, Entry, Graph, Model, Node, Opset, Shape, Tensor, TensorType, Type,
    ValueInfo,
};

/// The version of the operations: the first in which all that is written takes whole numbers in every engine.
const OPSET: i64 = 17;

/// The version of the format that belongs to it.
const IR_VERSION: i64 = 8;

/// The type of elements, by ONNX's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Float = 1,
    Int8 = 3,
    Int16 = 5,
    Int32 = 6,
    Int64 = 7,
}

/// A value of the graph: its name.
pub(super) type Value = String;

/// A graph that is being written.
#[derive(Debug, Default)]
pub(super) struct Writer {
    graph: Graph,
    /// scalars that are there
    numbers: BTreeMap<i64, Value>,
    count: usize,
    /// what the nodes that follow are in the declaration
    pub(super) clause: String,
    /// what each node is
    clauses: Vec<String>,
}

impl Writer {
    fn fresh(&mut self) -> Value {
        self.count += 1;
        format!("v{}", self.count)
    }

    /// An input with rows of this shape.
    pub(super) fn input(&mut self, name: &str, kind: Kind, shape: &[usize]) -> Value {
        self.graph.input.push(described(name, kind, shape));
        name.to_owned()
    }

    /// An output: rows of this shape.
    pub(super) fn output(&mut self, name: &str, value: &str, kind: Kind, shape: &[usize]) {
        self.push("Identity", &[value], Vec::new(), name);
        self.graph.output.push(described(name, kind, shape));
    }

    /// A name like this one that nothing has yet.
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

    /// Weights, little endian.
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

    /// A whole number.
    pub(super) fn number(&mut self, number: i64) -> Value {
        if let Some(name) = self.numbers.get(&number) {
            return name.clone();
        }
        let name = format!("n{number}");
        self.weights(&name, Kind::Int64, &[], number.to_le_bytes().to_vec());
        self.numbers.insert(number, name.clone());
        name
    }

    /// A list of whole numbers.
    pub(super) fn list(&mut self, numbers: &[i64]) -> Value {
        let name = self.fresh();
        self.weights(
            &name,
            Kind::Int64,
            &[numbers.len()],
            numbers.iter().flat_map(|n| n.to_le_bytes()).collect(),
        )
    }

    /// A float.
    pub(super) fn float(&mut self, number: f32) -> Value {
        let name = self.fresh();
        self.weights(&name, Kind::Float, &[], number.to_le_bytes().to_vec())
    }

    /// The result of an operation.
    pub(super) fn node(&mut self, operation: &str, inputs: &[&str]) -> Value {
        self.with(operation, inputs, &[])
    }

    /// The result of an operation with attributes that are numbers.
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

    /// The result of an operation over windows, with lists of lengths.
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

    /// The result of an operation with an attribute that is a float.
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

    /// Floats in a shape.
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

    /// `x` in another type.
    pub(super) fn cast(&mut self, x: &str, kind: Kind) -> Value {
        self.with("Cast", &[x], &[("to", kind as i64)])
    }

    /// `x` and a whole number.
    pub(super) fn by(&mut self, operation: &str, x: &str, number: i64) -> Value {
        let number = self.number(number);
        self.node(operation, &[x, &number])
    }

    /// `min(max(x, low), high)`
    pub(super) fn clamp(&mut self, x: &str, low: i64, high: i64) -> Value {
        let x = self.by("Max", x, low);
        self.by("Min", &x, high)
    }

    /// `x >> shift` of a number that is not negative, or has nothing to round.
    pub(super) fn shifted(&mut self, x: Value, shift: u32) -> Value {
        if shift == 0 {
            x
        } else {
            self.by("Div", &x, 1 << shift)
        }
    }

    /// `x` modulo two to the power of `bits`, as a signed number of so many bits holds it.
    pub(super) fn wrapped(&mut self, x: &str, bits: u32) -> Value {
        let half = 1_i64 << (bits - 1);
        let x = self.by("Add", x, half);
        let x = self.by("Mod", &x, 2 * half);
        self.by("Sub", &x, half)
    }

    /// Sums along an axis, which goes.
    pub(super) fn sum(&mut self, x: &str, axis: i64) -> Value {
        let axes = self.list(&[axis]);
        self.with("ReduceSum", &[x, &axes], &[("keepdims", 0)])
    }

    /// Neighbouring columns.
    pub(super) fn columns(&mut self, x: &str, start: usize, len: usize) -> Value {
        let [start, end, axis] =
            [start as i64, (start + len) as i64, 1].map(|number| self.list(&[number]));
        self.node("Slice", &[x, &start, &end, &axis])
    }

    /// So many columns, one every `stride`, from `start` on.
    pub(super) fn every(&mut self, x: &str, start: usize, count: usize, stride: usize) -> Value {
        let numbers = [start, start + stride * count, 1, stride];
        let [start, end, axis, step] = numbers.map(|number| self.list(&[number as i64]));
        self.node("Slice", &[x, &start, &end, &axis, &step])
    }

    /// Columns one after the other.
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

    /// What each node is in the declaration.
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

    /// The bytes of the file, with properties in its metadata.
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

/// An input or output: any number of rows of a shape.
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
