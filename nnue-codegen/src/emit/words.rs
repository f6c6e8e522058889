//! The steps and layers of 16-bit values.

use nnue_spec::layout::padded_sums;
use nnue_spec::op::Shift;
use nnue_spec::{AccumulatorDesc, Activation, NetDesc, Unit};
use proc_macro2::{Literal, Span, TokenStream};
use quote::format_ident;

use super::descriptor::number;
use super::float::emit_unit;
use super::names::{buffer_name, layer_name};
use super::operand::{emit_values, kernel};

/// Accumulators as values of 16 bits.
pub(super) fn emit_activate(net: &NetDesc<'_>, (activation, shift): (Activation, u32), buffer: usize) -> TokenStream {
    let (name, values) = (buffer_name(net, buffer), emit_values(net));
    let AccumulatorDesc { width, perspectives, one, .. } = net.accumulator;
    let [width, perspectives, len] = [width, perspectives, net.buffers[buffer].len].map(number);
    let formula = activation.operation().and_then(|operation| operation.words());
    let is_product = formula.is_some_and(|formula| matches!(formula.shift, Shift::Product));
    // Squares that are not shifted are those of `sqr_crelu >> 0`.
    let squares = activation == Activation::Screlu;
    let function = match activation {
        Activation::Screlu => format_ident!("words_sqr_crelu", span = Span::mixed_site()),
        _ => kernel(net, "words_", activation),
    };
    let (one, shift) = (Literal::i32_unsuffixed(one), Literal::u32_unsuffixed(shift));
    let shift = (is_product || squares).then(|| mixed!(, #shift)).into_iter();
    mixed! {
        let mut #name = __rt::Words::zeroed();
        __rt::#function::<__Simd, #width, #perspectives, #len, #one #(#shift)*>(simd, #values, &mut #name);
    }
}

/// The sums of a layer of 16-bit values.
pub(super) fn emit_affine(net: &NetDesc<'_>, layer: usize) -> TokenStream {
    let desc = &net.layers[layer];
    let (sums, x) = (layer_name(net, layer), buffer_name(net, desc.segments[0].buffer));
    let padded = number(padded_sums(desc.outputs));
    mixed!(let #sums = __rt::affine_words::<__Simd, _, _, _, _, _, #padded>(simd, &#x, &params.#sums, stack);)
}

/// The rows that the caller lists, of a layer of 16-bit values.
pub(super) fn emit_rows(net: &NetDesc<'_>, layer: usize, unit: Unit) -> TokenStream {
    let (name, unit) = (layer_name(net, layer), emit_unit(unit));
    let x = buffer_name(net, net.layers[layer].segments[0].buffer);
    mixed!(__rt::rows_of_words::<__Simd, _, _, _, _>(simd, &#x, &params.#name, stack, rows, #unit);)
}
