//! The steps and types of float layers.

use nnue_spec::layout::padded_sums;
use nnue_spec::{AccumulatorDesc, Activation, LayerDesc, NetDesc, Segment, Unit, ValueDesc};
use proc_macro2::{Literal, TokenStream};

use super::hygiene::demanding;
use super::item::Item;
use super::literal::number;
use super::names::{buffer_name, layer_name, whole_buffer};
use super::operand::{emit_term, emit_values, kernel};

/// The type of the network's output.
pub(crate) fn emit_output_type(net: &NetDesc<'_>) -> TokenStream {
    match net.value {
        ValueDesc::Float { .. } | ValueDesc::Sigmoid { .. } => mixed!(f32),
        ValueDesc::Wdl { .. } => mixed!(__rt::Wdl),
        ValueDesc::Together { .. }
        | ValueDesc::Separately { .. }
        | ValueDesc::Scaled { .. }
        | ValueDesc::Shifted { .. } => {
            mixed!(i32)
        }
    }
}

/// `FloatRow<inputs, stacks, padded inputs>` or `FloatLayer<inputs, outputs, stacks, padded outputs>`
pub(crate) fn emit_layer_type(
    net: &NetDesc<'_>,
    layer: &LayerDesc<'_>,
    rt: &TokenStream,
) -> TokenStream {
    let [inputs, outputs, stacks] = [layer.inputs, layer.outputs, net.stacks.count].map(number);
    if layer.is_float_row() {
        let padded = number(padded_sums(layer.inputs));
        return mixed!(#rt::FloatRow<#inputs, #stacks, #padded>);
    }
    let padded = number(layer.padded_outputs());
    mixed!(#rt::FloatLayer<#inputs, #outputs, #stacks, #padded>)
}

pub(crate) fn emit_affine(
    net: &NetDesc<'_>,
    layer: usize,
    partial: usize,
    fused: bool,
) -> TokenStream {
    let sums = layer_name(net, layer);
    let x = emit_input(net, &net.layers[layer]);
    let (function, others) = match net.layers[layer].is_float_row() {
        true => (mixed!(row_float), mixed!(_, _, _)),
        false => (mixed!(affine_float), mixed!(_, _, _, _, _)),
    };
    let constants = constants![FUSED: bool = fused, PARTIAL_SUMS: usize = partial];
    let names = constants.names();
    mixed! {
        let #sums = {
            #constants
            __rt::#function::<__Simd, #names, #others>(simd, #x, &params.#sums, stack)
        };
    }
}

/// The input of a layer: a buffer, or a copy of parts of several buffers.
fn emit_input(net: &NetDesc<'_>, layer: &LayerDesc<'_>) -> TokenStream {
    if let Some(name) = whole_buffer(net, layer) {
        return mixed!(&#name);
    }
    let parts = layer
        .segments
        .iter()
        .map(|&Segment { buffer, start, len }| {
            let (name, [start, end]) = (buffer_name(net, buffer), [start, start + len].map(number));
            mixed!(&#name.values()[#start..#end])
        });
    let padded = number(padded_sums(layer.inputs));
    mixed!(&__rt::float_join::<#padded>(&[#(#parts),*]))
}

/// Accumulators as floats.
pub(crate) fn emit_accumulator(
    net: &NetDesc<'_>,
    activation: Activation,
    unit: Unit,
    buffer: usize,
    item: &Item<'_>,
) -> TokenStream {
    let name = buffer_name(net, buffer);
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
    ];
    let values = emit_values(net);
    if let Activation::Custom(index) = activation {
        let (own, names) = (item.custom.activations[index], sizes.names());
        let function = demanding(own, mixed!(__rt::accumulator_custom::<_, #names>));
        return mixed! {
            let own = #own;
            let #name = { #sizes #function(#values, own) };
        };
    }
    let function = kernel(net, "accumulator_", activation);
    let constants = sizes.and(constants![ONE: i16 = one]);
    let (names, unit) = (constants.names(), emit_unit(unit));
    mixed!(let #name = { #constants __rt::#function::<#names>(#values, #unit) };)
}

/// The sums of an integer layer as floats.
pub(crate) fn emit_sums(net: &NetDesc<'_>, layer: usize, unit: Unit, fused: bool) -> TokenStream {
    let (sums, unit) = (layer_name(net, layer), emit_unit(unit));
    let fused = constants![FUSED: bool = fused];
    mixed! {
        let #sums = {
            #fused
            __rt::float_sums::<__Simd, FUSED, _, _>(simd, &#sums, &params.#sums.bias[stack], #unit)
        };
    }
}

pub(super) fn emit_unit(Unit { num, den }: Unit) -> TokenStream {
    let [num, den] = [num, den].map(Literal::u64_unsuffixed);
    mixed!(#num as f32 / #den as f32)
}

/// The activation of the sums of a layer.
pub(crate) fn emit_activate(
    net: &NetDesc<'_>,
    activation: Activation,
    layer: usize,
    buffer: usize,
    item: &Item<'_>,
) -> TokenStream {
    let (sums, name, len) = (
        layer_name(net, layer),
        buffer_name(net, buffer),
        net.buffers[buffer].len,
    );
    if let Activation::Custom(index) = activation {
        let (own, len) = (item.custom.activations[index], number(len));
        let function = demanding(own, mixed!(__rt::float_custom::<__Simd, _, _, #len>));
        return mixed!(let #name = #function(simd, &#sums, #own););
    }
    let function = kernel(net, "float_", activation);
    // The length of halves is a literal, because the compiler cannot compute it from that of the sums.
    let sizes = activation
        .operation()
        .is_some_and(|operation| operation.pairs.is_some())
        .then(|| constants![LEN: usize = len, PADDED: usize = padded_sums(len)]);
    let Some(sizes) = sizes else {
        return mixed!(let #name = __rt::#function(simd, &#sums););
    };
    let names = sizes.names();
    mixed!(let #name = { #sizes __rt::#function::<__Simd, _, #names>(simd, &#sums) };)
}

/// The sum of the terms, in order; or the three outputs loss, draw and win.
pub(crate) fn emit_output(net: &NetDesc<'_>) -> TokenStream {
    let mut terms = net
        .output
        .terms
        .iter()
        .map(|term| (term.negative, emit_term(net, term)));
    if let ValueDesc::Wdl { .. } = net.value {
        let terms = terms.map(|(_, value)| value);
        return mixed!(__rt::Wdl::new([#(#terms),*]));
    }
    let first = match terms.next() {
        Some((true, value)) => mixed!(-#value),
        Some((false, value)) => value,
        None => mixed!(0.0_f32),
    };
    let rest = terms.map(|(negative, value)| {
        if negative {
            mixed!(- #value)
        } else {
            mixed!(+ #value)
        }
    });
    mixed!(#first #(#rest)*)
}
