//! Clauses of the value, the order of float sums, the file format, golden values.

use nnue_spec::graph::default_place;
use nnue_spec::{
    Axis, ElementType, Encoding, HELD, LayerKind, NetDesc, Padding, Part, Placed, RawDesc,
    RowRange, Section, StepDesc, TensorDesc, TensorRole, Unit, ValueDesc, hash, quant,
};

use super::Defaults;
use super::body::sums_unit;

pub(super) fn lines(net: &NetDesc<'_>, defaults: Defaults) -> Vec<String> {
    let format = match &net.raw {
        Some(raw) => Some(raw_format(net, raw, defaults)),
        None => container(net, defaults),
    };
    with_format(net, defaults, format)
}

/// The clauses with this file format.
pub(super) fn with_format(
    net: &NetDesc<'_>,
    defaults: Defaults,
    format: Option<String>,
) -> Vec<String> {
    let mut lines: Vec<String> = value(net, defaults).into_iter().collect();
    let is_fused = |step: &StepDesc| matches!(step, StepDesc::FloatSums { fused: true, .. });
    let layers = net
        .layers
        .iter()
        .any(|layer| matches!(layer.kind, LayerKind::Float { fused: true, .. }));
    if layers || net.steps.iter().any(is_fused) {
        lines.push("floats fused;".into());
    }
    lines.extend(format);
    if !net.has_custom_set() {
        lines.extend(goldens(net));
    }
    lines
}

/// The value, unless it is the default.
fn value(net: &NetDesc<'_>, defaults: Defaults) -> Option<String> {
    if net.output.terms.is_empty() {
        return None;
    }
    Some(match net.value {
        ValueDesc::Together { divide } if defaults.omit(divide, quant::DEFAULT_DIVIDE) => {
            return None;
        }
        ValueDesc::Together { divide } if net.accumulator.psqt == 0 => {
            format!("value positional / {divide};")
        }
        ValueDesc::Together { divide } => format!("value (psqt + positional) / {divide};"),
        ValueDesc::Separately { divide } => {
            format!("value psqt / {divide} + positional / {divide};")
        }
        ValueDesc::Scaled { num, den } if den != default_divisor(net) => {
            format!("value output * {num} / {den};")
        }
        ValueDesc::Scaled { num, .. } => format!("value output * {num};"),
        ValueDesc::Shifted { bits } => format!("value output >> {bits};"),
        ValueDesc::Float { scale } => format!("value output * {scale};"),
        ValueDesc::Sigmoid { scale } => format!("value sigmoid(output) * {scale};"),
        ValueDesc::Wdl { scale } => format!("value wdl * {scale};"),
    })
}

/// The divisor of an output that follows from the scales: what 1.0 is in its sum.
fn default_divisor(net: &NetDesc<'_>) -> i64 {
    let Some(last) = net.output.terms.first().map(|term| term.layer) else {
        return 0;
    };
    let layer = &net.layers[last];
    if layer.kind == LayerKind::Direct {
        return i64::from(net.accumulator.one) * i64::from(layer.scale);
    }
    let Unit { num, den } = sums_unit(net, last);
    (den / num).max(1) as i64
}

/// The Stockfish container, unless it is the default.
fn container(net: &NetDesc<'_>, defaults: Defaults) -> Option<String> {
    let (container, mut fields) = (net.container, Vec::new());
    if !defaults.omit(container.version, quant::DEFAULT_VERSION) {
        fields.push(format!("version: {:#010X}", container.version));
    }
    match container.encoding {
        Encoding::Raw if defaults == Defaults::Omitted => {}
        Encoding::Raw => fields.push("encoding: raw".into()),
        Encoding::Leb128 => fields.push("encoding: leb128".into()),
        Encoding::Leb128JointPsqt => fields.push("encoding: leb128_joint_psqt".into()),
        Encoding::Leb128Joint => fields.push("encoding: leb128_joint".into()),
    }
    let sets: Vec<u32> = net
        .features
        .iter()
        .map(|feature| feature.set.hash())
        .collect();
    let features =
        container.transformer_hash ^ (net.accumulator.width * net.accumulator.perspectives) as u32;
    if features != hash::features(&sets) {
        fields.push(format!("features: {features:#010X}"));
    }
    (!fields.is_empty()).then(|| format!("format stockfish {{ {} }}", fields.join(", ")))
}

/// A file format without header: its differences from the default.
fn raw_format(net: &NetDesc<'_>, raw: &RawDesc<'_>, defaults: Defaults) -> String {
    let mut fields = Vec::new();
    if let Some(skip) = raw.skip().filter(|skip| *skip > 0) {
        fields.push(format!("skip: {skip}"));
    }
    if raw.leb128 {
        fields.push("encoding: leb128".into());
    }
    if raw.padding != Padding::Any {
        fields.push(format!("padding: {}", raw.padding.name()));
    }
    if raw.interleaved {
        fields.push("perspectives: interleaved".into());
    }
    if raw.enemy_first {
        fields.push("rows: enemy_first".into());
    }
    let is_default = net
        .tensors
        .is_sorted_by_key(|tensor| default_place(tensor.role));
    match raw.skip() {
        Some(_) if defaults.omit(is_default, true) => {}
        Some(_) => {
            let names: Vec<&str> = net.tensors.iter().map(|tensor| tensor.name).collect();
            fields.push(format!("order: [{}]", names.join(", ")));
        }
        None => fields.push(format!("order: [{}]", sections(net, raw, raw.sections))),
    }
    fields.extend((0..net.tensors.len()).filter_map(|index| tensor(net, raw, index)));
    if fields.is_empty() {
        "format raw".into()
    } else {
        format!("format raw {{ {} }}", fields.join(", "))
    }
}

/// `"CBNF", skip 60, ft_weight, stacks [fc0_weight, fc0_bias]`
fn sections(net: &NetDesc<'_>, raw: &RawDesc<'_>, mut rest: &[Section<&[u8]>]) -> String {
    let mut texts = Vec::new();
    while let [section, after @ ..] = rest {
        rest = after;
        texts.push(match *section {
            Section::Skip(bytes) => format!("skip {bytes}"),
            Section::Align(to) => format!("align {to}"),
            Section::Constant(bytes) => constant(bytes),
            Section::Tensor(index) => net.tensors[index].name.into(),
            Section::Text => "text".into(),
            Section::Rows(rows) => rows_text(net, raw, &rows),
            Section::Stacks(count) | Section::Block(count) => {
                let (group, after) = rest.split_at(count);
                rest = after;
                let word = match section {
                    Section::Block(_) => "leb128",
                    _ => "stacks",
                };
                format!("{word} [{}]", sections(net, raw, group))
            }
        });
    }
    texts.join(", ")
}

/// `ft_weight[6144..] as i8`
fn rows_text(net: &NetDesc<'_>, raw: &RawDesc<'_>, part: &RowRange) -> String {
    let tensor = &net.tensors[part.tensor];
    let (first, end) = (part.first, part.first + part.count);
    let from = if first == 0 {
        String::new()
    } else {
        first.to_string()
    };
    let to = if end == tensor.rows {
        String::new()
    } else {
        end.to_string()
    };
    let element = match part.element == raw.element(net, part.tensor) {
        true => String::new(),
        false => format!(" as {}", part.element.name()),
    };
    format!("{}[{from}..{to}]{element}", tensor.name)
}

/// A text, or a number with its type.
fn constant(bytes: &[u8]) -> String {
    let number = bytes.iter().rev();
    let number = number.fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    let is_text = bytes.len() > 2 && bytes.iter().all(u8::is_ascii_graphic);
    match bytes.len() {
        1 | 2 | 4 | 8 if !is_text => format!("{number}u{}", 8 * bytes.len()),
        _ => format!("{:?}", String::from_utf8_lossy(bytes)),
    }
}

/// `fc0_bias: i16 @ 64`, `fc0_weight: [input][stack]`
fn tensor(net: &NetDesc<'_>, raw: &RawDesc<'_>, index: usize) -> Option<String> {
    let tensor = &in_file(net, raw, index);
    let layer = if let TensorRole::LayerBias(layer) = tensor.role {
        Some(layer)
    } else {
        None
    };
    let is_direct = layer.is_some_and(|layer| net.layers[layer].kind == LayerKind::Direct);
    let element = match raw.stored(index) {
        Some(stored) => stored.element.name(),
        None if is_direct && tensor.element == ElementType::I32 => tensor.element.name(),
        None => "",
    };
    let scale = match (raw.stored(index), layer) {
        (Some(stored), Some(_)) if tensor.element == ElementType::F32 => {
            format!(" @ {}", stored.over)
        }
        (Some(stored), Some(_)) if stored.over > 1 => {
            format!(" * {} / {}", stored.times, stored.over)
        }
        (Some(stored), Some(layer)) => {
            let Unit { num, den } = sums_unit(net, layer);
            let (unit, times) = (den / num.max(1), stored.times.max(1) as u64);
            match unit.is_multiple_of(times) {
                false if times.is_power_of_two() => format!(" << {}", times.ilog2()),
                _ => format!(" @ {}", unit / times),
            }
        }
        (Some(stored), None) if stored.times > 1 => format!(" << {}", stored.times.ilog2()),
        _ => String::new(),
    };
    let written = raw.axes[index];
    let axes = if written == HELD {
        String::new()
    } else if with_missing(&tensor.long_axes(written)) == written {
        tensor.axes_text(written)
    } else {
        let parts = written.iter().map(|part| tensor.part_text(*part));
        parts.map(|part| format!("[{part}]")).collect()
    };
    let axes = padded(net, tensor, axes);
    let text = format!("{element}{axes}{scale}");
    (!text.is_empty()).then(|| format!("{}: {text}", tensor.name))
}

/// A tensor as it stands in the file: in `stacks [..]` once for each stack, without that axis.
fn in_file<'a>(net: &NetDesc<'a>, raw: &RawDesc<'_>, index: usize) -> TensorDesc<'a> {
    let placed = raw.placed(net);
    let is_in_stacks =
        |placed: &Placed<'_>| placed.stack.is_some() && placed.section.tensor() == Some(index);
    let tensor = net.tensors[index];
    match placed.iter().any(is_in_stacks) {
        true => TensorDesc {
            copies: 1,
            ..tensor
        },
        false => tensor,
    }
}

/// The axes of rows that zeros fill up: `[stack][output][input to 32]`.
fn padded(net: &NetDesc<'_>, tensor: &TensorDesc<'_>, axes: String) -> String {
    let layer = match tensor.role {
        TensorRole::LayerWeight(layer) => &net.layers[layer],
        _ => return axes,
    };
    let is_packed = layer.kind == LayerKind::Binary; // columns of it are bytes of signs
    if is_packed || layer.file_inputs == layer.inputs {
        return axes;
    }
    let axes = match axes.is_empty() {
        true => tensor.axes_text(HELD),
        false => axes,
    };
    let filled = format!("[input to {}]", layer.file_inputs);
    axes.replace("[input]", &filled)
}

/// The axes of a declaration that leaves out those of length 1, which come first.
fn with_missing(written: &[Part]) -> Vec<Part> {
    let is_written = |axis: &Axis| written.iter().any(|part| part.axis == *axis);
    let missing = Axis::ALL.into_iter().filter(|axis| !is_written(axis));
    missing
        .map(Part::whole)
        .chain(written.iter().copied())
        .collect()
}

fn goldens(net: &NetDesc<'_>) -> Vec<String> {
    let value = net
        .goldens
        .iter()
        .map(|golden| format!("golden {:?} = {};", golden.fen, golden.value));
    let heads = net.head_goldens.iter().map(|golden| {
        let list = |texts: Vec<String>| format!("[{}]", texts.join(", "));
        let rows = match golden.rows {
            [] => String::new(),
            rows => list(rows.iter().map(ToString::to_string).collect()),
        };
        let numbers = list(golden.numbers.iter().map(ToString::to_string).collect());
        format!(
            "golden {:?} {}{rows} = {numbers};",
            golden.fen, net.heads[golden.head].name
        )
    });
    value.chain(heads).collect()
}
