//! Common parts of integer and float steps: accumulator operands, names of kernels, terms of the output.

use nnue_spec::{Activation, LayerKind, NetDesc, OutputTerm, Ratio, Source};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::format_ident;

use super::literal::number;
use super::names::{buffer_name, layer_name};

/// Whether `forward` reads the accumulator of the other side.
pub(crate) fn reads_them(net: &NetDesc<'_>) -> bool {
    net.accumulator.perspectives == 2
}

/// The accumulator neurons that layers read, of one perspective or of both.
///
/// ```text
///   shared:    [&us.values, &them.values]        separate:    [&us.first.values, &them.second.values]
/// ```
pub(super) fn emit_values(net: &NetDesc<'_>) -> TokenStream {
    if net.accumulator.separate {
        return mixed!([&us.first.values, &them.second.values]);
    }
    let them = reads_them(net).then(|| mixed!(, &them.values));
    mixed!([&us.values #them])
}

/// The kernel of an activation: its name in declarations, prefixed with the kind of operand.
pub(super) fn kernel(net: &NetDesc<'_>, operand: &str, activation: Activation) -> Ident {
    let name = net.activation_name(activation);
    format_ident!("{operand}{name}", span = Span::mixed_site())
}

/// A term of the output, with its factor but without its sign.
pub(super) fn emit_term(net: &NetDesc<'_>, term: &OutputTerm) -> TokenStream {
    emit_scaled(emit_neuron(net, term.layer, term.neuron), term.ratio)
}

pub(super) fn emit_neuron(net: &NetDesc<'_>, layer: usize, neuron: usize) -> TokenStream {
    let sums = layer_name(net, layer);
    match net.layers[layer].kind {
        LayerKind::Row | LayerKind::Direct => mixed!(#sums),
        LayerKind::Float { .. } if net.layers[layer].is_float_row() => mixed!(#sums),
        LayerKind::Sparse
        | LayerKind::BlockSparse { .. }
        | LayerKind::Dense
        | LayerKind::Rows
        | LayerKind::Words
        | LayerKind::Integer
        | LayerKind::Binary
        | LayerKind::Float { .. } => {
            let neuron = number(neuron);
            mixed!(#sums.get(#neuron))
        }
    }
}

/// The sums of a layer as the operand of activations and signs.
pub(super) fn emit_sums(net: &NetDesc<'_>, layer: usize) -> TokenStream {
    let sums = layer_name(net, layer);
    match net.layers[layer].kind {
        LayerKind::Row | LayerKind::Direct => mixed!(__rt::row_sums(#sums)),
        LayerKind::Sparse
        | LayerKind::BlockSparse { .. }
        | LayerKind::Dense
        | LayerKind::Rows
        | LayerKind::Words
        | LayerKind::Integer
        | LayerKind::Binary
        | LayerKind::Float { .. } => {
            mixed!(#sums)
        }
    }
}

/// The float sums of a layer, as a slice.
pub(super) fn emit_float_sums(net: &NetDesc<'_>, layer: usize) -> TokenStream {
    let sums = layer_name(net, layer);
    match net.layers[layer].is_float_row() {
        true => mixed!(&[#sums]),
        false => mixed!(#sums.values()),
    }
}

/// A buffer as plain bytes; buffers of accumulators also carry a list of blocks.
pub(super) fn emit_bytes(net: &NetDesc<'_>, buffer: usize) -> TokenStream {
    let name = buffer_name(net, buffer);
    match net.buffers[buffer].source {
        Source::Accumulator => mixed!(#name.bytes()),
        _ => mixed!(&#name),
    }
}

/// A value times a ratio, if there is one.
pub(super) fn emit_scaled(value: TokenStream, ratio: Option<Ratio>) -> TokenStream {
    let Some(Ratio { num, den, wide }) = ratio else {
        return value;
    };
    let function = if wide {
        mixed!(ratio_wide)
    } else {
        mixed!(ratio_wrapping)
    };
    let [num, den] = [num, den].map(Literal::i64_unsuffixed);
    mixed!(__rt::#function::<#num, #den>(#value))
}
