//! Factors of the output, the value, and the version of the file.

use alloc::format;

use crate::descriptor::{HeadKind, Unit, ValueDesc};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::graph::Graph;
use crate::model::{HeadSpec, NetSpec, RatioSpec, ValueForm};
use crate::quant::{DEFAULT_DIVIDE, DEFAULT_OUTPUT, DEFAULT_VERSION};

use crate::text::camel_case;

use super::{GENERATED_ITEMS, MAX_HEADS};

const MAX: u64 = i32::MAX as u64;

/// Greatest numbers of a factor with a fraction: their quotient is rounded once, and products fit in 64 bits.
const MAX_PARTS: u64 = 1 << 24;
const MAX_DENOMINATOR: u64 = 1_000_000;

/// Greatest divisor of an output.
const MAX_OVER: u64 = 1 << 40;

pub(super) fn check_ratios(spec: &NetSpec, sink: &mut Sink) {
    let of_value = spec
        .output
        .terms
        .iter()
        .filter_map(|term| term.ratio)
        .chain(spec.output.ratio);
    for ratio in of_value.chain(spec.heads.iter().filter_map(|head| head.ratio)) {
        check_ratio(ratio, sink);
    }
}

/// Every name must give a unique generated item.
pub(super) fn check_heads(spec: &NetSpec, sink: &mut Sink) {
    for (index, HeadSpec { name, .. }) in spec.heads.iter().enumerate() {
        let item = camel_case(&name.value);
        if let Some(first) = spec.heads[..index]
            .iter()
            .find(|first| camel_case(&first.name.value) == item)
        {
            let message = match first.name.value == name.value {
                true => format!("the output `{}` is written twice", name.value),
                false => format!(
                    "the outputs `{}` and `{}` have one type, `{item}`",
                    first.name.value, name.value
                ),
            };
            sink.push(
                Diagnostic::new(Code::DuplicateName, name.loc, message)
                    .help("choose another name for one of the two")
                    .related(first.name.loc, "first written"),
            );
        }
        if GENERATED_ITEMS.contains(&item.as_str()) {
            let message = format!("`{}{item}` is another generated item", spec.name.value);
            let help = format!(
                "choose another name for the output, for example `{}_head`",
                name.value
            );
            sink.push(Diagnostic::new(Code::ReservedName, name.loc, message).help(help));
        }
    }
    let mut rows = spec
        .heads
        .iter()
        .filter(|head| head.kind.value == HeadKind::Rows);
    if let (Some(first), Some(second)) = (rows.next(), rows.next()) {
        let message = "a network has one output of rows";
        let help = "let one layer have the rows of both, and add the number of the first to indices of the second";
        let diagnostic = Diagnostic::new(Code::OutputTerm, second.kind.loc, message).help(help);
        sink.push(diagnostic.related(first.kind.loc, "the first one"));
    }
    if let Some(HeadSpec { name, .. }) = spec.heads.get(MAX_HEADS) {
        let message = format!(
            "there are {} outputs beside the value, the limit is {MAX_HEADS}",
            spec.heads.len()
        );
        let help = "let one output have several numbers: `output parts = affine(x, 8);`";
        sink.push(Diagnostic::new(Code::OutputWidth, name.loc, message).help(help));
    }
}

/// A fraction in lowest terms.
pub(super) fn lowest(Unit { num, den }: Unit) -> Unit {
    let (mut a, mut b) = (num, den);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    let divisor = a.max(1);
    Unit {
        num: num / divisor,
        den: den / divisor,
    }
}

fn check_ratio(RatioSpec { num, den, .. }: RatioSpec, sink: &mut Sink) {
    if den.value == 0 {
        let message = match num.value {
            1 => "`/ 0` divides by zero".into(),
            num => format!("`* {num} / 0` divides by zero"),
        };
        let help = "write the scale to divide by, for example `* 9600 / 8128`";
        sink.push(Diagnostic::new(Code::RatioDenominator, den.loc, message).help(help));
    }
    if num.value == 0 {
        let message = "a term times 0 adds nothing";
        sink.push(
            Diagnostic::new(Code::RatioRange, num.loc, message)
                .help("remove the term, or write its factor"),
        );
    }
    for part in [num, den] {
        if part.value > MAX {
            let message = format!(
                "a factor is a fraction of numbers up to {MAX}, found {}",
                part.value
            );
            let help = "divide numerator and denominator by the same number";
            sink.push(Diagnostic::new(Code::RatioRange, part.loc, message).help(help));
        }
    }
}

pub(super) fn check_value(spec: &NetSpec, sink: &mut Sink) {
    let Some(value) = spec.value else { return };
    if spec.output.terms.is_empty() && spec.has_rows() {
        let message = "no output gives the value";
        let help = "remove the clause, or add `output value = affine(x, 1);`";
        sink.push(Diagnostic::new(Code::BadValue, value.number.loc, message).help(help));
    }
    if let Some(over) = value
        .over
        .filter(|over| !(1..=MAX_OVER).contains(&over.value))
    {
        let message = format!(
            "an output is divided by 1 to {MAX_OVER}, not by {}",
            over.value
        );
        let help = "write the scale of the output, for example `value output * 400 / 16777216;`";
        sink.push(Diagnostic::new(Code::BadValue, over.loc, message).help(help));
    }
    if value.form == ValueForm::Shifted {
        if value.number.value > 31 {
            let message = format!(
                "an output of 32 bits is shifted by up to 31, not by {}",
                value.number.value
            );
            let help = "write for example `value output >> 12;`";
            sink.push(Diagnostic::new(Code::BadValue, value.number.loc, message).help(help));
        }
        return;
    }
    let (num, den) = (value.number.value, value.den);
    if den > MAX_DENOMINATOR || (den > 1 && num > MAX_PARTS) {
        let message = format!(
            "a factor with a fraction has up to {MAX_PARTS} / {MAX_DENOMINATOR} parts, and this one is {num} / {den}"
        );
        let help = "write fewer digits, for example `value output * 192.5;`";
        sink.push(Diagnostic::new(Code::BadValue, value.number.loc, message).help(help));
    }
    if den > 1 && !matches!(value.form, ValueForm::Output) {
        let message = "only `value output * n` has a fraction";
        let help = "write a whole number, and let the program divide values";
        sink.push(Diagnostic::new(Code::BadValue, value.number.loc, message).help(help));
    }
    if (1..=MAX).contains(&num) {
        return;
    }
    let (message, help) = match value.form {
        ValueForm::Output | ValueForm::Shifted | ValueForm::Sigmoid | ValueForm::Wdl => (
            format!(
                "an output of 1.0 has a value of 1 to {MAX}, not {}",
                value.number.value
            ),
            format!("the trainer's examples have {DEFAULT_OUTPUT}"),
        ),
        ValueForm::Together | ValueForm::Separately => (
            format!(
                "a value is divided by 1 to {MAX}, not by {}",
                value.number.value
            ),
            format!("networks of the Stockfish family divide by {DEFAULT_DIVIDE}"),
        ),
    };
    sink.push(Diagnostic::new(Code::ValueDivisor, value.number.loc, message).help(help));
}

/// A layer that reads the accumulators directly must be the whole output.
pub(super) fn check_direct(spec: &NetSpec, graph: &Graph, sink: &mut Sink) {
    if !graph
        .layers()
        .any(|(_, layer)| layer.is_direct(&graph.nodes))
    {
        return;
    }
    if let Some(head) = spec.heads.first() {
        let message = "a layer of 16-bit weights is the only layer, and there is another output";
        let help = "give the layers the type `i8` or `f32`, which any number of outputs may have";
        sink.push(Diagnostic::new(Code::OutputTerm, head.name.loc, message).help(help));
        return;
    }
    let scaled = spec.output.ratio.is_some()
        || spec
            .output
            .terms
            .iter()
            .any(|term| term.ratio.is_some() || term.negative);
    if scaled || graph.layers().count() > 1 || spec.output.terms.len() > 1 {
        let message =
            "a layer of 16-bit weights is the only layer, and the output is nothing but it";
        sink.push(
            Diagnostic::new(Code::OutputTerm, spec.output.loc, message)
                .help("write `output affine(screlu(acc), 1: i16);` and its factor in `value output * 400;`"),
        );
    }
}

/// A value derived from output 1.0 has no PSQT part.
pub(super) fn check_parts(spec: &NetSpec, graph: &Graph, sink: &mut Sink) {
    let Some(psqt) = spec.accumulator.psqt else {
        return;
    };
    let of_output = matches!(
        graph.value,
        ValueDesc::Scaled { .. } | ValueDesc::Shifted { .. }
    );
    if graph.value.is_float() || of_output {
        let loc = spec.value.map_or(psqt.loc, |value| value.number.loc);
        let message = "the network has PSQT outputs, and its value leaves them out";
        let help = "leave out `psqt`, or write `value (psqt + positional) / 16;`";
        sink.push(
            Diagnostic::new(Code::BadValue, loc, message)
                .help(help)
                .related(psqt.loc, "the PSQT outputs"),
        );
    }
}

/// Number of output neurons of a float value.
const fn neurons(value: ValueDesc) -> u64 {
    if let ValueDesc::Wdl { .. } = value {
        3
    } else {
        1
    }
}

/// Float PSQT outputs are added to the output neurons, one each.
pub(super) fn check_psqt_floats(spec: &NetSpec, graph: &Graph, sink: &mut Sink) {
    let Some(floats) = spec.accumulator.psqt_floats else {
        return;
    };
    let neurons = neurons(graph.value);
    let (message, help) = if graph.terms.is_empty() {
        let message = "PSQT outputs are part of the value, and no output gives it";
        (
            message.into(),
            "leave `psqt` out, or add `output value = affine(x, 1: f32);`".into(),
        )
    } else if !graph.value.is_float() {
        let message =
            "PSQT outputs of floats are added to floats, and the output is a whole number";
        (
            message.into(),
            "let the last layer have the type `f32`, or leave `: f32` out".into(),
        )
    } else if floats.value != neurons {
        let message = format!(
            "a network has as many PSQT outputs of floats as its output has neurons: {neurons}, not {}",
            floats.value
        );
        (message, format!("write `psqt {neurons}: f32`"))
    } else {
        return;
    };
    let diagnostic = Diagnostic::new(Code::PsqtFloats, floats.loc, message).help(help);
    sink.push(diagnostic.note(
        "the active rows add one float to each neuron of the output, whatever its layer stack",
    ));
}

pub(super) fn check_words(spec: &NetSpec, sink: &mut Sink) {
    if let Some(version) = spec
        .format
        .version
        .filter(|version| u32::try_from(version.value).is_err())
    {
        let message = format!("version {:#X} has more than 32 bits", version.value);
        let help = format!("Stockfish's networks since SFNNv2 have {DEFAULT_VERSION:#010X}");
        sink.push(Diagnostic::new(Code::VersionRange, version.loc, message).help(help));
    }
    if let Some(features) = spec
        .format
        .features
        .filter(|features| u32::try_from(features.value).is_err())
    {
        let message = format!("hash {:#X} has more than 32 bits", features.value);
        let help = "leave `features` out for the hash that follows from the feature sets";
        sink.push(Diagnostic::new(Code::VersionRange, features.loc, message).help(help));
    }
}
