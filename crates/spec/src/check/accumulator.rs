//! Width, perspectives, scale, PSQT outputs and separate weights of the accumulator.

use alloc::format;

use super::bucket::most_stacks;
use super::{MAX_ONE, MAX_WIDTH};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::model::NetSpec;

pub(super) fn check_width(spec: &NetSpec, sink: &mut Sink) {
    let width = spec.accumulator.width;
    if width.value > MAX_WIDTH {
        let message = format!(
            "accumulator width {} is above the limit of {MAX_WIDTH}",
            width.value
        );
        sink.push(
            Diagnostic::new(Code::AccumulatorTooWide, width.loc, message)
                .help(format!("write {MAX_WIDTH} or less"))
                .note("accumulators are kept on the stack"),
        );
    } else if width.value == 0 || !width.value.is_multiple_of(32) {
        let below = width.value / 32 * 32;
        let help = match below {
            0 => "the smallest width is 32".into(),
            _ => format!(
                "train with {below} or {}, or pad the weights with neurons of zeros",
                below + 32
            ),
        };
        let message = format!("accumulator width {} is not a multiple of 32", width.value);
        sink.push(
            Diagnostic::new(Code::AccumulatorWidth, width.loc, message)
                .help(help)
                .note("kernels read the accumulator in whole 64-byte blocks"),
        );
    }
}

pub(super) fn check_perspectives(spec: &NetSpec, sink: &mut Sink) {
    let perspectives = spec.accumulator.perspectives;
    if !(1..=2).contains(&perspectives.value) {
        let width = spec.accumulator.width.value;
        let message = format!(
            "an accumulator has 1 or 2 perspectives, not {}",
            perspectives.value
        );
        sink.push(
            Diagnostic::new(Code::Perspectives, perspectives.loc, message).help(format!(
                "write `{width}x2` for both sides, or `{width}` for the side to move alone"
            )),
        );
    }
}

pub(super) fn check_scale(spec: &NetSpec, sink: &mut Sink) {
    let one = spec.accumulator.one;
    if one.value == 0 || one.value > MAX_ONE {
        let message = format!("an accumulator scale is 1 to {MAX_ONE}, not {}", one.value);
        sink.push(
            Diagnostic::new(Code::AccumulatorScale, one.loc, message)
                .help("common scales are `@ 127` and `@ 255`")
                .note("activations clip at the scale; greater ones do not fit the 16-bit products of the kernels"),
        );
    }
}

pub(super) fn check_psqt(spec: &NetSpec, sink: &mut Sink) {
    let Some(psqt) = spec.accumulator.psqt else {
        return;
    };
    let stacks = spec.stacks.count;
    let valid = (1..=most_stacks(spec)).contains(&stacks.value);
    if valid && psqt.value != stacks.value {
        let message = format!(
            "a network has as many PSQT outputs as layer stacks: {}, not {}",
            stacks.value, psqt.value
        );
        let help = match psqt.value {
            0 => "leave `psqt` out for a network without PSQT outputs".into(),
            psqt => format!("declare {psqt} layer stacks, or `psqt {}`", stacks.value),
        };
        sink.push(
            Diagnostic::new(Code::PsqtCount, psqt.loc, message)
                .help(help)
                .note("the PSQT output is chosen like the layer stack")
                .related(stacks.loc, "the number of stacks"),
        );
    }
    let perspectives = spec.accumulator.perspectives;
    if perspectives.value == 1 {
        let message = "PSQT outputs need 2 perspectives, the accumulator has 1";
        sink.push(
            Diagnostic::new(Code::PsqtPerspectives, psqt.loc, message)
                .help(format!(
                    "write `{}x2`, or leave `psqt` out",
                    spec.accumulator.width.value
                ))
                .note("the PSQT part is half the difference between the two sides")
                .related(perspectives.loc, "the number of perspectives"),
        );
    }
}

pub(super) fn check_psqt_floats(spec: &NetSpec, sink: &mut Sink) {
    let Some(floats) = spec.accumulator.psqt_floats else {
        return;
    };
    if spec.format.raw.is_none() {
        let message = "PSQT outputs of the Stockfish container are whole numbers";
        sink.push(
            Diagnostic::new(Code::PsqtFloats, floats.loc, message)
                .help("declare a header-less file: `{ format raw }`"),
        );
    }
}

pub(super) fn check_separate(spec: &NetSpec, sink: &mut Sink) {
    let Some(loc) = spec.accumulator.separate else {
        return;
    };
    let width = spec.accumulator.width.value;
    let refuse = |message: &str| Diagnostic::new(Code::SeparateWeights, loc, message);
    let perspectives = spec.accumulator.perspectives;
    if perspectives.value == 1 {
        sink.push(
            refuse("one perspective has no other from which its weights are separate")
                .help(format!("leave `separate` out, or write `{width}x2`"))
                .related(perspectives.loc, "the number of perspectives"),
        );
    }
    if let Some(psqt) = spec.accumulator.psqt {
        sink.push(
            refuse("PSQT outputs are the difference of perspectives that share their weights")
                .help("leave `separate` or `psqt` out")
                .related(psqt.loc, "the PSQT outputs"),
        );
    }
    if spec.format.raw.is_none() {
        sink.push(
            refuse("the Stockfish container has the weights of one perspective")
                .help("declare a header-less file: `{ format raw }`"),
        );
    }
}

pub(super) fn check_nonzero(spec: &NetSpec, sink: &mut Sink) {
    let Some(nonzero) = spec.accumulator.nonzero else {
        return;
    };
    if !(1..=100).contains(&nonzero.value) {
        let message = format!(
            "of 100 activated values 1 to 100 are not zero, not {}",
            nonzero.value
        );
        sink.push(
            Diagnostic::new(Code::Nonzero, nonzero.loc, message).help(
                "write what `nnue bench --plans` says of the network, or leave `nonzero` out",
            ),
        );
    }
}
