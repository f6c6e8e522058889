//! Declared networks as ONNX models: in integers where the network is, so that every engine computes the same
//! values.
//!
//! ```text
//!   us   [n, 32]  rows of the side to move ──► Gather ──► ReduceSum ──► + bias ──► clamp, products, Div ──► MatMul ──► + bias ──► ..
//!   them [n, 32]  rows of the other side                                                                    pieces [n, 1] ──► stack
//!
//!   accumulators   rows and sums        steps   the forward pass        output   terms, PSQT, the value        qdq   8-bit layers as floats
//! ```
//!
//! Lists of rows are padded with the index of a row of zeros after all others. The arithmetic is that of
//! `docs/numerics.md` in 64-bit integers: shifts of non-negative numbers are divisions, and the graph wraps
//! where the declared network wraps. Layers of floats are the same products, but engines choose the order of
//! the additions. Networks over a dense input ([`dense`](fn@dense)) are entirely floats. The declaration is
//! stored in the metadata, so that a model can be imported again ([`exported`](fn@exported)).

mod accumulators;
mod activation;
mod clauses;
mod dense;
mod error;
mod exported;
mod form;
mod heads;
mod model;
mod output;
mod pairs;
mod pools;
mod positions;
mod qdq;
mod read;
mod signs;
mod steps;
mod weights;

use nnue_spec::{NetDesc, TensorRef};

use accumulators::accumulators;
pub use dense::dense;
pub use error::ExportError;
use error::refuse;
pub use exported::{Exported, exported};
pub use form::Form;
use model::{Kind, Value, Writer};
use output::value;
pub use positions::{Inputs, expected, expected_head};
use steps::Pass;
use weights::Network;

use nnue_tools::declaration::{Defaults, declaration};

use crate::declare::Clause;
use crate::onnx::proto::Entry;

/// An ONNX model (opset 17) of the network. Its output `value` is from the point of view of the first
/// perspective: 32-bit integers, or floats not yet truncated if the last layer is one of floats. Named
/// outputs follow as floats in units of 1.0: all rows of an output of rows, the probabilities of loss, draw
/// and win of a `wdl` output.
///
/// # Errors
///
/// [`ExportError`]: the network has a custom activation; for [`Form::Qdq`], no layer has 8-bit weights, or
/// sums exceed the exact range of floats.
///
/// # Panics
///
/// If `tensors` are not those of the descriptor.
pub fn onnx(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    form: Form,
) -> Result<Vec<u8>, ExportError> {
    let (writer, _) = written(net, tensors, form)?;
    let notes = format!("{}: {}", net.name, net.notation);
    let mut metadata = vec![Entry {
        key: exported::PROPERTY.into(),
        value: declaration(net, Defaults::Omitted),
    }];
    if form == Form::Qdq {
        metadata.push(Entry {
            key: exported::FORM.into(),
            value: exported::QDQ.into(),
        });
    }
    Ok(writer.finish(net.name, notes, metadata))
}

/// Names of the values in an exported graph, to compare them with the network, and the clause of each node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// the accumulators, in the order in which layers read them
    pub accumulators: Vec<String>,
    /// the sums of each layer, in the order of [`NetDesc::layers`]
    pub layers: Vec<String>,
    /// the values of each buffer, in the order of [`NetDesc::buffers`]; empty for a buffer without a value of
    /// its own
    pub buffers: Vec<String>,
    /// the clause of each node; layers are named after their tensors
    pub clauses: Vec<Clause>,
}

/// The names of values in the graph that [`onnx`] writes.
///
/// # Errors
///
/// As [`onnx`].
///
/// # Panics
///
/// As [`onnx`].
pub fn places(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    form: Form,
) -> Result<Places, ExportError> {
    written(net, tensors, form).map(|(writer, places)| Places {
        clauses: writer.clauses(),
        ..places
    })
}

fn written(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    form: Form,
) -> Result<(Writer, Places), ExportError> {
    let (network, inputs, mut writer) =
        (Network { net, tensors }, Inputs::of(net), Writer::default());
    let rows: Vec<Value> = inputs
        .rows
        .iter()
        .map(|name| writer.input(name, Kind::Int64, &[inputs.listed]))
        .collect();
    writer.clause = format!("stacks {}", net.stacks.count);
    let stack = stack(&mut writer, net, &inputs);
    writer.clause = "acc".into();
    let accumulators = accumulators(&mut writer, network, &rows);
    let mut pass = Pass::new(&mut writer, (network, form), accumulators, stack);
    if form == Form::Qdq && !(0..net.layers.len()).any(|layer| pass.multiplies_bytes(layer)) {
        return Err(refuse(
            net,
            "no layer of 8-bit weights".into(),
            "QDQ is for: write it without",
        ));
    }
    pass.run()?;
    let mut outputs = Vec::new();
    pass.writer.clause = "output".into();
    if !net.output.terms.is_empty() {
        let (value, kind) = value(&mut pass, &rows);
        outputs.push(("value", value, kind, 1));
    }
    for head in net.heads {
        pass.writer.clause = format!("output {}", head.name);
        outputs.push((head.name, pass.head(head), Kind::Float, head.len));
    }
    let Pass {
        accumulators,
        buffers,
        sums,
        floats,
        ..
    } = pass;
    // Integer sums are kept even if they become floats.
    let layers = sums
        .into_iter()
        .zip(floats)
        .map(|(whole, floats)| if floats.is_empty() { whole } else { floats });
    let places = Places {
        accumulators,
        layers: layers.collect(),
        buffers,
        clauses: Vec::new(),
    };
    for (name, value, kind, len) in outputs {
        writer.clause = if name == "value" {
            "output".into()
        } else {
            format!("output {name}")
        };
        let name = writer.free_name(name);
        writer.output(&name, &value, kind, &[len]);
    }
    Ok((writer, places))
}

/// The stack as one-hot, `[n, stacks]`; nothing if there is one stack.
fn stack(writer: &mut Writer, net: &NetDesc<'_>, inputs: &Inputs) -> Option<Value> {
    let name = inputs.stack?;
    let mut chosen = writer.input(name, Kind::Int64, &[1]);
    if net.stacks.selector.is_by_pieces() {
        let table: Vec<i64> = (0..=32)
            .map(|pieces| net.stacks.select(pieces) as i64)
            .collect();
        let table = writer.list(&table);
        chosen = writer.with("Gather", &[&table, &chosen], &[("axis", 0)]);
    }
    let all = writer.list(&(0..net.stacks.count as i64).collect::<Vec<_>>());
    let equal = writer.node("Equal", &[&chosen, &all]);
    Some(writer.cast(&equal, Kind::Int64))
}
