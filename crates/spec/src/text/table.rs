//! The table of a network: the display of a plan, also in the rustdoc of a generated type.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::descriptor::*;
use crate::plan::Plan;

/// One row: name, shape, element types, scale, bytes of parameters, bytes of output.
type Row = [String; 6];

const HEADER: [&str; 6] = [
    "layer",
    "shape",
    "weights",
    "scale",
    "parameters",
    "buffers",
];

/// The network as text: its chain, a Markdown table of its layers, and the constants of its file.
///
/// Parameter bytes cover all stacks, as in a raw file; buffer bytes cover one evaluation.
pub fn table(net: &NetDesc<'_>) -> String {
    let rows: Vec<Row> = core::iter::once(transformer_row(net))
        .chain(layer_rows(net))
        .collect();
    let header = HEADER.map(ToString::to_string);
    let widths: [usize; 6] = core::array::from_fn(|column| {
        core::iter::once(&header)
            .chain(&rows)
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or(0)
    });
    let mut text = format!("`{}`\n\n", net.notation);
    text += &line(&header, widths);
    text += &line(&widths.map(|width| "-".repeat(width)), widths);
    for row in &rows {
        text += &line(row, widths);
    }
    text += "\n";
    text += &summary(net);
    text
}

fn line(cells: &[String; 6], widths: [usize; 6]) -> String {
    let cells = cells
        .iter()
        .zip(widths)
        .map(|(cell, width)| format!("{cell:<width$}"));
    format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
}

fn transformer_row(net: &NetDesc<'_>) -> Row {
    let AccumulatorDesc {
        width,
        perspectives,
        psqt,
        one,
        separate,
        ..
    } = net.accumulator;
    let rows: usize = net.features.iter().map(|feature| feature.rows).sum();
    let elements: Vec<_> = net
        .features
        .iter()
        .map(|feature| feature.element.name())
        .collect();
    let made: usize = net.buffers.iter().map(accumulator_bytes).sum();
    let accumulators = (2 * net.accumulator.neurons() + 4 * psqt) * perspectives.max(1);
    let is_ours = |role: TensorRole| !role.is_of_layer();
    [
        "`ft`".to_string(),
        match net.accumulator.psqt_columns() {
            None if separate => format!("{rows} -> 2 x {width}"),
            None => format!("{rows} -> {width}"),
            Some((columns, _)) if separate => format!("{rows} -> 2 x {width} + {columns}"),
            Some((columns, _)) => format!("{rows} -> {width} + {columns}"),
        },
        elements.join(", "),
        one.to_string(),
        parameter_bytes(net, is_ours).to_string(),
        (accumulators + made).to_string(),
    ]
}

/// Bytes of a buffer of activated accumulators.
fn accumulator_bytes(buffer: &BufferDesc<'_>) -> usize {
    match buffer.source {
        Source::Accumulator => crate::layout::padded_bytes(buffer.len),
        Source::Words => 2 * buffer.len,
        _ => 0,
    }
}

/// Totals of a layer: bytes of its parameters, bytes of the buffers made of its sums, and the type of its
/// weights.
#[derive(Clone, Copy, Default)]
struct OfLayer {
    parameters: usize,
    made: usize,
    element: Option<ElementType>,
}

fn layer_rows(net: &NetDesc<'_>) -> Vec<Row> {
    let mut all = vec![OfLayer::default(); net.layers.len()];
    for tensor in net.tensors {
        if let TensorRole::LayerBias(layer)
        | TensorRole::LayerWeight(layer)
        | TensorRole::LayerScale(layer) = tensor.role
        {
            all[layer].parameters += tensor.len() * tensor.element.bytes();
            if tensor.role == TensorRole::LayerWeight(layer) {
                all[layer].element = Some(tensor.element);
            }
        }
    }
    for (buffer, origin) in net.origins().into_iter().enumerate() {
        if let Source::Layer(layer) = origin {
            all[layer].made += net.buffer_bytes(buffer);
        }
    }
    let rows = all.into_iter().enumerate();
    rows.map(|(index, of)| layer_row(net, index, of)).collect()
}

fn layer_row(net: &NetDesc<'_>, index: usize, of: OfLayer) -> Row {
    let layer = &net.layers[index];
    let single = matches!(layer.kind, LayerKind::Row | LayerKind::Direct);
    let sums = match layer.kind {
        LayerKind::Rows => 0,
        _ if single => 4,
        _ => 4 * layer.padded_outputs(),
    };
    let stacks = if net.stacks.count == 1 {
        String::new()
    } else {
        format!(" x{}", net.stacks.count)
    };
    let weights = match layer.kind {
        LayerKind::Binary => "signs",
        _ => of.element.map_or("", ElementType::name),
    };
    [
        format!("`{}`", layer.name),
        format!("{} -> {}{stacks}", layer.inputs, layer.outputs),
        weights.to_string(),
        layer.scale.to_string(),
        of.parameters.to_string(),
        (sums + of.made).to_string(),
    ]
}

fn parameter_bytes(net: &NetDesc<'_>, wanted: impl Fn(TensorRole) -> bool) -> usize {
    net.tensors
        .iter()
        .filter(|tensor| wanted(tensor.role))
        .map(|tensor| tensor.len() * tensor.element.bytes())
        .sum()
}

fn summary(net: &NetDesc<'_>) -> String {
    let stacks = match net.stacks.selector {
        Selector::Single => "one layer stack".to_string(),
        Selector::PieceCount { minus, divide } => {
            format!(
                "{} layer stacks, by `{}`",
                net.stacks.count,
                super::selector(minus as u64, divide as u64)
            )
        }
        Selector::Table(_) => format!(
            "{} layer stacks, by a table of piece counts",
            net.stacks.count
        ),
        Selector::Rows(rule) => format!(
            "{} layer stacks, by `{}`",
            net.stacks.count,
            rule.text(net.custom.groups)
        ),
        Selector::Custom => format!(
            "{} layer stacks, by a function of the program",
            net.stacks.count
        ),
    };
    if let Some(raw) = &net.raw {
        let size = match raw.size(net) {
            Some(size) => format!("{size} bytes"),
            None => String::from("LEB128"),
        };
        return format!(
            "{stacks}; {} bytes of parameters. File: raw, {size}, padding `{}`.\n",
            net.parameter_bytes(),
            raw.padding.name(),
        );
    }
    let ContainerDesc {
        version,
        transformer_hash,
        stack_hash,
        ..
    } = net.container;
    format!(
        "{stacks}; {} bytes of parameters. File: version `{version:#010X}`, hash `{:#010X}` (feature transformer \
         `{transformer_hash:#010X}`, stack `{stack_hash:#010X}`).\n",
        net.parameter_bytes(),
        net.container.network_hash(),
    )
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&table(&self.tables().descriptor()))
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use crate::testing::*;

    #[test]
    fn the_table_of_sfnn_v5() {
        let expected = "\
`HalfKAv2_hm[22528] -> 1024x2 pairwise, psqt 8 -> (15+1 sqr_crelu|crelu -> 32 -> 1)x8`

| layer | shape             | weights | scale | parameters | buffers |
| ----- | ----------------- | ------- | ----- | ---------- | ------- |
| `ft`  | 22528 -> 1024 + 8 | i16     | 127   | 46860288   | 5184    |
| `fc0` | 1024 -> 16 x8     | i8      | 64    | 131584     | 192     |
| `fc1` | 30 -> 32 x8       | i8      | 64    | 9216       | 192     |
| `fc2` | 32 -> 1 x8        | i8      | 64    | 288        | 4       |

8 layer stacks, by `(piece_count - 1) / 4`; 47001376 bytes of parameters. File: version `0x7AF32F20`, hash \
`0x1C102EF2` (feature transformer `0x7F2344B8`, stack `0x63336A4A`).
";
        assert_eq!(planned(&sfnn_v5(1024)).to_string(), expected);
    }
}
