//! A call of the graph: its named arguments, and their conversion to inputs of nodes.

use serde_json::Value;

use super::json::{self, Argument, Number};
use crate::error::ImportError;
use crate::graph::{Dim, ValueId};
use crate::line::Line;
use crate::op::{Op, Windows};
use crate::order::{Builder, Draft};
use crate::tensor::{Data, Element, Tensor};

/// A call, and the graph under construction.
pub(super) struct Call<'a, 'n> {
    pub(super) builder: &'a mut Builder,
    pub(super) node: &'n Value,
    /// types and shapes of all tensors
    pub(super) values: &'n Value,
    /// `aten.linear.default`
    pub(super) target: &'n str,
}

pub(super) type Inputs = Vec<Option<ValueId>>;

impl<'n> Call<'_, 'n> {
    pub(super) fn argument(&self, name: &str) -> Argument<'n> {
        let inputs = self.node.get("inputs").and_then(Value::as_array);
        let found = inputs
            .into_iter()
            .flatten()
            .find(|input| input.get("name").and_then(Value::as_str) == Some(name));
        found
            .and_then(|input| input.get("arg"))
            .map_or(Argument::None, json::argument)
    }

    pub(super) fn positional(&self, index: usize) -> Argument<'n> {
        let input = self.node.get("inputs").and_then(|inputs| inputs.get(index));
        input
            .and_then(|input| input.get("arg"))
            .map_or(Argument::None, json::argument)
    }

    pub(super) fn integer(&self, name: &str, default: i64) -> i64 {
        if let Argument::Integer(number) = self.argument(name) {
            number
        } else {
            default
        }
    }

    pub(super) fn float(&self, name: &str, default: f64) -> f64 {
        match self.argument(name) {
            Argument::Float(number) => number,
            Argument::Integer(number) => number as f64,
            _ => default,
        }
    }

    pub(super) fn bool(&self, name: &str, default: bool) -> bool {
        if let Argument::Bool(value) = self.argument(name) {
            value
        } else {
            default
        }
    }

    /// A list of known integers, or one integer.
    pub(super) fn integers(&self, name: &str) -> Option<Vec<i64>> {
        let known = |number: &Number<'_>| {
            if let Number::Known(number) = number {
                Some(*number)
            } else {
                None
            }
        };
        match self.argument(name) {
            Argument::Integers(list) => list.iter().map(known).collect(),
            Argument::Integer(number) => Some(vec![number]),
            _ => None,
        }
    }

    /// An argument as an input: a tensor, or a number as a constant.
    pub(super) fn operand(
        &mut self,
        argument: Argument<'n>,
    ) -> Result<Option<ValueId>, ImportError> {
        Ok(match argument {
            Argument::Tensor(name) | Argument::Symbol(name) => Some(self.builder.value(name)?),
            Argument::Integer(number) => {
                Some(self.constant(Tensor::scalar(Data::I64(vec![number])))?)
            }
            Argument::Float(number) => {
                Some(self.constant(Tensor::scalar(Data::F32(vec![number as f32])))?)
            }
            Argument::Bool(value) => Some(self.constant(Tensor::scalar(Data::Bool(vec![value])))?),
            Argument::Integers(list) => Some(self.list(list)?),
            _ => None,
        })
    }

    /// Named arguments as inputs.
    pub(super) fn operands(&mut self, names: &[&str]) -> Result<Inputs, ImportError> {
        names
            .iter()
            .map(|name| self.operand(self.argument(name)))
            .collect()
    }

    pub(super) fn constant(&mut self, tensor: Tensor) -> Result<ValueId, ImportError> {
        let id = self.builder.unnamed()?;
        self.builder.constant_of(id, tensor)?;
        Ok(id)
    }

    /// A list of integers, some of which may be computed.
    fn list(&mut self, list: Vec<Number<'n>>) -> Result<ValueId, ImportError> {
        let known = |number: &Number<'_>| {
            if let Number::Known(number) = number {
                Some(*number)
            } else {
                None
            }
        };
        if let Some(known) = list.iter().map(known).collect::<Option<Vec<_>>>() {
            return self.constant(Tensor::list(known));
        }
        let mut parts = Vec::new();
        for number in list {
            parts.push(Some(match number {
                Number::Known(number) => self.constant(Tensor::list(vec![number]))?,
                Number::Symbol(name) => {
                    let scalar = self.builder.value(name)?;
                    self.step(Op::Unsqueeze(Some(vec![0])), vec![Some(scalar)])?
                }
            }));
        }
        self.step(Op::Concat { axis: 0 }, parts)
    }

    /// Adds an intermediate node.
    pub(super) fn step(&mut self, op: Op, inputs: Inputs) -> Result<ValueId, ImportError> {
        let id = self.builder.unnamed()?;
        self.push(op, inputs, vec![id])?;
        Ok(id)
    }

    /// Adds the node with the results of the call.
    pub(super) fn finish(&mut self, op: Op, inputs: Inputs) -> Result<(), ImportError> {
        let outputs = self
            .outputs()
            .into_iter()
            .map(|name| self.builder.value(name))
            .collect::<Result<_, _>>()?;
        self.push(op, inputs, outputs)
    }

    /// As [`finish`](Self::finish), for the first result only.
    pub(super) fn finish_first(&mut self, op: Op, inputs: Inputs) -> Result<(), ImportError> {
        let outputs = self
            .outputs()
            .into_iter()
            .take(1)
            .map(|name| self.builder.value(name))
            .collect::<Result<_, _>>()?;
        self.push(op, inputs, outputs)
    }

    /// Adds an unsupported operation.
    pub(super) fn unknown(&mut self, why: impl Into<String>) -> Result<(), ImportError> {
        self.finish(Op::Unknown(why.into()), Vec::new())
    }

    fn push(&mut self, op: Op, inputs: Inputs, outputs: Vec<ValueId>) -> Result<(), ImportError> {
        let text = |pointer: &str| self.node.pointer(pointer).and_then(Value::as_str);
        let name = text("/name")
            .or_else(|| self.outputs().first().copied())
            .unwrap_or_default();
        let line = text("/metadata/stack_trace").and_then(Line::of_trace);
        self.builder.node(
            Draft {
                name,
                operation: self.target.to_owned(),
                op,
                inputs,
                line,
            },
            outputs,
        )
    }

    pub(super) fn outputs(&self) -> Vec<&'n str> {
        let outputs = self
            .node
            .get("outputs")
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        let names = |output| match json::argument(output) {
            Argument::Tensor(name) | Argument::Symbol(name) => vec![name],
            Argument::Tensors(names) => names.into_iter().flatten().collect(),
            _ => Vec::new(),
        };
        outputs.flat_map(names).collect()
    }

    pub(super) fn length(&self, tensor: &str, axis: i64) -> Option<usize> {
        let dims = self.values.get(tensor)?.get("sizes").and_then(json::dims)?;
        let axis = usize::try_from(if axis < 0 {
            axis + dims.len() as i64
        } else {
            axis
        })
        .ok()?;
        if let Some(Dim::Fixed(length)) = dims.get(axis) {
            Some(*length)
        } else {
            None
        }
    }

    /// The `dtype` of the call, or else the type of its result.
    pub(super) fn element(&self) -> Option<Element> {
        let named = if let Argument::Type(number) = self.argument("dtype") {
            json::element(number)
        } else {
            None
        };
        named.or_else(|| {
            let meta = self
                .outputs()
                .first()
                .and_then(|name| self.values.get(name))?;
            meta.get("dtype")
                .and_then(Value::as_i64)
                .and_then(json::element)
        })
    }

    pub(super) fn windows(
        &self,
        kernel: Option<Vec<i64>>,
        stride: Option<Vec<i64>>,
    ) -> Option<Windows> {
        let pair = |list: Option<Vec<i64>>, default: [usize; 2]| {
            let small = |length: i64| {
                usize::try_from(length)
                    .ok()
                    .filter(|&length| length < 1 << 16)
            };
            match list.as_deref() {
                None | Some([]) => Some(default),
                Some(&[both]) => Some([small(both)?; 2]),
                Some(&[rows, columns]) => Some([small(rows)?, small(columns)?]),
                _ => None,
            }
        };
        let kernel = pair(Some(kernel?), [1, 1])?;
        let padding = pair(self.integers("padding"), [0, 0])?;
        let plain =
            pair(self.integers("dilation"), [1, 1])? == [1, 1] && !self.bool("ceil_mode", false);
        plain.then_some(Windows {
            kernel,
            stride: pair(stride, [1, 1])?,
            padding,
        })
    }
}
