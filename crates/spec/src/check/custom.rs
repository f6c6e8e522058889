//! Activations that are functions of the program: their ranges are declared.

use alloc::format;

use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::loc::{Loc, Located};
use crate::model::CustomFunction;
use crate::quant::BUFFER_MAX;

/// As inputs of layers of 8-bit weights: bytes up to a maximum.
pub(super) fn check_bytes(
    custom: &CustomFunction,
    shift: Option<Located<u64>>,
    sink: &mut Sink,
) -> Option<u32> {
    if let Some(shift) = shift {
        let message = format!(
            "`{}` is a function of your own, found `>> {}`",
            custom.path, shift.value
        );
        let help = "shift in the function: its result is what the layer reads";
        sink.push(Diagnostic::new(Code::MisplacedShift, shift.loc, message).help(help));
    }
    if let Some(max) = custom
        .max
        .filter(|max| !(1..=BUFFER_MAX).contains(&max.value))
    {
        let message = format!(
            "layers read 0 to {BUFFER_MAX}, the maximum of `{}` is {}",
            custom.path, max.value
        );
        let help = format!(
            "write the greatest result of the function, up to {BUFFER_MAX}, or leave it out: results above count as {BUFFER_MAX}"
        );
        sink.push(Diagnostic::new(Code::ActivationRange, max.loc, message).help(help));
    }
    Some(0)
}

/// As inputs of float layers, they have no bounds.
pub(super) fn check_floats(custom: &CustomFunction, sink: &mut Sink) -> Option<u32> {
    if let Some(max) = custom.max {
        let message = format!(
            "`{}` gives floats, which have no maximum, found `max {}`",
            custom.path, max.value
        );
        let help = format!(
            "remove it, and write the function with its path, for example `self::{}`",
            custom.name()
        );
        sink.push(Diagnostic::new(Code::CustomActivation, max.loc, message).help(help));
    }
    Some(0)
}

/// Refused for layers of 16-bit weights, whose kernels include the activation.
pub(super) fn refuse_direct(custom: &CustomFunction, loc: Loc, sink: &mut Sink) -> Option<u32> {
    let message = format!(
        "`{}` is a function of your own, which 16-bit weights do not read",
        custom.path
    );
    sink.push(
        Diagnostic::new(Code::CustomActivation, loc, message)
            .help("write `crelu` or `screlu`, or weights of the type `i8` or `f32`")
            .note("their products and the activation are one kernel, whose exactness follows from both"),
    );
    None
}
