//! The steps and layers of 16-bit values.

use nnue_spec::layout::padded_sums;
use nnue_spec::op::Shift;
use nnue_spec::{AccumulatorDesc, Activation, LayerDesc, NetDesc, Segment, Unit};
use proc_macro2::{Span, TokenStream};
use quote::format_ident;

use super::float::emit_unit;
use super::literal::number;
use super::names::{buffer_name, layer_name};
use super::operand::{emit_values, kernel};

/// Accumulators as 16-bit values.
pub(super) fn emit_activate(
    net: &NetDesc<'_>,
    (activation, shift): (Activation, u32),
    buffer: usize,
) -> TokenStream {
    let (name, values) = (buffer_name(net, buffer), emit_values(net));
    let AccumulatorDesc {
        width,
        perspectives,
        one,
        ..
    } = net.accumulator;
    let sizes = constants![
        WIDTH: usize = width,
        PERSPECTIVES: usize = perspectives,
        LEN: usize = net.buffers[buffer].len,
        ONE: i16 = one,
    ];
    let formula = activation
        .operation()
        .and_then(|operation| operation.words());
    let is_product = formula.is_some_and(|formula| matches!(formula.shift, Shift::Product));
    // Squares without a shift use the kernel of `sqr_crelu` with shift 0.
    let squares = activation == Activation::Screlu;
    let function = match activation {
        Activation::Screlu => format_ident!("words_sqr_crelu", span = Span::mixed_site()),
        _ => kernel(net, "words_", activation),
    };
    let constants = match is_product || squares {
        true => sizes.and(constants![SHIFT: u32 = shift]),
        false => sizes,
    };
    let names = constants.names();
    mixed! {
        let mut #name = __rt::Words::zeroed();
        {
            #constants
            __rt::#function::<__Simd, #names>(simd, #values, &mut #name);
        }
    }
}

pub(super) fn emit_affine(net: &NetDesc<'_>, layer: usize) -> TokenStream {
    let desc = &net.layers[layer];
    let (sums, x) = (layer_name(net, layer), emit_input(net, desc));
    let padded = number(padded_sums(desc.outputs));
    mixed!(let #sums: __rt::Sums<#padded> = __rt::affine_words(simd, #x, &params.#sums, stack);)
}

/// The input of a layer: a buffer, or a copy of parts of several buffers.
fn emit_input(net: &NetDesc<'_>, layer: &LayerDesc<'_>) -> TokenStream {
    if let [Segment { buffer, len, .. }] = *layer.segments
        && len == net.buffers[buffer].len
    {
        let name = buffer_name(net, buffer);
        return mixed!(&#name);
    }
    let parts = layer
        .segments
        .iter()
        .map(|&Segment { buffer, start, len }| {
            let (name, [start, end]) = (buffer_name(net, buffer), [start, start + len].map(number));
            mixed!(&#name.values()[#start..#end])
        });
    let inputs = number(layer.inputs);
    mixed!(&__rt::words_join::<#inputs>(&[#(#parts),*]))
}

/// The rows listed by the caller, of a layer of 16-bit values.
pub(super) fn emit_rows(net: &NetDesc<'_>, layer: usize, unit: Unit) -> TokenStream {
    let (name, unit) = (layer_name(net, layer), emit_unit(unit));
    let x = emit_input(net, &net.layers[layer]);
    mixed!(__rt::rows_of_words::<__Simd, _, _, _, _>(simd, #x, &params.#name, stack, rows, #unit);)
}
