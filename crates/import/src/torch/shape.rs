//! Calls that rearrange elements, or create them from shapes.

use super::call::Call;
use super::json::{Argument, Number};
use crate::error::ImportError;
use crate::op::Op;
use crate::tensor::{Data, Element, Tensor};

/// Adds such a call, or an unsupported one.
pub(super) fn add(call: &mut Call<'_, '_>, name: &str) -> Result<(), ImportError> {
    match name {
        "view" | "reshape" | "_unsafe_view" => {
            let inputs =
                call.operands(&["self", if name == "reshape" { "shape" } else { "size" }])?;
            call.finish(
                Op::Reshape {
                    zero_is_length: true,
                },
                inputs,
            )
        }
        "flatten" => {
            let inputs = call.operands(&["self"])?;
            let (start, end) = (call.integer("start_dim", 0), call.integer("end_dim", -1));
            call.finish(Op::Flatten { start, end }, inputs)
        }
        "permute" | "t" | "numpy_T" => {
            let inputs = call.operands(&["self"])?;
            let order = call.integers("dims").unwrap_or_default();
            call.finish(Op::Transpose(order), inputs)
        }
        "transpose" => transpose(call),
        "squeeze" | "unsqueeze" => {
            let inputs = call.operands(&["self"])?;
            let axes = call.integers("dim");
            call.finish(
                if name == "squeeze" {
                    Op::Squeeze(axes)
                } else {
                    Op::Unsqueeze(axes)
                },
                inputs,
            )
        }
        "expand" => {
            let inputs = call.operands(&["self", "size"])?;
            call.finish(Op::Expand, inputs)
        }
        "repeat" => {
            let inputs = call.operands(&["self", "repeats"])?;
            call.finish(Op::Repeat, inputs)
        }
        "slice" | "narrow" => slice(call, name),
        "split" | "split_with_sizes" | "chunk" => split(call, name),
        "select" | "index_select" | "embedding" | "gather" | "index" => indexed(call, name),
        "sym_size" => {
            let inputs = call.operands(&["self"])?;
            let axis = call.integer("dim", 0);
            let end = if axis == -1 { i64::MAX } else { axis + 1 };
            let list = call.step(Op::Shape { start: axis, end }, inputs)?;
            call.finish(Op::Squeeze(Some(vec![0])), vec![Some(list)])
        }
        "sym_numel" => {
            let inputs = call.operands(&["self"])?;
            let whole = call.constant(Tensor::list(vec![-1]))?;
            let list = call.step(
                Op::Reshape {
                    zero_is_length: true,
                },
                vec![inputs[0], Some(whole)],
            )?;
            let length = call.step(Op::Shape { start: 0, end: 1 }, vec![Some(list)])?;
            call.finish(Op::Squeeze(Some(vec![0])), vec![Some(length)])
        }
        "arange" => {
            let mut inputs = call.operands(&["start", "end", "step"])?;
            for (input, default) in inputs.iter_mut().zip([0, 0, 1]) {
                if input.is_none() {
                    *input = Some(call.constant(Tensor::scalar(Data::I64(vec![default])))?);
                }
            }
            call.finish(Op::Range, inputs)
        }
        "full" | "zeros" | "ones" | "scalar_tensor" => filled(call, name),
        _ => {
            let why = nearest(name);
            call.unknown(why)
        }
    }
}

/// Swaps two axes.
fn transpose(call: &mut Call<'_, '_>) -> Result<(), ImportError> {
    let inputs = call.operands(&["self"])?;
    let rank = if let Argument::Tensor(name) = call.argument("self") {
        call.values
            .get(name)
            .and_then(|meta| meta.get("sizes"))
            .and_then(|sizes| sizes.as_array())
            .map(Vec::len)
    } else {
        None
    };
    let axes = ["dim0", "dim1"].map(|name| {
        let (axis, rank) = (call.integer(name, 0), rank.unwrap_or(0) as i64);
        usize::try_from(if axis < 0 { axis + rank } else { axis })
            .ok()
            .filter(|&axis| axis < rank as usize)
    });
    let (Some(rank), [Some(one), Some(other)]) = (rank, axes) else {
        return call.unknown("its axes are not known");
    };
    let mut order: Vec<i64> = (0..rank as i64).collect();
    order.swap(one, other);
    call.finish(Op::Transpose(order), inputs)
}

fn slice(call: &mut Call<'_, '_>, name: &str) -> Result<(), ImportError> {
    let axis = call.integer("dim", 0);
    let start = call.integer("start", 0);
    let (end, step) = match name {
        "narrow" => (start.saturating_add(call.integer("length", 0)), 1),
        _ => (call.integer("end", i64::MAX), call.integer("step", 1)),
    };
    if ["start", "end", "step", "length"]
        .iter()
        .any(|name| matches!(call.argument(name), Argument::Symbol(_)))
    {
        return call.unknown("its limits are computed: slices of the language have fixed ones");
    }
    let mut inputs = call.operands(&["self"])?;
    for number in [start, end, axis, step] {
        inputs.push(Some(call.constant(Tensor::list(vec![number]))?));
    }
    call.finish(Op::Slice, inputs)
}

fn split(call: &mut Call<'_, '_>, name: &str) -> Result<(), ImportError> {
    let axis = call.integer("dim", 0);
    let inputs = call.operands(&["self"])?;
    let lengths = match name {
        "split_with_sizes" => call.integers("split_sizes"),
        // The last part may be shorter, so lengths come from the results.
        _ => call
            .outputs()
            .iter()
            .map(|name| call.length(name, axis).map(|length| length as i64))
            .collect(),
    };
    match lengths {
        Some(lengths) => call.finish(
            Op::Split {
                axis,
                lengths: Some(lengths),
            },
            inputs,
        ),
        None => call
            .unknown("the lengths of its parts are open: slices of the language have fixed ones"),
    }
}

/// Selects elements by index.
fn indexed(call: &mut Call<'_, '_>, name: &str) -> Result<(), ImportError> {
    let axis = call.integer("dim", 0);
    match name {
        "embedding" => {
            let inputs = call.operands(&["weight", "indices"])?;
            call.finish(Op::Gather { axis: 0 }, inputs)
        }
        "gather" => {
            let inputs = call.operands(&["self", "index"])?;
            call.finish(Op::GatherElements { axis }, inputs)
        }
        "index" => {
            let Argument::Tensors(names) = call.argument("indices") else {
                return call.unknown("it has no indices");
            };
            let table = call.operands(&["self"])?[0];
            let Some(names) = names.into_iter().collect::<Option<Vec<_>>>() else {
                return call.unknown("its indices leave out axes");
            };
            let ids = names
                .into_iter()
                .map(|name| call.builder.value(name))
                .collect::<Result<Vec<_>, _>>()?;
            if let &[only] = ids.as_slice() {
                return call.finish(Op::Gather { axis: 0 }, vec![table, Some(only)]);
            }
            let mut columns = Vec::new();
            for id in ids {
                columns.push(Some(
                    call.step(Op::Unsqueeze(Some(vec![-1])), vec![Some(id)])?,
                ));
            }
            let lists = call.step(Op::Concat { axis: -1 }, columns)?;
            call.finish(Op::GatherNd, vec![table, Some(lists)])
        }
        _ => {
            let inputs = call.operands(&["self", "index"])?;
            call.finish(Op::Gather { axis }, inputs)
        }
    }
}

fn filled(call: &mut Call<'_, '_>, name: &str) -> Result<(), ImportError> {
    let number = match name {
        "zeros" => 0.0,
        "ones" => 1.0,
        "full" => call.float("fill_value", 0.0),
        _ => call.float("s", 0.0),
    };
    let element = call.element().unwrap_or(Element::F32);
    let size = match call.argument("size") {
        Argument::Integers(list) => call.operand(Argument::Integers(list))?,
        _ => call.operand(Argument::Integers(Vec::<Number<'_>>::new()))?,
    };
    call.finish(Op::Fill(number, element), vec![size])
}

/// Advice for an unsupported call.
fn nearest(name: &str) -> String {
    match name {
        "gelu" | "elu" | "selu" | "celu" | "mish" | "softplus" | "prelu" | "erf" => {
            "the language has no such activation; the nearest are `silu` and `hard_swish`".into()
        }
        "layer_norm" | "group_norm" | "instance_norm" | "native_layer_norm" => {
            "the language has no such normalisation; `batch_norm` is folded into a layer".into()
        }
        "lstm" | "gru" | "while_loop" | "cond" => "networks of the language have no loops and no branches".into(),
        "scaled_dot_product_attention" => "the language has no attention".into(),
        "quantize_per_tensor" | "dequantize_per_tensor" | "fake_quantize_per_tensor_affine" => {
            "of quantised graphs those of `torch.ao.quantization` are read (`quantized_decomposed`): or export the model in floats, and then use `nnue quantize`".into()
        }
        _ => "it is not read".into(),
    }
}
