//! Scales and shifts: what they bring into range, and where they come from.

use alloc::format;

use super::shape::LayerFacts;
use super::{MAX_ONE, own_activation};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::loc::Located;
use crate::model::{Activation, NetSpec};
use crate::quant::{BUFFER_MAX, product_shift};

/// Greatest scale of layer weights.
const MAX_SCALE: u64 = 1 << 15;
/// Greatest shift of a sum: one more and nothing but the sign is left.
const MAX_SUM_SHIFT: u64 = 31;
/// Greatest shift of a square of a sum.
const MAX_SQUARE_SHIFT: u64 = 62;

pub(super) fn check_scale(scale: Located<u64>, sink: &mut Sink) {
    if !(1..=MAX_SCALE).contains(&scale.value) {
        let message = format!("a weight scale is 1 to {MAX_SCALE}, not {}", scale.value);
        sink.push(Diagnostic::new(Code::LayerScale, scale.loc, message).help("the common scale is `i8 @ 64`"));
    }
}

/// Activated sums: a shift that is not written follows from the scale of the layer, which must be a power of two.
pub(super) fn check_sum_activation(
    function: Located<Activation>,
    shift: Option<Located<u64>>,
    layer: &LayerFacts,
    sink: &mut Sink,
) {
    if matches!(function.value, Activation::Screlu | Activation::HardSwish | Activation::Gated) {
        let message = format!("`{}` of a layer is read by layers of floats only", function.value.name());
        let help = "give the layer that reads it the type `f32`, or write `sqr_crelu`";
        sink.push(Diagnostic::new(Code::FloatLayers, function.loc, message).help(help));
        return;
    }
    if let Activation::Own(own) = function.value {
        return own_activation::check_bytes(own, shift, sink);
    }
    let scale = layer.scale;
    let (max, name) = match function.value {
        Activation::SqrCrelu => (MAX_SQUARE_SHIFT, "sqr_crelu"),
        _ => (MAX_SUM_SHIFT, "crelu"),
    };
    match shift {
        Some(shift) if shift.value > max => {
            let message = format!("`{name}` shifts by at most {max} bits, not by {}", shift.value);
            let help = format!("write `>> {max}` or less, or leave the shift out");
            sink.push(Diagnostic::new(Code::ShiftRange, shift.loc, message).help(help));
        }
        None if (1..=MAX_SCALE).contains(&scale.value) && !scale.value.is_power_of_two() => {
            let above = scale.value.next_power_of_two();
            let message = format!("no shift follows from scale {}, which is not a power of two", scale.value);
            let help = format!("write `@ {}` or `@ {above}`, or a shift behind the activation: `>> 6`", above / 2);
            sink.push(
                Diagnostic::new(Code::LayerScale, scale.loc, message)
                    .help(help)
                    .related(function.loc, format!("`{name}`")),
            );
        }
        _ => {}
    }
}

/// Activated accumulators must fit in the u8 inputs of a layer, of which only 0 to 127 are used.
pub(super) fn check_accumulator_activation(
    spec: &NetSpec,
    function: Located<Activation>,
    shift: Option<Located<u64>>,
    sink: &mut Sink,
) {
    let one = spec.accumulator.one;
    if !(1..=MAX_ONE).contains(&one.value) {
        return; // reported already
    }
    if let Activation::Own(own) = function.value {
        own_activation::check_bytes(own, shift, sink);
    } else if function.value == Activation::Screlu {
        let message = "`screlu` keeps squares whole, which only layers of 16-bit weights read";
        sink.push(
            Diagnostic::new(Code::ActivationRange, function.loc, message)
                .help("give the layer the type `i16`: `1: i16`, or write `sqr_crelu`, which keeps 7 bits")
                .related(one.loc, "the scale"),
        );
    } else if matches!(function.value, Activation::HardSwish | Activation::Gated) {
        let message = format!("`{}` is made of sums of a layer, not of accumulators", function.value.name());
        let help = "write `crelu`, or `pairwise`";
        sink.push(Diagnostic::new(Code::FloatLayers, function.loc, message).help(help));
    } else if function.value == Activation::Crelu {
        check_crelu(function, one, shift, sink);
    } else if let Some(shift) = shift {
        check_product(function, one, shift, sink);
    }
}

/// Activated accumulators that a layer of 16-bit weights reads as they are.
pub(super) fn check_direct_activation(
    spec: &NetSpec,
    function: Located<Activation>,
    shift: Option<Located<u64>>,
    sink: &mut Sink,
) {
    let name = function.value.name();
    match (function.value, shift) {
        (Activation::Crelu | Activation::Screlu, None) => {}
        (Activation::Own(own), _) => own_activation::refuse_direct(own, function.loc, sink),
        (Activation::Pairwise, None) => check_halves(spec.accumulator.width, function, sink),
        (Activation::Crelu | Activation::Screlu | Activation::Pairwise, Some(shift)) => {
            let message = format!("16-bit weights read `{name}` whole, found `>> {}`", shift.value);
            sink.push(Diagnostic::new(Code::MisplacedShift, shift.loc, message).help("remove the shift"));
        }
        (_, _) => {
            let message = format!("`{name}` with 16-bit weights is not supported yet");
            sink.push(
                Diagnostic::new(Code::UnsupportedWeightElement, function.loc, message)
                    .help("write `crelu`, `screlu` or `pairwise`, or weights of type `i8`"),
            );
        }
    }
}

/// The products of halves are read in whole blocks as well.
fn check_halves(width: Located<u64>, function: Located<Activation>, sink: &mut Sink) {
    if !width.value.is_multiple_of(32) || width.value.is_multiple_of(64) {
        return; // the former is reported already
    }
    let message =
        format!("16-bit weights read halves of {} neurons, {} is not a multiple of 32", width.value, width.value / 2);
    let help = match width.value - 32 {
        0 => "write 64 neurons".into(),
        below => format!("the nearest supported widths are {below} and {}", below + 64),
    };
    sink.push(
        Diagnostic::new(Code::AccumulatorWidth, width.loc, message)
            .help(help)
            .note("kernels read what 16-bit weights multiply in whole 64-byte blocks")
            .related(function.loc, "`pairwise`"),
    );
}

fn check_crelu(function: Located<Activation>, one: Located<u64>, shift: Option<Located<u64>>, sink: &mut Sink) {
    if let Some(shift) = shift {
        let message = format!("`crelu` of an accumulator has no shift, found `>> {}`", shift.value);
        sink.push(
            Diagnostic::new(Code::MisplacedShift, shift.loc, message)
                .help("remove the shift, or take a product: `sqr_crelu` or `pairwise`"),
        );
    }
    if one.value > BUFFER_MAX {
        let message = format!("`crelu` of an accumulator @ {} does not fit: layers read 0 to 127", one.value);
        sink.push(
            Diagnostic::new(Code::ActivationRange, function.loc, message)
                .help("write `@ 127`, or take a product, which is shifted: `sqr_crelu` or `pairwise`")
                .related(one.loc, "the scale"),
        );
    }
}

/// The shift of a product is large enough for u8 and leaves something.
fn check_product(function: Located<Activation>, one: Located<u64>, shift: Located<u64>, sink: &mut Sink) {
    let product = one.value.saturating_mul(one.value);
    let needed = u64::from(product_shift(one.value));
    let greatest = u32::try_from(shift.value).ok().and_then(|shift| product.checked_shr(shift)).unwrap_or(0);
    let name = function.value.name();
    if greatest > BUFFER_MAX {
        let message =
            format!("`{name}` reaches {0} * {0} >> {1} = {greatest}, layers read 0 to 127", one.value, shift.value);
        sink.push(
            Diagnostic::new(Code::ActivationRange, shift.loc, message)
                .help(format!("write `>> {needed}`, which also follows without a shift"))
                .related(one.loc, "the scale"),
        );
    } else if greatest == 0 || shift.value > 16 {
        let message = if greatest == 0 {
            format!("`{name}` is always 0: {0} * {0} >> {1} is", one.value, shift.value)
        } else {
            format!("`{name}` shifts by at most 16 bits, not by {}", shift.value)
        };
        let help = format!("write `>> {needed}`, or leave the shift out");
        sink.push(Diagnostic::new(Code::ShiftRange, shift.loc, message).help(help));
    }
}
