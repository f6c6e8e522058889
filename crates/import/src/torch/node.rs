//! Converts `aten` calls to operations of the import graph.

use serde_json::Value;

use super::call::Call;
use super::json::Argument;
use crate::error::ImportError;
use crate::op::{Binary, Op, Reduction, Steps, Unary};
use crate::order::Builder;
use crate::tensor::{Data, Tensor};

/// Adds a call of the file as one or more nodes of the graph.
pub(super) fn add(builder: &mut Builder, node: &Value, values: &Value) -> Result<(), ImportError> {
    let target = node
        .get("target")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let target = target.strip_prefix("torch.ops.").unwrap_or(target);
    let mut call = Call {
        builder,
        node,
        values,
        target,
    };
    let name = target.strip_prefix("aten.").unwrap_or(target);
    let (name, overload) = match name.split_once('.').unwrap_or((name, "")) {
        ("max", "other") => ("maximum", ""),
        ("min", "other") => ("minimum", ""),
        ("max", "dim") => ("amax", ""),
        ("min", "dim") => ("amin", ""),
        named => named,
    };
    if call.outputs().is_empty() || matches!(name, "_assert_tensor_metadata" | "_assert_scalar") {
        return Ok(()); // it checks something
    }
    if let Some(unary) = unary(name, &call) {
        let inputs = call.operands(&["self"])?;
        return call.finish(Op::Unary(unary), inputs);
    }
    if let Some(binary) = binary(name, &call) {
        return two(&mut call, binary, name);
    }
    match name {
        "clone" | "contiguous" | "detach" | "alias" | "lift_fresh_copy" | "dropout"
        | "_to_copy" | "to" | "type_as" => same(&mut call, name),
        "linear"
        | "addmm"
        | "mm"
        | "bmm"
        | "matmul"
        | "conv2d"
        | "convolution"
        | "batch_norm"
        | "_native_batch_norm_legit_no_training"
        | "max_pool2d"
        | "max_pool2d_with_indices"
        | "avg_pool2d"
        | "embedding_bag"
        | "_embedding_bag" => layer(&mut call, name, overload),
        "sum" | "mean" | "amax" | "amin" | "softmax" | "_softmax" | "adaptive_avg_pool2d" => {
            reduction(&mut call, name)
        }
        "where" => {
            let inputs = call.operands(&["condition", "self", "other"])?;
            call.finish(Op::Where, inputs)
        }
        "clamp" | "clamp_min" | "clamp_max" | "hardtanh" => clip(&mut call, name),
        "square" => {
            let x = call.operands(&["self"])?;
            call.finish(Op::Binary(Binary::Mul), vec![x[0], x[0]])
        }
        "cat" | "concat" => {
            let Argument::Tensors(names) = call.argument("tensors") else {
                return call.unknown("its inputs are no list");
            };
            let inputs = names
                .into_iter()
                .flatten()
                .map(|name| call.builder.value(name).map(Some))
                .collect::<Result<_, _>>()?;
            let axis = call.integer("dim", 0);
            call.finish(Op::Concat { axis }, inputs)
        }
        "quantized_decomposed" => quantized(&mut call, overload),
        _ => super::shape::add(&mut call, name),
    }
}

/// Quantised values, as PyTorch's quantiser exports them.
fn quantized(call: &mut Call<'_, '_>, overload: &str) -> Result<(), ImportError> {
    let steps = Steps {
        scale: call.float("scale", 0.0) as f32,
        zero: call.integer("zero_point", 0),
        low: call.integer("quant_min", 0),
        high: call.integer("quant_max", 0),
    };
    let op = match overload {
        "quantize_per_tensor.default" => Op::Quantize {
            steps,
            rounds: true,
        },
        "dequantize_per_tensor.default" => Op::Dequantize(steps),
        _ => {
            return call.unknown("values are rounded in steps of one scale: `quantize_per_tensor`");
        }
    };
    if !steps.are_some() {
        return call.unknown("its scale or its numbers are none");
    }
    let inputs = call.operands(&["input"])?;
    call.finish(op, inputs)
}

fn unary(name: &str, call: &Call<'_, '_>) -> Option<Unary> {
    Some(match name {
        "relu" => Unary::Relu,
        "relu6" => Unary::Relu6,
        "leaky_relu" => Unary::LeakyRelu(call.float("negative_slope", 0.01) as f32),
        "sigmoid" => Unary::Sigmoid,
        "tanh" => Unary::Tanh,
        "silu" => Unary::Silu,
        "hardswish" => Unary::HardSwish,
        "hardsigmoid" => Unary::HardSigmoid {
            slope: 1.0 / 6.0,
            shift: 0.5,
        },
        "abs" => Unary::Abs,
        "neg" => Unary::Neg,
        "sign" | "sgn" => Unary::Sign,
        "sqrt" => Unary::Sqrt,
        "exp" => Unary::Exp,
        "log" => Unary::Log,
        "reciprocal" => Unary::Reciprocal,
        "floor" => Unary::Floor,
        "ceil" => Unary::Ceil,
        "round" => Unary::Round,
        "logical_not" | "bitwise_not" => Unary::Not,
        _ => return None,
    })
}

fn binary(name: &str, call: &Call<'_, '_>) -> Option<Binary> {
    Some(match name {
        "add" => Binary::Add,
        "sub" | "rsub" => Binary::Sub,
        "mul" => Binary::Mul,
        "div" => match call.argument("rounding_mode") {
            Argument::Text("floor") => Binary::FloorDiv,
            Argument::Text("trunc") => Binary::Div,
            _ => Binary::TrueDiv,
        },
        "floor_divide" | "_operator.floordiv" | "floordiv" => Binary::FloorDiv,
        "remainder" | "mod" => Binary::Mod,
        "pow" => Binary::Pow,
        "minimum" => Binary::Min,
        "maximum" => Binary::Max,
        "eq" => Binary::Equal,
        "ne" => Binary::NotEqual,
        "lt" => Binary::Less,
        "le" => Binary::LessOrEqual,
        "gt" => Binary::Greater,
        "ge" => Binary::GreaterOrEqual,
        "logical_and" | "bitwise_and" => Binary::And,
        "logical_or" | "bitwise_or" => Binary::Or,
        _ => return None,
    })
}

/// A binary function; the second operand may have a factor.
fn two(call: &mut Call<'_, '_>, binary: Binary, name: &str) -> Result<(), ImportError> {
    let (first, second) = (call.positional(0), call.positional(1));
    let mut inputs = vec![call.operand(first)?, call.operand(second)?];
    let alpha = call.float("alpha", 1.0);
    if alpha != 1.0 {
        let factor = call.constant(Tensor::scalar(Data::F32(vec![alpha as f32])))?;
        inputs[1] = Some(call.step(Op::Binary(Binary::Mul), vec![inputs[1], Some(factor)])?);
    }
    if name == "rsub" {
        inputs.swap(0, 1);
    }
    call.finish(Op::Binary(binary), inputs)
}

/// A copy, or a conversion to another type.
fn same(call: &mut Call<'_, '_>, name: &str) -> Result<(), ImportError> {
    if name == "dropout" && call.bool("train", true) {
        return call.unknown("it is in training: call `model.eval()` before the export");
    }
    let first = call.positional(0);
    let inputs = vec![call.operand(first)?];
    match (name, call.element()) {
        ("_to_copy" | "to" | "type_as", Some(element)) => call.finish(Op::Cast(element), inputs),
        _ => call.finish(Op::Identity, inputs),
    }
}

/// Layers and pools.
fn layer(call: &mut Call<'_, '_>, name: &str, overload: &str) -> Result<(), ImportError> {
    match name {
        "linear" => {
            let inputs = call.operands(&["input", "weight", "bias"])?;
            call.finish(Op::Linear, inputs)
        }
        "addmm" if call.float("alpha", 1.0) == 1.0 && call.float("beta", 1.0) == 1.0 => {
            let inputs = call.operands(&["mat1", "mat2", "self"])?;
            let product = call.step(Op::MatMul, vec![inputs[0], inputs[1]])?;
            call.finish(Op::Binary(Binary::Add), vec![Some(product), inputs[2]])
        }
        "mm" | "bmm" | "matmul" => {
            let (first, second) = (call.positional(0), call.positional(1));
            let inputs = vec![call.operand(first)?, call.operand(second)?];
            call.finish(Op::MatMul, inputs)
        }
        "conv2d" | "convolution" => {
            let Argument::Tensor(weight) = call.argument("weight") else { return call.unknown("it has no weights") };
            let kernel = [2, 3].map(|axis| call.length(weight, axis).map(|length| length as i64));
            let kernel = kernel[0].zip(kernel[1]).map(|(rows, columns)| vec![rows, columns]);
            let plain = call.integer("groups", 1) == 1 && !call.bool("transposed", false) && overload != "padding";
            match call.windows(kernel, call.integers("stride")).filter(|_| plain) {
                Some(windows) => {
                    let inputs = call.operands(&["input", "weight", "bias"])?;
                    call.finish(Op::Conv2d(windows), inputs)
                }
                None => call.unknown(
                    "the language has `conv2d` with a padding in numbers, without groups, dilation or transposition",
                ),
            }
        }
        "batch_norm" | "_native_batch_norm_legit_no_training" if !call.bool("training", false) => {
            let inputs = call.operands(&["input", "weight", "bias", "running_mean", "running_var"])?;
            let eps = call.float("eps", 1e-5);
            call.finish_first(Op::BatchNorm { eps }, inputs)
        }
        "batch_norm" => call.unknown("it is in training: call `model.eval()` before the export"),
        "max_pool2d" | "max_pool2d_with_indices" | "avg_pool2d" => {
            let kernel = call.integers("kernel_size");
            let stride = call.integers("stride").filter(|stride| !stride.is_empty()).or_else(|| kernel.clone());
            let Some(windows) = call.windows(kernel, stride) else {
                return call.unknown("pools of the language have square windows, without dilation and `ceil_mode`");
            };
            let is_mean = name == "avg_pool2d";
            if is_mean && windows.padding != [0, 0] && !call.bool("count_include_pad", true) {
                return call.unknown("its means leave out the padding: pools of the language have none");
            }
            let inputs = call.operands(&["self"])?;
            call.finish_first(if is_mean { Op::AvgPool2d(windows) } else { Op::MaxPool2d(windows) }, inputs)
        }
        "embedding_bag" | "_embedding_bag"
            if call.integer("mode", 0) < 2 && !call.bool("include_last_offset", false) =>
        {
            let inputs = call.operands(&["weight", "indices", "offsets", "per_sample_weights"])?;
            let padding = Some(call.integer("padding_idx", -1)).filter(|&padding| padding >= 0);
            let mean = call.integer("mode", 0) == 1;
            call.finish_first(Op::EmbeddingBag { mean, padding }, inputs)
        }
        _ => call.unknown(
            "a product or a bag of this form is not read; export the layer as `torch.nn.Linear` or `EmbeddingBag`",
        ),
    }
}

fn reduction(call: &mut Call<'_, '_>, name: &str) -> Result<(), ImportError> {
    let inputs = call.operands(&["self"])?;
    let (axes, keep) = (
        call.integers("dim").filter(|axes| !axes.is_empty()),
        call.bool("keepdim", false),
    );
    let kind = match name {
        "softmax" | "_softmax" => {
            let axis = call.integer("dim", -1);
            return call.finish(Op::Softmax { axis }, inputs);
        }
        "adaptive_avg_pool2d" => {
            return match call.integers("output_size").as_deref() {
                Some([1, 1]) => {
                    call.finish(Op::Reduce { kind: Reduction::Mean, axes: Some(vec![-2, -1]), keep: true }, inputs)
                }
                _ => {
                    call.unknown("adaptive pools are read where they leave one value; write `avg_pool2d` with a kernel")
                }
            };
        }
        "sum" => Reduction::Sum,
        "mean" => Reduction::Mean,
        "amax" => Reduction::Max,
        _ => Reduction::Min,
    };
    // `max(dim)` also returns indices, which no operation of the language reads.
    call.finish_first(Op::Reduce { kind, axes, keep }, inputs)
}

fn clip(call: &mut Call<'_, '_>, name: &str) -> Result<(), ImportError> {
    let inputs = match name {
        "hardtanh" => {
            let limits = [("min_val", -1.0), ("max_val", 1.0)]
                .map(|(name, default)| call.float(name, default) as f32);
            let mut inputs = call.operands(&["self"])?;
            for limit in limits {
                inputs.push(Some(call.constant(Tensor::scalar(Data::F32(vec![limit])))?));
            }
            inputs
        }
        "clamp_max" => call.operands(&["self", "", "max"])?,
        _ => call.operands(&["self", "min", "max"])?,
    };
    call.finish(Op::Clip, inputs)
}
