//! The steps and types of binary layers.

use nnue_spec::layout::sign_words;
use nnue_spec::{ElementType, LayerDesc, NetDesc, Segment, SignOf};
use proc_macro2::TokenStream;

use super::literal::number;
use super::names::{buffer_name, layer_name, whole_buffer};
use super::operand::{emit_sums, emit_values};

/// `BinaryLayer<bytes of a row, outputs, stacks, words of inputs, padded outputs>`
pub(super) fn emit_layer_type(
    net: &NetDesc<'_>,
    layer: &LayerDesc<'_>,
    bias: ElementType,
    rt: &TokenStream,
) -> TokenStream {
    let sizes = [
        layer.file_inputs,
        layer.outputs,
        net.stacks.count,
        sign_words(layer.inputs),
        layer.padded_outputs(),
    ];
    let [bytes, outputs, stacks, words, padded] = sizes.map(number);
    let bias = (bias == ElementType::F32).then(|| mixed!(, f32));
    mixed!(#rt::BinaryLayer<#bytes, #outputs, #stacks, #words, #padded #bias>)
}

/// The signs of accumulators, of the sums of a layer, or of bytes.
pub(super) fn emit_sign(net: &NetDesc<'_>, of: SignOf, buffer: usize) -> TokenStream {
    let (name, len) = (buffer_name(net, buffer), net.buffers[buffer].len);
    let signs = constants![LEN: usize = len, WORDS: usize = sign_words(len)];
    match of {
        SignOf::Accumulator => {
            let constants = constants![
                WIDTH: usize = net.accumulator.width,
                PERSPECTIVES: usize = net.accumulator.perspectives,
                WORDS: usize = sign_words(len),
            ];
            let (names, values) = (constants.names(), emit_values(net));
            mixed!(let #name = { #constants __rt::sign_accumulators::<__Simd, #names>(simd, #values) };)
        }
        SignOf::Layer(layer) => {
            let sums = emit_sums(net, layer);
            let constants = constants![SUMS: usize = net.layers[layer].padded_outputs()].and(signs);
            let names = constants.names();
            mixed!(let #name = { #constants __rt::sign_sums::<__Simd, #names>(simd, &#sums) };)
        }
        SignOf::Buffer(of) => {
            let read = buffer_name(net, of);
            let constants = constants![BYTES: usize = net.buffer_bytes(of)].and(signs);
            let names = constants.names();
            mixed!(let #name = { #constants __rt::sign_bytes::<__Simd, #names>(simd, &#read) };)
        }
    }
}

/// The sums of a binary layer.
pub(super) fn emit_affine(net: &NetDesc<'_>, layer: usize) -> TokenStream {
    let (sums, x) = (layer_name(net, layer), emit_input(net, &net.layers[layer]));
    mixed!(let #sums = __rt::affine_binary(simd, #x, &params.#sums, stack);)
}

/// The input of a layer: all signs of a buffer, or a copy of parts of several buffers.
fn emit_input(net: &NetDesc<'_>, layer: &LayerDesc<'_>) -> TokenStream {
    if let Some(name) = whole_buffer(net, layer) {
        return mixed!(&#name);
    }
    let parts = layer
        .segments
        .iter()
        .map(|&Segment { buffer, start, len }| {
            let (name, [start, len]) = (buffer_name(net, buffer), [start, len].map(number));
            mixed!((#name.words().as_slice(), #start, #len))
        });
    let words = number(sign_words(layer.inputs));
    mixed!(&__rt::sign_join::<#words>(&[#(#parts),*]))
}
