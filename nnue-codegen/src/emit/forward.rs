//! `forward`: one call of a kernel per step of the plan, every size a literal.

use nnue_spec::layout::padded_sums;
use nnue_spec::op::Shift;
use nnue_spec::plan::{Readers, readers};
use nnue_spec::{Activation, LayerDesc, LayerKind, NetDesc, Source, StepDesc};
use proc_macro2::{Literal, TokenStream};

use super::descriptor::number;
use super::float;
use super::hygiene::demanding;
use super::item::Item;
use super::names::{buffer_name, layer_name};
use super::operand::{emit_scaled, emit_term, emit_values, kernel};

/// The statements and the result of `forward`.
pub(crate) fn emit_forward(net: &NetDesc<'_>, item: &Item<'_>) -> TokenStream {
    let steps = emit_steps(net, item, |readers| readers & 1 != 0);
    let output = emit_output(net);
    mixed!(#steps #output)
}

/// The steps of which `wanted` says that the outputs that need their results are the right ones.
pub(super) fn emit_steps(net: &NetDesc<'_>, item: &Item<'_>, wanted: impl Fn(Readers) -> bool) -> TokenStream {
    let steps = net.steps.iter().zip(readers(net)).filter(|(_, readers)| wanted(*readers));
    steps.map(|(step, _)| emit_step(net, step, item)).collect()
}

fn emit_step(net: &NetDesc<'_>, step: &StepDesc, item: &Item<'_>) -> TokenStream {
    match *step {
        StepDesc::ActivateAccumulator { activation, shift, buffer } => {
            emit_activate_accumulator(net, (activation, shift), buffer, item)
        }
        StepDesc::Affine { layer } => match net.layers[layer].kind {
            LayerKind::Sparse => emit_sparse(net, layer),
            LayerKind::Dense => emit_dense(net, layer),
            LayerKind::Row | LayerKind::Direct => emit_row(net, layer),
            LayerKind::Float { partial, fused } => float::emit_affine(net, layer, partial, fused),
        },
        StepDesc::FloatAccumulator { activation, unit, buffer } => {
            float::emit_accumulator(net, activation, unit, buffer, item)
        }
        StepDesc::FloatSums { layer, unit, fused } => float::emit_sums(net, layer, unit, fused),
        StepDesc::ActivateFloat { activation, layer, buffer } => {
            float::emit_activate(net, activation, layer, buffer, item)
        }
        StepDesc::AffineDirect { activation, layer } => emit_direct(net, activation, layer),
        StepDesc::ActivateSums { activation, shift, layer, buffer } => {
            emit_activate_sums(net, (activation, shift), layer, buffer, item)
        }
    }
}

fn emit_activate_sums(
    net: &NetDesc<'_>,
    (activation, shift): (Activation, u32),
    layer: usize,
    buffer: usize,
    item: &Item<'_>,
) -> TokenStream {
    let (sums, name) = (layer_name(net, layer), buffer_name(net, buffer));
    let sums = match net.layers[layer].kind {
        LayerKind::Row | LayerKind::Direct => mixed!(__rt::row_sums(#sums)),
        LayerKind::Sparse | LayerKind::Dense | LayerKind::Float { .. } => mixed!(#sums),
    };
    let [lanes, bytes] = [padded_sums(net.layers[layer].outputs), net.buffer_bytes(buffer)].map(number);
    if let Activation::Custom(index) = activation {
        let (own, max) = (item.custom.activations[index], Literal::i32_unsuffixed(net.buffers[buffer].max));
        let function = demanding(own, mixed!(__rt::custom_sums::<__Simd, _, #lanes, #bytes, #max>));
        return mixed!(let #name = #function(simd, &#sums, #own););
    }
    let (function, shift) = (kernel(net, "", activation), Literal::u32_unsuffixed(shift));
    mixed!(let #name = __rt::#function::<__Simd, #lanes, #bytes, #shift>(simd, &#sums);)
}

/// Activation and collection of the non-zero blocks, in one pass.
fn emit_activate_accumulator(
    net: &NetDesc<'_>,
    (activation, shift): (Activation, u32),
    buffer: usize,
    item: &Item<'_>,
) -> TokenStream {
    let name = buffer_name(net, buffer);
    let accumulator = net.accumulator;
    let bytes = net.buffer_bytes(buffer);
    let [width, perspectives, bytes, blocks, sums] =
        [accumulator.width, accumulator.perspectives, bytes, bytes / 4 + 16, sums_by_blocks(net, buffer)].map(number);
    let values = emit_values(net);
    let (function, constants) = match activation {
        Activation::Custom(index) => {
            let (own, max) = (item.custom.activations[index], Literal::i32_unsuffixed(net.buffers[buffer].max));
            let sizes = mixed!(#width, #perspectives, #bytes, #blocks, #sums, #max);
            let function = demanding(own, mixed!(__rt::activate_custom::<__Simd, _, #sizes>));
            return mixed! {
                let mut #name = __rt::Sparse::new();
                #function(simd, #values, #own, &mut #name);
            };
        }
        _ => (kernel(net, "activate_", activation), emit_constants(net, activation, shift)),
    };
    mixed! {
        let mut #name = __rt::Sparse::new();
        __rt::#function::<__Simd, #width, #perspectives, #bytes, #blocks, #sums, #constants>(
            simd, #values, &mut #name,
        );
    }
}

/// The scale of the accumulators, and the shift where products are shifted.
fn emit_constants(net: &NetDesc<'_>, activation: Activation, shift: u32) -> TokenStream {
    let (one, shift) = (Literal::i32_unsuffixed(net.accumulator.one), Literal::u32_unsuffixed(shift));
    let formula = activation.operation().and_then(|operation| operation.accumulators);
    match formula.map(|formula| formula.shift) {
        Some(Shift::Product) => mixed!(#one, #shift),
        _ => mixed!(#one),
    }
}

/// Most sums of a layer that reads the buffer by blocks; 0 if none does.
fn sums_by_blocks(net: &NetDesc<'_>, buffer: usize) -> usize {
    let reads = |layer: &&LayerDesc<'_>| layer.segments.iter().any(|segment| segment.buffer == buffer);
    let layers = net.layers.iter().filter(|layer| layer.kind == LayerKind::Sparse).filter(reads);
    layers.map(|layer| padded_sums(layer.outputs)).max().unwrap_or(0)
}

fn emit_sparse(net: &NetDesc<'_>, layer: usize) -> TokenStream {
    let sums = layer_name(net, layer);
    let buffer = buffer_name(net, net.layers[layer].segments[0].buffer);
    mixed!(let #sums = __rt::affine_sparse(simd, &#buffer, &params.#sums, stack);)
}

fn emit_dense(net: &NetDesc<'_>, layer: usize) -> TokenStream {
    let sums = layer_name(net, layer);
    let adds = net.layers[layer].segments.iter().enumerate().map(|(index, segment)| {
        let blocks = net.segment_blocks(layer, index);
        let bytes = emit_bytes(net, segment.buffer);
        let [size, first, count, at] =
            [net.buffer_bytes(segment.buffer), blocks.start, blocks.len(), net.segment_prepared_block(layer, index)]
                .map(number);
        mixed! {
            let #sums = __rt::affine_add::<__Simd, #size, #first, #count, #at, _, _, _, _, _>(
                simd, #sums, #bytes, &params.#sums, stack,
            );
        }
    });
    mixed!(let #sums = __rt::affine_bias(&params.#sums, stack); #(#adds)*)
}

fn emit_row(net: &NetDesc<'_>, layer: usize) -> TokenStream {
    let sum = layer_name(net, layer);
    let adds = net.layers[layer].segments.iter().enumerate().map(|(index, segment)| {
        let bytes = emit_bytes(net, segment.buffer);
        let [size, at] = [net.buffer_bytes(segment.buffer), net.segment_prepared_byte(layer, index)].map(number);
        mixed!(let #sum = __rt::row_add::<__Simd, #size, #at, _, _, _>(simd, #sum, #bytes, &params.#sum, stack);)
    });
    mixed!(let #sum = __rt::row_bias(&params.#sum, stack); #(#adds)*)
}

/// The output of a layer that reads the accumulators themselves.
fn emit_direct(net: &NetDesc<'_>, activation: Activation, layer: usize) -> TokenStream {
    let sum = layer_name(net, layer);
    let accumulator = net.accumulator;
    let [width, perspectives] = [accumulator.width, accumulator.perspectives].map(number);
    let one = Literal::i32_unsuffixed(accumulator.one);
    let function = kernel(net, "direct_", activation);
    let values = emit_values(net);
    mixed! {
        let #sum = __rt::#function::<__Simd, _, #width, #perspectives, #one, _, _>(
            simd, #values, &params.#sum, stack,
        );
    }
}

/// A buffer as plain bytes; those made from accumulators carry the list of their blocks besides.
fn emit_bytes(net: &NetDesc<'_>, buffer: usize) -> TokenStream {
    let name = buffer_name(net, buffer);
    match net.buffers[buffer].source {
        Source::Accumulator => mixed!(#name.bytes()),
        Source::Layer(_) | Source::Float(_) | Source::FloatAccumulator => mixed!(&#name),
    }
}

/// The sum of the terms of the output.
pub(super) fn emit_output(net: &NetDesc<'_>) -> TokenStream {
    if net.value.is_float() {
        return float::emit_output(net);
    }
    let mut terms = net.output.terms.iter();
    let mut sum = match terms.next() {
        Some(first) if first.negative => {
            let term = emit_term(net, first);
            mixed!(0_i32.wrapping_sub(#term))
        }
        Some(first) => emit_term(net, first),
        None => mixed!(0_i32),
    };
    for term in terms {
        let value = emit_term(net, term);
        sum = if term.negative { mixed!(#sum.wrapping_sub(#value)) } else { mixed!(#sum.wrapping_add(#value)) };
    }
    emit_scaled(sum, net.output.ratio)
}
