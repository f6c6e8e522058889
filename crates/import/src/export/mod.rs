//! Declared networks as models of ONNX that any engine evaluates: in whole numbers where the network is, so that every engine gives the same.
//!
//! ```text
//!   us   [n, 32]  rows of the side to move ──► Gather ──► ReduceSum ──► + bias ──► clamp, products, Div ──► MatMul ──► + bias ──► ..
//!   them [n, 32]  rows of the other side                                                                    pieces [n, 1] ──► stack
//!
//!   accumulators   rows and sums        steps   the forward pass        output   terms, PSQT, the value        qdq   8-bit layers as floats
//! ```
//!
//! Lists of rows are filled up with the number of a row of zeros, which stands after all others. The arithmetic is that of `docs/numerics.md`, in whole
//! numbers of 64 bits: shifts of numbers that are not negative are divisions, and what wraps in the declared network wraps in the graph. Layers
//! of floats are the same products, which engines add in orders of their own. Networks over a dense input ([`dense`](fn@dense)) are floats as a whole.
//! The declaration stands in the metadata of a model, so that it can be imported again ([`exported`](fn@exported)).

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

use nnue_spec::{NetDesc, Selector, TensorRef};

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

use crate::declare::{Clause, described};
use crate::onnx::proto::Entry;

/// The bytes of a model of ONNX (opset 17) that gives the value of positions: `value`, whole numbers of 32 bits from the point of view of the first
/// perspective, or floats, not cut off yet, where the last layer is one of floats. Outputs with names of their own follow it: floats, in units of 1.0; all
/// rows of one of rows; the probabilities of a loss, a draw and a win.
///
/// # Errors
///
/// [`ExportError`]: an activation is a function of the program; for [`Form::Qdq`], there is no layer of 8-bit weights, or its sums are greater than
/// floats hold exactly.
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
        value: described(net),
    }];
    if form == Form::Qdq {
        metadata.push(Entry {
            key: exported::FORM.into(),
            value: exported::QDQ.into(),
        });
    }
    Ok(writer.finish(net.name, notes, metadata))
}

/// Which values of a written graph are the accumulators, the sums of layers and the values of buffers of its network, to compare them; what its nodes are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// the names of the accumulators, in the order in which layers read them
    pub accumulators: Vec<String>,
    /// the names of the sums of each layer, as in [`NetDesc::layers`]
    pub layers: Vec<String>,
    /// the names of the values of each buffer, as in [`NetDesc::buffers`]; empty where it has none of its own
    pub buffers: Vec<String>,
    /// what each node is in the declaration, where layers have the names of their tensors
    pub clauses: Vec<Clause>,
}

/// The places in the graph that [`onnx`] writes.
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

/// The graph of a network.
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
    // Sums before they are floats are kept as well.
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

/// 1 at the number of the stack and 0 elsewhere, `[n, stacks]`; nothing where there is one stack.
fn stack(writer: &mut Writer, net: &NetDesc<'_>, inputs: &Inputs) -> Option<Value> {
    let name = inputs.stack?;
    let mut chosen = writer.input(name, Kind::Int64, &[1]);
    if net.stacks.selector != Selector::Custom {
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
