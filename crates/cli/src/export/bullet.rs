//! Prints the `save_format` with which bullet writes exactly the declared file. The format is described in
//! `docs/bullet.md`.
//!
//! ```text
//!   a tensor of bullet        for each input, all outputs:         [input][stack][output]
//!   with `.transpose()`       for each output, all inputs:  [stack][output][input]
//!   any other order           a `.transform(..)` that puts each element into its place
//! ```

use std::io::{self, Write};

use nnue_format::{Padding, raw_size};
use nnue_spec::{
    Axes, Axis, ElementType, FeatureSetId, HELD, NetDesc, Part, RawDesc, Section, TensorDesc,
    TensorRole,
};
use nnue_tools::quantize::{QuantizeError, bullet_name};

use super::unit;
use crate::error::Error;

/// Rows of a factoriser: one per piece and square.
const FACTORISED: usize = 768;

pub(super) fn write(
    net: &NetDesc<'_>,
    factoriser: Option<&str>,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let Some(raw) = &net.raw else {
        return Err(Error::Argument(format!(
            "`{}` is a network in Stockfish's container, which bullet does not write: declare it with `format raw`",
            net.name
        )));
    };
    refuse_sections(net, raw)?;
    if net.accumulator.separate && factoriser.is_some() {
        return Err(Error::Argument(
            QuantizeError::SeparateFactorisers.to_string(),
        ));
    }
    let entries = net
        .tensors
        .iter()
        .zip(raw.axes)
        .map(|(tensor, &axes)| entry(net, tensor, axes, factoriser));
    let entries: Vec<(String, &TensorDesc<'_>)> = entries
        .zip(net.tensors)
        .map(|(e, t)| Ok((e?, t)))
        .collect::<Result<_, Error>>()?;
    writeln!(out, "// {}: {}", net.name, net.notation)?;
    writeln!(out, ".save_format(&[")?;
    for (index, section) in raw.sections.iter().enumerate() {
        match section {
            Section::Skip(bytes) => {
                let what = if index == 0 { "the header" } else { "bytes" };
                let custom = format!("SavedFormat::custom(vec![0u8; {bytes}])");
                writeln!(out, "    {custom}, // {what}, which nnue does not look at")?;
            }
            Section::Constant(bytes) => {
                let bytes = bytes.escape_ascii();
                writeln!(out, "    SavedFormat::custom(b\"{bytes}\".to_vec()),")?;
            }
            Section::Tensor(index) => {
                let ((entry, tensor), axes) = (&entries[*index], raw.axes[*index]);
                let axes = tensor.axes_text(axes);
                writeln!(out, "    {entry}, // {} {axes}", tensor.name)?;
            }
            _ => {}
        }
    }
    padding(net, raw, out)?;
    writeln!(out, "])")?;
    Ok(())
}

/// bullet writes whole tensors, one after the other.
fn refuse_sections(net: &NetDesc<'_>, raw: &RawDesc<'_>) -> Result<(), Error> {
    let what = raw.sections.iter().find_map(|section| match section {
        Section::Align(_) => Some("`align`"),
        Section::Stacks(_) => Some("`stacks [..]`"),
        Section::Rows(_) => Some("a tensor in parts"),
        Section::Block(_) => Some("`leb128 [..]`"),
        Section::Text => Some("a text of any length"),
        _ => None,
    });
    match what.or(raw.leb128.then_some("`encoding: leb128`")) {
        None => Ok(()),
        Some(what) => Err(Error::Argument(format!(
            "the file of `{}` has {what}, which bullet does not write: declare it without, and convert the file",
            net.name
        ))),
    }
}

/// One tensor: id, transforms, rounding, quantisation, transposition.
fn entry(
    net: &NetDesc<'_>,
    tensor: &TensorDesc<'_>,
    axes: Axes<'_>,
    factoriser: Option<&str>,
) -> Result<String, Error> {
    let mut text = format!("SavedFormat::id(\"{}\")", id(net, tensor)?);
    if let (Some(factoriser), TensorRole::TransformerWeight) = (factoriser, tensor.role) {
        text += &merge(net, factoriser)?;
    }
    let order = Order::of(tensor, axes);
    if order == Order::Other {
        text += &transform(tensor, axes);
    }
    text += &quantisation(net, tensor)?;
    if order == Order::Transposed {
        text += ".transpose()";
    }
    Ok(text)
}

/// The tensor's name in the trainer's examples.
fn id(net: &NetDesc<'_>, tensor: &TensorDesc<'_>) -> Result<String, Error> {
    match tensor.role {
        TensorRole::TransformerWeight
        | TensorRole::TransformerBias
        | TensorRole::SecondWeight
        | TensorRole::SecondBias
        | TensorRole::LayerWeight(_)
        | TensorRole::LayerBias(_) => Ok(bullet_name(tensor.role)),
        TensorRole::LayerScale(_) => Err(Error::Argument(format!(
            "`{}` has the tensor `{}`: bullet trains no binary layers",
            net.name, tensor.name
        ))),
        TensorRole::TransformerPsqt
        | TensorRole::ExtraWeight(_)
        | TensorRole::ExtraPsqt(_)
        | TensorRole::SecondExtraWeight(_) => Err(Error::Argument(format!(
            "`{}` has the tensor `{}`, which no input type of bullet has",
            net.name, tensor.name
        ))),
    }
}

/// Weights of a layer in the trainer: for each input, all outputs.
const BY_INPUT: Axes<'static> = &[
    Part::whole(Axis::Column),
    Part::whole(Axis::Copy),
    Part::whole(Axis::Row),
];

/// Weights of the feature transformer after `.transpose()`.
const BY_OUTPUT: Axes<'static> = &[
    Part::whole(Axis::Copy),
    Part::whole(Axis::Column),
    Part::whole(Axis::Row),
];

/// The order of a tensor in the file relative to the trainer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Same,
    Transposed,
    Other,
}

impl Order {
    fn of(tensor: &TensorDesc<'_>, axes: Axes<'_>) -> Self {
        let file = tensor.long_axes(axes);
        let is = |axes: Axes<'_>| tensor.long_axes(axes) == file;
        // feature transformer: rows are inputs, columns outputs; bias: columns are outputs
        let (plain, transposed) = match tensor.role {
            TensorRole::LayerWeight(_) => (BY_INPUT, HELD),
            TensorRole::LayerBias(_) => (HELD, HELD),
            _ => (HELD, BY_OUTPUT),
        };
        match () {
            () if is(plain) => Self::Same,
            () if is(transposed) => Self::Transposed,
            () => Self::Other,
        }
    }
}

/// A closure that puts the trainer's elements into the order of the file.
fn transform(tensor: &TensorDesc<'_>, axes: Axes<'_>) -> String {
    let name = |axis: Axis| axis.name(tensor.role);
    let trainer = match tensor.role {
        TensorRole::LayerWeight(_) => BY_INPUT,
        _ => HELD,
    };
    let mut index = String::new();
    for (depth, part) in tensor.long_axes(trainer).into_iter().enumerate() {
        let axis = part.axis;
        index = match depth {
            0 => name(axis).to_owned(),
            1 => format!("{index} * {} + {}", tensor.length(axis), name(axis)),
            _ => format!("({index}) * {} + {}", tensor.length(axis), name(axis)),
        };
    }
    let mut text =
        "\n        .transform(|_, weights| {\n            let mut file = Vec::with_capacity(weights.len());\n"
            .to_owned();
    let file = tensor.long_axes(axes);
    for (depth, &part) in file.iter().enumerate() {
        let indent = " ".repeat(12 + 4 * depth);
        text += &format!(
            "{indent}for {} in 0..{} {{\n",
            variable(tensor, part),
            tensor.part_length(part)
        );
    }
    let indent = " ".repeat(12 + 4 * file.len());
    for (name, digits) in in_parts(tensor, &file) {
        text += &format!("{indent}let {name} = {digits};\n");
    }
    text += &format!("{indent}file.push(weights[{index}]);\n");
    for depth in (0..file.len()).rev() {
        text += &format!("{}}}\n", " ".repeat(12 + 4 * depth));
    }
    text + "            file\n        })\n        "
}

/// The variable of a loop over an axis or a part of one: `input`, `input_div_4`, `input_mod_64`.
fn variable(tensor: &TensorDesc<'_>, part: Part) -> String {
    let mut name = part.axis.name(tensor.role).to_owned();
    if part.over > 1 {
        name += &format!("_div_{}", part.over);
    }
    if let Some(modulo) = part.modulo {
        name += &format!("_mod_{modulo}");
    }
    if part.reversed {
        name += "_down";
    }
    name
}

/// The index of each axis whose loops are over parts of it, or count down.
fn in_parts(tensor: &TensorDesc<'_>, file: &[Part]) -> Vec<(&'static str, String)> {
    let of_axis = |axis: Axis| {
        let parts: Vec<Part> = file
            .iter()
            .copied()
            .filter(|part| part.axis == axis && *part != Part::whole(axis))
            .collect();
        let digit = |part: &Part| {
            let variable = variable(tensor, *part);
            let digit = match part.reversed {
                true => format!("({} - {variable})", tensor.part_length(*part) - 1),
                false => variable,
            };
            match part.over {
                1 => digit,
                over => format!("{digit} * {over}"),
            }
        };
        let digits: Vec<String> = parts.iter().map(digit).collect();
        (!digits.is_empty()).then(|| (axis.name(tensor.role), digits.join(" + ")))
    };
    Axis::ALL.into_iter().filter_map(of_axis).collect()
}

/// `.round().quantise::<i16>(255)`; empty for floats.
fn quantisation(net: &NetDesc<'_>, tensor: &TensorDesc<'_>) -> Result<String, Error> {
    let Some(factor) = unit::of_tensor(net, tensor) else {
        return Ok(String::new());
    };
    let (element, factor) = (tensor.element, factor.round());
    // the trainer takes the factor of i8 as i16
    let greatest = if element == ElementType::I32 {
        i32::MAX.into()
    } else {
        f64::from(i16::MAX)
    };
    if factor > greatest {
        return Err(Error::Argument(format!(
            "`{}` of `{}` is quantised by {factor}, more than {} holds: declare it as i32 (`{}: i32`) or with smaller scales",
            tensor.name,
            net.name,
            element.name(),
            tensor.name
        )));
    }
    Ok(format!(".round().quantise::<{}>({factor})", element.name()))
}

/// A transform that adds the factoriser's rows to those of every king bucket.
fn merge(net: &NetDesc<'_>, id: &str) -> Result<String, Error> {
    let (rows, is_merged) = match net.features.first().map(|feature| feature.set) {
        Some(FeatureSetId::King(king)) => (king.rows(), king.is_merged()),
        Some(set) => (set.rows(), false),
        None => (0, false),
    };
    if is_merged || rows % FACTORISED != 0 {
        return Err(Error::Argument(format!(
            "a factoriser has {FACTORISED} rows, and the {rows} rows of `{}` are not copies of them: merge it as the trainer's inputs do",
            net.name
        )));
    }
    Ok(format!(
        "\n        .transform(|store, weights| {{\n            let factoriser = store.get({id:?}).values.repeat({});\n            \
         weights.into_iter().zip(factoriser).map(|(a, b)| a + b).collect()\n        }})\n        ",
        rows / FACTORISED
    ))
}

/// Prints the size of the file, and how to get the declared padding from the trainer.
fn padding(net: &NetDesc<'_>, raw: &RawDesc<'_>, out: &mut dyn Write) -> io::Result<()> {
    let size = |padding| raw_size(net, padding).unwrap_or_default();
    let (unpadded, padded) = (size(Padding::None), size(Padding::Text));
    match (padded - unpadded, raw.padding) {
        (0, _) => writeln!(
            out,
            "    // {unpadded} bytes, a multiple of 64: bullet adds nothing"
        ),
        (bytes, Padding::Text | Padding::Any) => {
            writeln!(
                out,
                "    // {padded} bytes with the {bytes} that bullet adds, `bulletbullet..`"
            )
        }
        (bytes, Padding::Zeros) => {
            writeln!(
                out,
                "    SavedFormat::custom(vec![0u8; {bytes}]), // up to {padded} bytes, so that bullet adds nothing"
            )
        }
        (bytes, Padding::None) => {
            writeln!(
                out,
                "    // {unpadded} bytes are declared; bullet adds {bytes}: cut them off (`truncate -s {unpadded}"
            )?;
            writeln!(out, "    // quantised.bin`), or declare `padding: bullet`")
        }
    }
}
