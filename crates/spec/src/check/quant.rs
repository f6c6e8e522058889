//! Scales and shifts: valid ranges and defaults.

use alloc::format;
use alloc::string::String;

use super::facts::LayerFacts;
use super::{MAX_FACTOR, MAX_ONE, custom};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::loc::{Loc, Located};
use crate::model::{Function, NetSpec};
use crate::op::{Formula, Shift};
use crate::quant::{BUFFER_MAX, product_shift};

/// Greatest scale of layer weights.
const MAX_SCALE: u64 = 1 << 15;

pub(super) fn check_scale(scale: Located<u64>, sink: &mut Sink) {
    if !(1..=MAX_SCALE).contains(&scale.value) {
        let message = format!("a weight scale is 1 to {MAX_SCALE}, not {}", scale.value);
        sink.push(
            Diagnostic::new(Code::LayerScale, scale.loc, message)
                .help("the common scale is `i8 @ 64`"),
        );
    }
}

/// The shift of activated sums for layers of 8-bit weights: as written, or derived from the scale of the
/// layer. `None` if it is refused.
pub(super) fn of_sums(
    function: &Located<Function>,
    shift: Option<Located<u64>>,
    layer: &LayerFacts,
    sink: &mut Sink,
) -> Option<u32> {
    let activation = match &function.value {
        Function::Custom(custom) => return custom::check_bytes(custom, shift, sink),
        Function::Known(activation) => activation,
    };
    let name = function.value.name();
    let Some(Shift::Sum { default, most }) = activation
        .operation()
        .and_then(|operation| operation.sums)
        .map(|formula| formula.shift)
    else {
        let message = format!("`{name}` of a layer is read by layers of floats only");
        let help =
            "give the layer that reads it the type `f32`, or train with `crelu` or `sqr_crelu`";
        sink.push(Diagnostic::new(Code::FloatLayers, function.loc, message).help(help));
        return None;
    };
    let scale = layer.scale;
    match shift {
        Some(shift) if shift.value > most => {
            let message = format!(
                "`{name}` shifts by at most {most} bits, not by {}",
                shift.value
            );
            let help = format!("shift by {most} bits or fewer, or leave the shift out");
            sink.push(Diagnostic::new(Code::ShiftRange, shift.loc, message).help(help));
            None
        }
        Some(shift) => Some(shift.value as u32),
        None if layer.reads_words => {
            let message = format!("no shift of `{name}` follows from what is kept in 16 bits");
            let help =
                format!("write the shift of the engine after the activation: `{name}(..) >> 14`");
            sink.push(Diagnostic::new(Code::SixteenBits, function.loc, message).help(help));
            None
        }
        None if scale.value.is_power_of_two() => Some(default(scale.value)),
        None if (1..=MAX_SCALE).contains(&scale.value) => {
            let above = scale.value.next_power_of_two();
            let message = format!(
                "no shift follows from scale {}, which is not a power of two",
                scale.value
            );
            let help = format!(
                "write the shift of the engine after the activation, `>> 6`, or train with `@ {}` or `@ {above}`",
                above / 2
            );
            sink.push(
                Diagnostic::new(Code::LayerScale, scale.loc, message)
                    .help(help)
                    .related(function.loc, format!("`{name}`")),
            );
            None
        }
        None => None, // reported already
    }
}

/// The shift of activated accumulators for layers of 8-bit weights, which read values 0 to 127.
pub(super) fn of_accumulators(
    spec: &NetSpec,
    function: &Located<Function>,
    shift: Option<Located<u64>>,
    sink: &mut Sink,
) -> Option<u32> {
    let one = spec.accumulator.one;
    if !(1..=MAX_ONE).contains(&one.value) {
        return None; // reported already
    }
    let operation = match &function.value {
        Function::Custom(custom) => return custom::check_bytes(custom, shift, sink),
        Function::Known(activation) => activation.operation()?,
    };
    check_factor(function, operation.accumulators, one, sink)?;
    match operation.accumulators {
        Some(Formula {
            shift: Shift::Clipped,
            ..
        }) if shift.is_some() => check_clipped(operation.name, one, shift?, sink),
        Some(Formula {
            shift: Shift::Product,
            ..
        }) => match shift {
            None => Some(product_shift(one.value)),
            Some(shift) => check_product(operation.name, one, shift, sink),
        },
        Some(formula) => check_unshifted(function, &formula, one, shift, sink),
        None if operation.whole.is_some() => {
            let message = format!(
                "`{}` keeps squares whole, which layers of 8-bit weights do not read",
                operation.name
            );
            sink.push(
                Diagnostic::new(Code::ActivationRange, function.loc, message)
                    .help("give the layer the type `i16` if it is the output, or `f32`; or train with `sqr_crelu`, which keeps 7 bits")
                    .related(one.loc, "the scale"),
            );
            None
        }
        None => {
            let message = format!(
                "`{}` is made of sums of a layer, not of accumulators",
                operation.name
            );
            let name = operation.name;
            let help = format!(
                "write `crelu`, which clips at one, `pairwise`, or a function of your own, `self::{name}`"
            );
            sink.push(Diagnostic::new(Code::FloatLayers, function.loc, message).help(help));
            None
        }
    }
}

/// Activated accumulators as exact values, for layers of 16-bit weights.
pub(super) fn whole(
    spec: &NetSpec,
    function: &Located<Function>,
    shift: Option<Located<u64>>,
    sink: &mut Sink,
) -> Option<u32> {
    let operation = match &function.value {
        Function::Custom(custom) => return custom::refuse_direct(custom, function.loc, sink),
        Function::Known(activation) => activation.operation()?,
    };
    let name = operation.name;
    check_factor(function, operation.whole, spec.accumulator.one, sink)?;
    match (operation.whole, shift) {
        (Some(_), None) => {
            if operation.pairs.is_some() {
                check_halves(spec.accumulator.width, function.loc, sink);
            }
            return Some(0);
        }
        (Some(_), Some(shift)) => {
            let message = format!(
                "16-bit weights read `{name}` whole, found `>> {}`",
                shift.value
            );
            sink.push(
                Diagnostic::new(Code::MisplacedShift, shift.loc, message).help("remove the shift"),
            );
        }
        (None, _) => {
            let message = format!("`{name}` with 16-bit weights is not supported yet");
            sink.push(
                Diagnostic::new(Code::UnsupportedWeightElement, function.loc, message)
                    .help("weights of type `i16` read `crelu`, `screlu` and `pairwise`; those of type `i8` read it"),
            );
        }
    }
    None
}

/// Products of halves are read in whole blocks too.
fn check_halves(width: Located<u64>, function: Loc, sink: &mut Sink) {
    if !width.value.is_multiple_of(32) || width.value.is_multiple_of(64) {
        return; // the former is reported already
    }
    let message = format!(
        "16-bit weights read halves of {} neurons, {} is not a multiple of 32",
        width.value,
        width.value / 2
    );
    let help = match width.value - 32 {
        0 => "write 64 neurons".into(),
        below => format!(
            "the nearest supported widths are {below} and {}",
            below + 64
        ),
    };
    sink.push(
        Diagnostic::new(Code::AccumulatorWidth, width.loc, message)
            .help(help)
            .note("kernels read what 16-bit weights multiply in whole 64-byte blocks")
            .related(function, "`pairwise`"),
    );
}

/// Values without a shift must fit at the scale of the accumulator.
fn check_unshifted(
    function: &Located<Function>,
    formula: &Formula,
    one: Located<u64>,
    shift: Option<Located<u64>>,
    sink: &mut Sink,
) -> Option<u32> {
    let name = function.value.name();
    if let Some(shift) = shift {
        let message = format!(
            "`{name}` of an accumulator has no shift, found `>> {}`",
            shift.value
        );
        sink.push(
            Diagnostic::new(Code::MisplacedShift, shift.loc, message)
                .help("remove the shift, or take a product: `sqr_crelu` or `pairwise`"),
        );
    }
    if let Some(only) = formula.only_one.filter(|only| *only != one.value) {
        let message = format!(
            "`{name}` is defined for accumulators @ {only}, found `@ {}`",
            one.value
        );
        sink.push(
            Diagnostic::new(Code::ActivationRange, function.loc, message)
                .help(format!(
                    "train with `@ {only}`, or with `sqr_crelu` or `pairwise`, which take any scale"
                ))
                .related(one.loc, "the scale"),
        );
        return None;
    }
    if (formula.greatest)(one.value as i64, 0) > BUFFER_MAX as i64 {
        let message = format!(
            "`{name}` of an accumulator @ {} does not fit: layers read 0 to 127",
            one.value
        );
        let direct = if function.value.pool().is_some() {
            ""
        } else {
            "`i16` if it is the output, or "
        };
        let needed = (0..16).find(|&bits| one.value >> bits <= BUFFER_MAX);
        let shifted = match (formula.shift, needed) {
            (Shift::Clipped, Some(bits)) => format!("shift it, `{name} >> {bits}`; "),
            _ => String::new(),
        };
        let help = format!(
            "{shifted}give the layer the type {direct}`f32`; or train with `@ 127`, or with `sqr_crelu` or `pairwise`, which are shifted"
        );
        sink.push(
            Diagnostic::new(Code::ActivationRange, function.loc, message)
                .help(help)
                .related(one.loc, "the scale"),
        );
        return None;
    }
    Some(0)
}

/// Products of accumulators take smaller scales than other activations.
pub(super) fn check_factor(
    function: &Located<Function>,
    formula: Option<Formula>,
    one: Located<u64>,
    sink: &mut Sink,
) -> Option<()> {
    let is_product = formula.is_some_and(|formula| formula.degree == Some(2));
    if !is_product || one.value <= MAX_FACTOR {
        return Some(());
    }
    let message = format!(
        "`{}` takes accumulators with a scale of 1 to {MAX_FACTOR}, not {}",
        function.value.name(),
        one.value
    );
    sink.push(
        Diagnostic::new(Code::AccumulatorScale, one.loc, message)
            .help("common scales are `@ 127` and `@ 255`")
            .note("greater ones do not fit the 16-bit products of the kernels")
            .related(function.loc, "the product"),
    );
    None
}

/// The shift of a clipped accumulator must leave values up to 127, and not only zeros.
fn check_clipped(
    name: &str,
    one: Located<u64>,
    shift: Located<u64>,
    sink: &mut Sink,
) -> Option<u32> {
    let greatest = |bits: u64| one.value.checked_shr(bits as u32).unwrap_or(0);
    let needed = (0..16)
        .find(|&bits| greatest(bits) <= BUFFER_MAX)
        .unwrap_or(0);
    let (code, message) = match greatest(shift.value.min(64)) {
        0 => (
            Code::ShiftRange,
            format!(
                "`{name}` is always 0: its greatest value is {} >> {}",
                one.value, shift.value
            ),
        ),
        greatest if greatest > BUFFER_MAX => (
            Code::ActivationRange,
            format!(
                "`{name}` reaches {} >> {} = {greatest}, layers read 0 to 127",
                one.value, shift.value
            ),
        ),
        _ => return Some(shift.value as u32),
    };
    sink.push(
        Diagnostic::new(code, shift.loc, message)
            .help(format!("`>> {needed}` is the smallest shift that fits"))
            .related(one.loc, "the scale"),
    );
    None
}

fn smallest(shift: u64) -> String {
    format!("`>> {shift}` is the smallest shift that fits; it is taken where none is written")
}

/// The shift of a product must be large enough for u8 and leave some bits.
fn check_product(
    name: &str,
    one: Located<u64>,
    shift: Located<u64>,
    sink: &mut Sink,
) -> Option<u32> {
    let product = one.value.saturating_mul(one.value);
    let needed = u64::from(product_shift(one.value));
    let greatest = u32::try_from(shift.value)
        .ok()
        .and_then(|shift| product.checked_shr(shift))
        .unwrap_or(0);
    let diagnostic = if greatest > BUFFER_MAX {
        let message = format!(
            "`{name}` reaches {0} * {0} >> {1} = {greatest}, layers read 0 to 127",
            one.value, shift.value
        );
        Diagnostic::new(Code::ActivationRange, shift.loc, message)
            .help(smallest(needed))
            .related(one.loc, "the scale")
    } else if greatest == 0 || shift.value > 16 {
        let message = if shift.value > 16 {
            format!("`{name}` shifts by at most 16 bits, not by {}", shift.value)
        } else {
            format!(
                "`{name}` is always 0: its greatest value is {0} * {0} >> {1}",
                one.value, shift.value
            )
        };
        Diagnostic::new(Code::ShiftRange, shift.loc, message).help(smallest(needed))
    } else {
        return Some(shift.value as u32);
    };
    sink.push(diagnostic);
    None
}
