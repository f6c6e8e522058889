//! Prints the outputs of a network and the bytes of weights that they read.

use std::io::{self, Write};

use nnue_spec::{
    ElementType, HeadKind, HeadSource, LayerKind, NetDesc, TensorDesc, TensorRole, ValueDesc,
};

/// Typical number of moves in a middle game position.
const MOVES: usize = 30;

/// Prints the outputs and the bytes of weights that a position reads.
pub(super) fn write(spec: &NetDesc<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "\n{:<12} {:<28} {:<12} 1 of it is",
        "output", "numbers", "from"
    )?;
    if let Some(term) = spec.output.terms.first() {
        let numbers = if matches!(spec.value, ValueDesc::Wdl { .. }) {
            "loss, draw, win"
        } else {
            "1"
        };
        writeln!(
            out,
            "{:<12} {numbers:<28} {}",
            "value", spec.layers[term.layer].name
        )?;
    }
    for head in spec.heads {
        let numbers = match head.kind {
            HeadKind::Numbers => head.len.to_string(),
            HeadKind::Wdl => "loss, draw, win".to_owned(),
            HeadKind::Rows => format!("1 for each of {} rows", head.len),
        };
        let from = match head.source {
            HeadSource::Layer(layer) => spec.layers[layer].name,
            HeadSource::Buffer(buffer) => spec.buffers[buffer].name,
        };
        writeln!(
            out,
            "{:<12} {numbers:<28} {from:<12} {} / {}",
            head.name, head.unit.num, head.unit.den
        )?;
    }
    let read = Read::of(spec);
    let total = size(read.features + read.layers + read.rows);
    writeln!(
        out,
        "\na position from scratch reads at most {total} of weights:"
    )?;
    let perspectives = if spec.accumulator.perspectives == 2 {
        ", for two perspectives"
    } else {
        ""
    };
    writeln!(
        out,
        "  {:>10}  up to {} rows of features{perspectives}",
        size(read.features),
        read.active
    )?;
    writeln!(out, "  {:>10}  layers", size(read.layers))?;
    if read.rows > 0 {
        writeln!(
            out,
            "  {:>10}  {MOVES} of the rows of {}, for as many moves",
            size(read.rows),
            size(read.all_rows)
        )?;
    }
    Ok(())
}

/// Bytes of weights read for a position.
#[derive(Default)]
struct Read {
    /// greatest number of active rows of a perspective
    active: usize,
    /// bytes of these rows in all perspectives that are read
    features: usize,
    /// bytes of a layer stack, except rows on demand
    layers: usize,
    /// bytes of the rows for [`MOVES`] moves
    rows: usize,
    /// bytes of all rows on demand
    all_rows: usize,
}

impl Read {
    fn of(spec: &NetDesc<'_>) -> Self {
        let mut read = Self::default();
        let perspectives = if spec.accumulator.psqt > 0 {
            2
        } else {
            spec.accumulator.perspectives
        };
        for (set, feature) in spec.features.iter().enumerate() {
            read.active += feature.set.max_active();
            let psqt = TensorRole::psqt_of(set);
            // Floats are read for one perspective only.
            let times = |tensor: &TensorDesc<'_>| match tensor.element {
                ElementType::F32 => 1,
                _ => perspectives,
            };
            let of_row = |tensor: &TensorDesc<'_>| {
                let is_of_set =
                    tensor.role == spec.accumulator.weight_of(0, set) || tensor.role == psqt;
                if is_of_set {
                    times(tensor) * tensor.cols * tensor.element.bytes()
                } else {
                    0
                }
            };
            let row: usize = spec.tensors.iter().map(of_row).sum();
            read.features += feature.set.max_active() * row;
        }
        for tensor in spec.tensors {
            let (TensorRole::LayerWeight(layer) | TensorRole::LayerBias(layer)) = tensor.role
            else {
                continue;
            };
            let row = tensor.cols * tensor.element.bytes();
            let rows = tensor.rows * row;
            match (spec.layers[layer].kind, tensor.role) {
                (LayerKind::Rows, TensorRole::LayerWeight(_)) => {
                    read.rows += MOVES.min(tensor.rows) * row;
                    read.all_rows += rows;
                }
                (LayerKind::Rows, _) => {}
                _ => read.layers += rows,
            }
        }
        read
    }
}

/// `1.5 KB`, `61.3 MB`
fn size(bytes: usize) -> String {
    match bytes as f64 / 1024.0 {
        kib if kib < 10_000.0 => format!("{kib:.1} KB"),
        kib => format!("{:.1} MB", kib / 1024.0),
    }
}
