//! Converts ONNX nodes to operations of the import graph.

use std::collections::HashMap;

use crate::budget::Budget;
use crate::error::ImportError;
use crate::graph::ValueId;
use crate::line::Line;
use crate::name::shown;
use crate::op::{Binary, Op, Reduction, Steps, Unary};
use crate::order::{Builder, Draft};
use crate::tensor::{Data, Element, Tensor};

use super::attributes::Attributes;
use super::proto;
use super::tensor::{self, Folder};

/// ONNX element types of constants by name: the type of a zero point determines the range of the integers.
pub(super) type Types<'a> = HashMap<&'a str, i32>;

/// Adds a node of the file as one or more nodes of the graph.
pub(super) fn add(
    builder: &mut Builder,
    node: &proto::Node,
    (opset, types): (i64, &Types<'_>),
    folder: &Folder<'_>,
) -> Result<(), ImportError> {
    if let Some(constant) = constant(node, folder, builder.budget())? {
        let [name] = node.output.as_slice() else {
            return Err(ImportError::Damaged(format!(
                "constant `{}` has no name",
                shown(&node.name)
            )));
        };
        builder.constant(name, constant)?;
        return Ok(());
    }
    let mut inputs = Vec::new();
    for name in &node.input {
        inputs.push(if name.is_empty() {
            None
        } else {
            Some(builder.value(name)?)
        });
    }
    // Unused trailing outputs have no name.
    let named = node
        .output
        .iter()
        .rposition(|name| !name.is_empty())
        .map_or(0, |last| last + 1);
    let mut outputs = Vec::new();
    for name in &node.output[..named] {
        outputs.push(if name.is_empty() {
            builder.unnamed()?
        } else {
            builder.value(name)?
        });
    }
    Adding {
        builder,
        node,
        opset,
        types,
    }
    .add(inputs, outputs)
}

/// The tensor of a constant node.
fn constant(
    node: &proto::Node,
    folder: &Folder<'_>,
    budget: &mut Budget,
) -> Result<Option<Tensor>, ImportError> {
    let attributes = Attributes(node);
    if node.op_type != "Constant" || !is_standard(node) {
        return Ok(None);
    }
    let name = node.output.first().map_or("", String::as_str);
    if let Some(value) = attributes.tensor("value") {
        return tensor::read(value, name, folder, budget).map(Some);
    }
    let has = |name: &str| {
        node.attribute
            .iter()
            .any(|attribute| attribute.name == name)
    };
    Ok(if has("value_float") {
        Some(Tensor::scalar(Data::F32(vec![
            attributes.float("value_float", 0.0),
        ])))
    } else if has("value_int") {
        Some(Tensor::scalar(Data::I64(vec![
            attributes.integer("value_int", 0),
        ])))
    } else if let Some(floats) = attributes.floats("value_floats") {
        Some(Tensor::floats(&[floats.len()], floats.to_vec())?)
    } else {
        attributes
            .integers("value_ints")
            .map(|integers| Tensor::list(integers.to_vec()))
    })
}

fn is_standard(node: &proto::Node) -> bool {
    matches!(node.domain.as_str(), "" | "ai.onnx")
}

struct Adding<'a, 'n> {
    builder: &'a mut Builder,
    node: &'n proto::Node,
    opset: i64,
    types: &'n Types<'n>,
}

impl Adding<'_, '_> {
    fn add(
        mut self,
        mut inputs: Vec<Option<ValueId>>,
        outputs: Vec<ValueId>,
    ) -> Result<(), ImportError> {
        match self.node.op_type.as_str() {
            _ if !is_standard(self.node) => {}
            "Gemm" => return self.gemm(inputs, outputs),
            "DequantizeLinear" => return self.dequantize(inputs, outputs),
            "QuantizeLinear" => {
                let op = match self.steps(&inputs) {
                    Ok(steps) => Op::Quantize {
                        steps,
                        rounds: true,
                    },
                    Err(why) => Op::Unknown(why.into()),
                };
                return self.push(op, vec![inputs.first().copied().flatten()], outputs);
            }
            _ => {}
        }
        let op = self.op(&mut inputs)?;
        self.push(op, inputs, outputs)
    }

    fn push(
        &mut self,
        op: Op,
        inputs: Vec<Option<ValueId>>,
        outputs: Vec<ValueId>,
    ) -> Result<(), ImportError> {
        let line = self
            .node
            .metadata
            .iter()
            .find(|entry| entry.key == "pkg.torch.onnx.stack_trace");
        let line = line
            .and_then(|entry| Line::of_trace(&entry.value))
            .or_else(|| Line::of_trace(&self.node.doc_string));
        let name = match (self.node.name.as_str(), self.node.output.first()) {
            ("", Some(output)) => output,
            (name, _) => name,
        };
        let operation = match self.node.domain.as_str() {
            "" | "ai.onnx" => self.node.op_type.clone(),
            domain => format!("{domain}.{}", self.node.op_type),
        };
        self.builder.node(
            Draft {
                name,
                operation,
                op,
                inputs,
                line,
            },
            outputs,
        )
    }

    /// `alpha * A * B + beta * C` with optionally transposed A and B: a layer, if the factors are 1 and A is
    /// not transposed.
    fn gemm(
        &mut self,
        inputs: Vec<Option<ValueId>>,
        outputs: Vec<ValueId>,
    ) -> Result<(), ImportError> {
        let attributes = Attributes(self.node);
        let plain = attributes.float("alpha", 1.0) == 1.0 && attributes.float("beta", 1.0) == 1.0;
        if !plain || attributes.integer("transA", 0) != 0 {
            let why = "products with `alpha`, `beta` or `transA` are not read; export the layer as `torch.nn.Linear`";
            return self.push(Op::Unknown(why.into()), inputs, outputs);
        }
        let mut inputs = inputs;
        if attributes.integer("transB", 0) == 0
            && let Some(weight) = inputs.get_mut(1)
        {
            let turned = self.builder.unnamed()?;
            let given = weight.replace(turned);
            self.push(Op::Transpose(vec![1, 0]), vec![given], vec![turned])?;
        }
        self.push(Op::Linear, inputs, outputs)
    }

    /// `(x - zero) * scale`: 8-bit weights as floats. The scale is a scalar, or has one element per index of
    /// an axis.
    fn dequantize(
        &mut self,
        inputs: Vec<Option<ValueId>>,
        outputs: Vec<ValueId>,
    ) -> Result<(), ImportError> {
        let attributes = Attributes(self.node);
        let [Some(x), Some(scale), rest @ ..] = inputs.as_slice() else {
            return self.push(Op::Unknown("its scale is missing".into()), inputs, outputs);
        };
        let rank = |id: &ValueId| {
            self.builder
                .constant_at(*id)
                .map(|tensor| tensor.shape().len())
        };
        let (Some(rank_of_x), Some(rank_of_scale)) = (rank(x), rank(scale)) else {
            let op = match self.steps(&inputs) {
                Ok(steps) => Op::Dequantize(steps),
                Err(why) => Op::Unknown(why.into()),
            };
            return self.push(op, vec![Some(*x)], outputs);
        };
        // Scales per index are placed along their axis.
        let axis = attributes.integer("axis", 1);
        let axis = if axis < 0 {
            axis + rank_of_x as i64
        } else {
            axis
        };
        let after: Vec<i64> = (1..rank_of_x as i64 - axis).collect();
        let along = |adding: &mut Self, id: ValueId| -> Result<ValueId, ImportError> {
            if rank_of_scale == 0 || after.is_empty() {
                return Ok(id);
            }
            let turned = adding.builder.unnamed()?;
            adding.push(
                Op::Unsqueeze(Some(after.clone())),
                vec![Some(id)],
                vec![turned],
            )?;
            Ok(turned)
        };
        let (scale, zero) = (along(self, *scale)?, rest.first().copied().flatten());
        let mut floats = self.cast(*x)?;
        if let Some(zero) = zero {
            let zero = self.cast(zero)?;
            let (zero, moved) = (along(self, zero)?, self.builder.unnamed()?);
            self.push(
                Op::Binary(Binary::Sub),
                vec![Some(floats), Some(zero)],
                vec![moved],
            )?;
            floats = moved;
        }
        self.push(
            Op::Binary(Binary::Mul),
            vec![Some(floats), Some(scale)],
            outputs,
        )
    }

    /// Quantisation parameters: one scale, and the range of the zero point's type, or 0 to 255 without one.
    fn steps(&self, inputs: &[Option<ValueId>]) -> Result<Steps, &'static str> {
        const WHY: &str = "values are rounded in steps of one scale, to 8 or 16 bits, with constants for the scale and the zero";
        let number = |index: usize| {
            self.builder
                .constant_at(inputs.get(index).copied().flatten()?)
        };
        let scale = number(1).and_then(Tensor::as_number).ok_or(WHY)?;
        let zero = match inputs.get(2).copied().flatten() {
            None => 0,
            Some(_) => number(2).and_then(Tensor::as_number).ok_or(WHY)? as i64,
        };
        let asked = Attributes(self.node).integer("output_dtype", 0) as i32;
        let named = self
            .node
            .input
            .get(2)
            .and_then(|name| self.types.get(name.as_str()))
            .copied();
        let (low, high) = match if asked == 0 {
            named.unwrap_or(2)
        } else {
            asked
        } {
            2 => (0, 255),
            3 => (-128, 127),
            4 => (0, 65535),
            5 => (-32768, 32767),
            _ => return Err(WHY),
        };
        Some(Steps {
            scale,
            zero,
            low,
            high,
        })
        .filter(|steps| steps.are_some())
        .ok_or(WHY)
    }

    /// Converts a value to floats.
    fn cast(&mut self, x: ValueId) -> Result<ValueId, ImportError> {
        let floats = self.builder.unnamed()?;
        self.push(Op::Cast(Element::F32), vec![Some(x)], vec![floats])?;
        Ok(floats)
    }

    /// The size of the windows of a convolution by its weights, for nodes that do not say it.
    fn kernel(&self, inputs: &[Option<ValueId>]) -> Option<Vec<i64>> {
        let weights = self
            .builder
            .constant_at(inputs.get(1).copied().flatten()?)?;
        let lengths = weights.shape().iter().skip(2);
        Some(lengths.map(|&length| length as i64).collect())
    }

    /// A constant input made from an attribute.
    fn number(&mut self, data: Data) -> Result<Option<ValueId>, ImportError> {
        let id = self.builder.unnamed()?;
        self.builder.constant_of(id, Tensor::scalar(data))?;
        Ok(Some(id))
    }

    /// The operation. Attributes that are inputs in newer opsets become inputs.
    fn op(&mut self, inputs: &mut Vec<Option<ValueId>>) -> Result<Op, ImportError> {
        if !is_standard(self.node) {
            return Ok(Op::Unknown(
                "operations beside ONNX's own are not read; export the model without them".into(),
            ));
        }
        let attributes = Attributes(self.node);
        if let Some(op) = simple(&self.node.op_type, &attributes) {
            return Ok(op);
        }
        let axes = || attributes.integers("axes").map(<[i64]>::to_vec);
        let reduce = |kind| Op::Reduce {
            kind,
            axes: axes(),
            keep: attributes.integer("keepdims", 1) != 0,
        };
        let axis = |default| attributes.integer("axis", default);
        Ok(match self.node.op_type.as_str() {
            "Clip" => {
                let limits: &[&str] = if self.opset < 11 {
                    &["min", "max"]
                } else {
                    &[]
                };
                for name in limits {
                    let limit = attributes
                        .optional_float(name)
                        .map(|limit| self.number(Data::F32(vec![limit])));
                    inputs.push(limit.transpose()?.flatten());
                }
                Op::Clip
            }
            "Sum" | "Min" | "Max" | "Mean" if inputs.len() == 1 => Op::Identity,
            "Sum" if inputs.len() == 2 => Op::Binary(Binary::Add),
            "Min" if inputs.len() == 2 => Op::Binary(Binary::Min),
            "Max" if inputs.len() == 2 => Op::Binary(Binary::Max),
            "Cast" | "CastLike" => match tensor::element(attributes.integer("to", 0) as i32) {
                Some(element) => Op::Cast(element),
                None => Op::Unknown("numbers of this type are not read".into()),
            },
            "BatchNormalization" if attributes.integer("training_mode", 0) == 0 => Op::BatchNorm {
                eps: shortest(attributes.float("epsilon", 1e-5)),
            },
            "BatchNormalization" => {
                Op::Unknown("it is in training: call `model.eval()` before the export".into())
            }
            "ReduceSum" => reduce(Reduction::Sum),
            "ReduceMean" => reduce(Reduction::Mean),
            "ReduceMax" => reduce(Reduction::Max),
            "ReduceMin" => reduce(Reduction::Min),
            "GlobalAveragePool" => Op::Reduce {
                kind: Reduction::Mean,
                axes: Some(vec![2, 3]),
                keep: true,
            },
            "Softmax" if self.opset >= 13 => Op::Softmax { axis: axis(-1) },
            "Reshape" => Op::Reshape {
                zero_is_length: attributes.integer("allowzero", 0) != 0,
            },
            "Flatten" if axis(1) == 1 => Op::Flatten { start: 1, end: -1 },
            "Squeeze" => Op::Squeeze(axes()),
            "Unsqueeze" => Op::Unsqueeze(axes()),
            "Slice" if self.opset < 10 => {
                for name in ["starts", "ends", "axes"] {
                    let list = attributes
                        .integers(name)
                        .map(|list| Tensor::list(list.to_vec()));
                    let id = list.map(|list| {
                        self.builder
                            .unnamed()
                            .and_then(|id| self.builder.constant_of(id, list).map(|()| id))
                    });
                    inputs.push(id.transpose()?);
                }
                Op::Slice
            }
            "Split" => Op::Split {
                axis: axis(0),
                lengths: attributes.integers("split").map(<[i64]>::to_vec),
            },
            "ConstantOfShape" => {
                let value = attributes
                    .tensor("value")
                    .map(|value| tensor::read(value, "value", &Folder(None), self.builder.budget()))
                    .transpose()?;
                let element = value.as_ref().map_or(Element::F32, Tensor::element);
                Op::Fill(
                    value.and_then(|value| value.as_double()).unwrap_or(0.0),
                    element,
                )
            }
            "GatherND" if attributes.integer("batch_dims", 0) == 0 => Op::GatherNd,
            "Conv" if attributes.integer("group", 1) == 1 => {
                let kernel = self.kernel(inputs);
                windows(attributes.windows(kernel.as_deref()), Op::Conv2d)
            }
            "Conv" => Op::Unknown(
                "its channels are in groups: convolutions of the language read all channels".into(),
            ),
            "MaxPool" if attributes.integer("ceil_mode", 0) == 0 && self.node.output.len() == 1 => {
                windows(attributes.windows(None), Op::MaxPool2d)
            }
            "AveragePool" if attributes.integer("ceil_mode", 0) == 0 => {
                let counts_padding = attributes.integer("count_include_pad", 0) != 0;
                windows(
                    attributes
                        .windows(None)
                        .and_then(|windows| match windows.padding {
                            [0, 0] => Ok(windows),
                            _ if counts_padding => Ok(windows),
                            _ => Err(
                                "its means leave out the padding: pools of the language have none"
                                    .into(),
                            ),
                        }),
                    Op::AvgPool2d,
                )
            }
            other => Op::Unknown(nearest(other)),
        })
    }
}

fn windows(windows: Result<crate::op::Windows, String>, op: fn(crate::op::Windows) -> Op) -> Op {
    windows.map_or_else(Op::Unknown, op)
}

/// Operations with few attributes.
fn simple(name: &str, attributes: &Attributes<'_>) -> Option<Op> {
    let axis = |default| attributes.integer("axis", default);
    let unary = |unary| Some(Op::Unary(unary));
    let binary = |binary| Some(Op::Binary(binary));
    match name {
        "Identity" | "Dropout" => Some(Op::Identity),
        "Relu" => unary(Unary::Relu),
        "LeakyRelu" => unary(Unary::LeakyRelu(attributes.float("alpha", 0.01))),
        "Sigmoid" => unary(Unary::Sigmoid),
        "Tanh" => unary(Unary::Tanh),
        "HardSigmoid" => unary(Unary::HardSigmoid {
            slope: attributes.float("alpha", 0.2),
            shift: attributes.float("beta", 0.5),
        }),
        "HardSwish" => unary(Unary::HardSwish),
        "Abs" => unary(Unary::Abs),
        "Neg" => unary(Unary::Neg),
        "Sign" => unary(Unary::Sign),
        "Sqrt" => unary(Unary::Sqrt),
        "Exp" => unary(Unary::Exp),
        "Log" => unary(Unary::Log),
        "Reciprocal" => unary(Unary::Reciprocal),
        "Floor" => unary(Unary::Floor),
        "Ceil" => unary(Unary::Ceil),
        "Round" => unary(Unary::Round),
        "Not" => unary(Unary::Not),
        "Add" => binary(Binary::Add),
        "Sub" => binary(Binary::Sub),
        "Mul" => binary(Binary::Mul),
        "Div" => binary(Binary::Div),
        "Mod" if attributes.integer("fmod", 0) == 0 => binary(Binary::Mod),
        "Pow" => binary(Binary::Pow),
        "Equal" => binary(Binary::Equal),
        "Less" => binary(Binary::Less),
        "LessOrEqual" => binary(Binary::LessOrEqual),
        "Greater" => binary(Binary::Greater),
        "GreaterOrEqual" => binary(Binary::GreaterOrEqual),
        "And" => binary(Binary::And),
        "Or" => binary(Binary::Or),
        "Where" => Some(Op::Where),
        "MatMul" => Some(Op::MatMul),
        "Transpose" => Some(Op::Transpose(
            attributes.integers("perm").unwrap_or_default().to_vec(),
        )),
        "Tile" => Some(Op::Repeat),
        "Expand" => Some(Op::Expand),
        "Concat" => Some(Op::Concat { axis: axis(0) }),
        "Slice" if attributes.integers("starts").is_none() => Some(Op::Slice),
        "Gather" => Some(Op::Gather { axis: axis(0) }),
        "GatherElements" => Some(Op::GatherElements { axis: axis(0) }),
        "Shape" => Some(Op::Shape {
            start: attributes.integer("start", 0),
            end: attributes.integer("end", i64::MAX),
        }),
        "Range" => Some(Op::Range),
        _ => None,
    }
}

/// The decimal that an `f32` was made from: 1e-5, not 0.000009999999747.
fn shortest(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(f64::from(number))
}

/// Advice for an unsupported operation.
fn nearest(operation: &str) -> String {
    match operation {
        "Gelu" | "Erf" | "Elu" | "Selu" | "Celu" | "Mish" | "Softplus" | "Softsign" | "PRelu" => {
            "the language has no such activation; the nearest are `silu` and `hard_swish`".into()
        }
        "LayerNormalization" | "InstanceNormalization" | "GroupNormalization" | "LpNormalization" => {
            "the language has no such normalisation; `batch_norm` is folded into a layer".into()
        }
        "LSTM" | "GRU" | "RNN" | "Loop" | "Scan" | "If" => {
            "networks of the language have no loops and no branches".into()
        }
        "Attention" | "MultiHeadAttention" => "the language has no attention".into(),
        "ConvTranspose" => "the language has `conv2d`, which makes planes no larger".into(),
        "QLinearMatMul" | "QLinearConv" | "MatMulInteger" | "ConvInteger" | "DynamicQuantizeLinear" => {
            "operations of whole numbers are not read: export them as pairs of `QuantizeLinear` and `DequantizeLinear`, or import the graph in floats".into()
        }
        _ => "it is not read".into(),
    }
}
