//! Layers of 32-bit integers, and the values that they and elementwise expressions read.

use nnue_spec::layout::padded_sums;
use nnue_spec::{LayerDesc, MapOperand, MapSource, NetDesc, Segment, Source};
use proc_macro2::{Literal, TokenStream};

use super::literal::number;
use super::names::{buffer_name, layer_name, whole_buffer};
use super::operand::{emit_bytes, emit_sums, emit_values as emit_accumulators};

/// `len` values of an operand as 32-bit integers.
pub(super) fn emit_operand(net: &NetDesc<'_>, operand: &MapOperand, len: usize) -> TokenStream {
    let [start, len] = [operand.start, len].map(number);
    match operand.source {
        MapSource::Accumulator => {
            let values = emit_accumulators(net);
            mixed!(__rt::accumulators::<#len, _, _>(#values))
        }
        MapSource::Layer(layer) => {
            let sums = emit_sums(net, layer);
            mixed!(__rt::integers::<#start, #len>(#sums.values()))
        }
        MapSource::Buffer(buffer) => emit_values(net, buffer, &start, &len),
    }
}

/// Values of a buffer of bytes or integers as 32-bit integers.
fn emit_values(net: &NetDesc<'_>, buffer: usize, start: &Literal, len: &Literal) -> TokenStream {
    let name = buffer_name(net, buffer);
    match net.buffers[buffer].source {
        Source::Integers => mixed!(__rt::integers::<#start, #len>(#name.values())),
        _ => {
            let bytes = emit_bytes(net, buffer);
            mixed!(__rt::widened::<#start, #len>((#bytes).values()))
        }
    }
}

/// `IntegerRow<weight type, inputs, stacks, padded inputs>` or
/// `IntegerLayer<weight type, inputs, outputs, stacks, lines of outputs>`
pub(super) fn emit_layer_type(
    net: &NetDesc<'_>,
    layer: &LayerDesc<'_>,
    weight: &TokenStream,
    rt: &TokenStream,
) -> TokenStream {
    let [inputs, outputs, stacks] = [layer.inputs, layer.outputs, net.stacks.count].map(number);
    if layer.is_integer_row() {
        let padded = number(padded_sums(layer.inputs));
        return mixed!(#rt::IntegerRow<#weight, #inputs, #stacks, #padded>);
    }
    let lines = number(layer.padded_outputs() / 16);
    mixed!(#rt::IntegerLayer<#weight, #inputs, #outputs, #stacks, #lines>)
}

/// The sums of a layer of 32-bit integers.
pub(super) fn emit_affine(net: &NetDesc<'_>, layer: usize) -> TokenStream {
    let desc = &net.layers[layer];
    let (sums, x) = (layer_name(net, layer), emit_input(net, desc));
    let padded = number(desc.padded_outputs());
    let function = match desc.is_integer_row() {
        true => mixed!(row_integers),
        false => mixed!(affine_integers),
    };
    mixed!(let #sums: __rt::Sums<#padded> = __rt::#function(simd, #x, &params.#sums, stack);)
}

/// The input of a layer: a buffer, or a copy of parts of several buffers.
fn emit_input(net: &NetDesc<'_>, layer: &LayerDesc<'_>) -> TokenStream {
    let is_integers = |segment: &Segment| net.buffers[segment.buffer].source == Source::Integers;
    if let Some(name) = whole_buffer(net, layer).filter(|_| layer.segments.iter().all(is_integers))
    {
        return mixed!(&#name);
    }
    let parts = layer
        .segments
        .iter()
        .map(|&Segment { buffer, start, len }| {
            let [start, len] = [start, len].map(number);
            let values = emit_values(net, buffer, &start, &len);
            mixed!(&#values as &[::core::primitive::i32])
        });
    let padded = number(padded_sums(layer.inputs));
    mixed!(&__rt::integers_join::<#padded>(&[#(#parts),*]))
}
