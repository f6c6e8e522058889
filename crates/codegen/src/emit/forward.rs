//! `forward`: one kernel call per step of the plan, with literal sizes.

use nnue_spec::layout::padded_sums;
use nnue_spec::op::{Pairs, Shift};
use nnue_spec::{
    Activation, BufferDesc, LayerKind, NetDesc, Pool, Readers, Reduce, Segment, Source, StepDesc,
    readers,
};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::format_ident;

use super::binary;
use super::expression;
use super::float;
use super::hygiene::demanding;
use super::integer;
use super::item::Item;
use super::literal::number;
use super::names::{buffer_name, layer_name};
use super::operand::{emit_bytes, emit_scaled, emit_sums, emit_term, emit_values, kernel};
use super::words;

/// The statements and the result of `forward`.
pub(crate) fn emit_forward(net: &NetDesc<'_>, item: &Item<'_>) -> TokenStream {
    let steps = emit_steps(net, item, |readers| readers & 1 != 0);
    let output = emit_output(net);
    mixed!(#steps #output)
}

/// The steps whose readers (the outputs that need their results) satisfy `wanted`.
pub(super) fn emit_steps(
    net: &NetDesc<'_>,
    item: &Item<'_>,
    wanted: impl Fn(Readers) -> bool,
) -> TokenStream {
    let steps = net
        .steps
        .iter()
        .zip(readers(net))
        .filter(|(_, readers)| wanted(*readers));
    steps.map(|(step, _)| emit_step(net, step, item)).collect()
}

fn emit_step(net: &NetDesc<'_>, step: &StepDesc, item: &Item<'_>) -> TokenStream {
    match *step {
        StepDesc::ActivateAccumulator {
            activation,
            shift,
            buffer,
        } if net.buffers[buffer].source == Source::Words => {
            words::emit_activate(net, (activation, shift), buffer)
        }
        StepDesc::ActivateAccumulator {
            activation,
            shift,
            buffer,
        } => emit_activate_accumulator(net, (activation, shift), buffer, item),
        StepDesc::Affine { layer } => match net.layers[layer].kind {
            LayerKind::Sparse if net.layers[layer].is_sparse_alone() => emit_sparse(net, layer),
            LayerKind::Dense if net.is_dense_alone(layer) => emit_hidden(net, layer),
            LayerKind::Sparse | LayerKind::Dense => emit_dense(net, layer, "affine"),
            LayerKind::BlockSparse { .. } => emit_dense(net, layer, "block_sparse"),
            LayerKind::Row | LayerKind::Direct => emit_row(net, layer),
            LayerKind::Words => words::emit_affine(net, layer),
            LayerKind::Integer => integer::emit_affine(net, layer),
            // computed with its output
            LayerKind::Rows => TokenStream::new(),
            LayerKind::Float { partial, fused } => float::emit_affine(net, layer, partial, fused),
            LayerKind::Binary => binary::emit_affine(net, layer),
        },
        StepDesc::Sign { of, buffer } => binary::emit_sign(net, of, buffer),
        StepDesc::Map { map, buffer } => expression::emit_map(net, map, buffer),
        StepDesc::FloatAccumulator {
            activation,
            unit,
            buffer,
        } => float::emit_accumulator(net, activation, unit, buffer, item),
        StepDesc::FloatSums { layer, unit, fused } => float::emit_sums(net, layer, unit, fused),
        StepDesc::ActivateFloat {
            activation,
            layer,
            buffer,
        } => float::emit_activate(net, activation, layer, buffer, item),
        StepDesc::AffineDirect { activation, layer } => emit_direct(net, activation, layer),
        StepDesc::ActivateSums {
            activation,
            shift,
            layer,
            buffer,
        } => emit_activate_sums(net, (activation, shift), layer, buffer, item),
        StepDesc::Pool {
            pool,
            operands,
            stride,
            buffer,
        } => emit_pool(net, pool, operands, stride, buffer),
        StepDesc::Reduce {
            reduce,
            operand,
            size,
            buffer,
        } => emit_reduce(net, reduce, (operand, size), buffer),
    }
}

fn emit_activate_sums(
    net: &NetDesc<'_>,
    (activation, shift): (Activation, u32),
    layer: usize,
    buffer: usize,
    item: &Item<'_>,
) -> TokenStream {
    let (sums, name) = (emit_sums(net, layer), buffer_name(net, buffer));
    let bytes = number(net.buffer_bytes(buffer));
    if let Activation::Custom(index) = activation {
        let own = item.custom.activations[index];
        let most = Literal::i32_unsuffixed(net.buffers[buffer].max);
        let function = demanding(own, mixed!(__rt::custom_sums::<__Simd, _, _, _, _>));
        return mixed!(let #name: __rt::Bytes<#bytes> = #function(simd, &#sums, #own, __rt::Most::<#most>););
    }
    let (function, shift) = (kernel(net, "", activation), Literal::u32_unsuffixed(shift));
    mixed!(let #name: __rt::Bytes<#bytes> = __rt::#function(simd, &#sums, __rt::Shr::<#shift>);)
}

/// A pool of one buffer or of two.
fn emit_pool(
    net: &NetDesc<'_>,
    pool: Pool,
    operands: [Segment; 2],
    stride: usize,
    buffer: usize,
) -> TokenStream {
    let (name, pool) = (buffer_name(net, buffer), pool_type(pool));
    let [x, y] = operands.map(|segment| buffer_name(net, segment.buffer));
    let BufferDesc { len, source, .. } = net.buffers[buffer];
    let (function, size) = match source.is_float() {
        true => (mixed!(pool_floats), padded_sums(len)),
        false => (mixed!(pool_bytes), net.buffer_bytes(buffer)),
    };
    let constants = constants![
        FIRST: usize = operands[0].start,
        SECOND: usize = operands[1].start,
        STRIDE: usize = stride,
        LEN: usize = len,
        PADDED: usize = size,
    ];
    let names = constants.names();
    mixed! {
        let #name = { #constants __rt::#function::<__rt::#pool, #names, _, _>(&#x, &#y) };
    }
}

/// A reduction of each run of values of a buffer.
fn emit_reduce(
    net: &NetDesc<'_>,
    reduce: Reduce,
    (operand, size): (Segment, usize),
    buffer: usize,
) -> TokenStream {
    let [name, x] = [buffer, operand.buffer].map(|buffer| buffer_name(net, buffer));
    let len = net.buffers[buffer].len;
    let kind = match reduce {
        Reduce::Mean => "mean",
        Reduce::Maximum => "max",
    };
    let (type_, padded) = match net.buffers[buffer].source.is_float() {
        true => ("floats", padded_sums(len)),
        false => ("bytes", net.buffer_bytes(buffer)),
    };
    let function = format_ident!("{kind}_{type_}", span = Span::mixed_site());
    let constants = constants![
        START: usize = operand.start,
        SIZE: usize = size,
        LEN: usize = len,
        PADDED: usize = padded,
    ];
    let names = constants.names();
    mixed!(let #name = { #constants __rt::#function::<#names, _>(&#x) };)
}

fn pool_type(pool: Pool) -> Ident {
    format_ident!("{pool:?}", span = Span::mixed_site())
}

/// Activates the accumulators and collects the nonzero blocks, in one pass.
fn emit_activate_accumulator(
    net: &NetDesc<'_>,
    (activation, shift): (Activation, u32),
    buffer: usize,
    item: &Item<'_>,
) -> TokenStream {
    let name = buffer_name(net, buffer);
    let accumulator = net.accumulator;
    let bytes = net.buffer_bytes(buffer);
    let [bytes, room, readers, nonzero] = [
        bytes,
        bytes / 4 + 16,
        net.sums_by_blocks(buffer),
        accumulator.nonzero,
    ]
    .map(number);
    let values = emit_values(net);
    let (function, before, numbers) = match activation {
        Activation::Custom(index) => {
            let own = item.custom.activations[index];
            let most = Literal::i32_unsuffixed(net.buffers[buffer].max);
            (
                demanding(
                    own,
                    mixed!(__rt::activate_custom::<__Simd, _, _, _, _, _, _, _, _>),
                ),
                mixed!(#own,),
                mixed!(__rt::Most::<#most>),
            )
        }
        _ => {
            let function = kernel_of_accumulators(net, activation, shift);
            let pool = accumulator_pool(activation).map(|(pool, _)| {
                let pool = pool_type(pool);
                mixed!(__rt::#pool,)
            });
            (
                mixed!(__rt::#function),
                mixed!(#pool),
                one_and_shift(net, activation, shift),
            )
        }
    };
    mixed! {
        let mut #name = __rt::Sparse::<#bytes, #room, #nonzero>::new();
        #function(simd, #before #values, &mut #name, #numbers, __rt::Readers::<#readers>);
    }
}

/// The kernel of an activation of accumulators; pools have one per kind of pairs.
fn kernel_of_accumulators(net: &NetDesc<'_>, activation: Activation, shift: u32) -> Ident {
    match accumulator_pool(activation) {
        None if activation == Activation::Crelu && shift > 0 => {
            format_ident!("activate_crelu_shifted", span = Span::mixed_site())
        }
        Some((_, Pairs::Halves)) => format_ident!("activate_halves", span = Span::mixed_site()),
        Some((_, Pairs::Neighbours)) => {
            format_ident!("activate_neighbours", span = Span::mixed_site())
        }
        None => kernel(net, "activate_", activation),
    }
}

/// The pool of an activation whose kernel is generic over the pool; `pairwise` has its own kernel.
fn accumulator_pool(activation: Activation) -> Option<(Pool, Pairs)> {
    activation
        .pool()
        .filter(|_| activation != Activation::Pairwise)
}

/// The scale of the accumulators, and the shift if products are shifted.
fn one_and_shift(net: &NetDesc<'_>, activation: Activation, shift: u32) -> TokenStream {
    let one = Literal::i32_unsuffixed(net.accumulator.one);
    let formula = activation
        .operation()
        .and_then(|operation| operation.accumulators);
    let has_shift = match formula.map(|formula| formula.shift) {
        Some(Shift::Product) => true,
        Some(Shift::Clipped) if shift > 0 => true,
        _ => matches!(accumulator_pool(activation), Some((_, Pairs::Neighbours))),
    };
    let shift = Literal::u32_unsuffixed(shift);
    let shift = has_shift.then(|| mixed!(, __rt::Shr::<#shift>));
    mixed!(__rt::One::<#one> #shift)
}

fn emit_sparse(net: &NetDesc<'_>, layer: usize) -> TokenStream {
    let sums = layer_name(net, layer);
    let buffer = buffer_name(net, net.layers[layer].segments[0].buffer);
    mixed!(let #sums = __rt::affine_sparse(simd, &#buffer, &params.#sums, stack);)
}

/// A layer that reads one whole buffer of layer values.
fn emit_hidden(net: &NetDesc<'_>, layer: usize) -> TokenStream {
    let (sums, buffer) = (layer_name(net, layer), net.layers[layer].segments[0].buffer);
    let bytes = emit_bytes(net, buffer);
    let room = number(net.buffer_bytes(buffer) / 4 + 16);
    mixed!(let #sums = __rt::affine_hidden(simd, #bytes, &params.#sums, stack, __rt::Room::<#room>);)
}

/// Reads one buffer after the other, with the kernels whose names begin with `kernel`; in buffers of accumulators, blocks of zeros are skipped.
fn emit_dense(net: &NetDesc<'_>, layer: usize, kernel: &str) -> TokenStream {
    let sums = layer_name(net, layer);
    let [bias, add_listed, add] = ["bias", "listed", "add"]
        .map(|part| format_ident!("{kernel}_{part}", span = Span::mixed_site()));

    let adds = net.layers[layer]
        .segments
        .iter()
        .enumerate()
        .map(|(index, segment)| {
            if net.buffers[segment.buffer].source == Source::Accumulator {
                let name = buffer_name(net, segment.buffer);
                let [at, readers] = [
                    net.segment_prepared_block(layer, index),
                    net.sums_by_blocks(segment.buffer),
                ]
                .map(number);
                return mixed! {
                    let #sums = __rt::#add_listed(
                        simd, #sums, &#name, &params.#sums, stack, __rt::AtBlock::<#at>, __rt::Readers::<#readers>,
                    );
                };
            }
            let blocks = net.segment_blocks(layer, index);
            let bytes = emit_bytes(net, segment.buffer);
            let [first, count, at] = [
                blocks.start,
                blocks.len(),
                net.segment_prepared_block(layer, index),
            ]
            .map(number);
            mixed! {
                let #sums = __rt::#add(
                    simd, #sums, #bytes, &params.#sums, stack, __rt::Blocks::<#first, #count>, __rt::AtBlock::<#at>,
                );
            }
        });
    mixed!(let #sums = __rt::#bias(&params.#sums, stack); #(#adds)*)
}

fn emit_row(net: &NetDesc<'_>, layer: usize) -> TokenStream {
    let sum = layer_name(net, layer);
    let adds = net.layers[layer].segments.iter().enumerate().map(|(index, segment)| {
        let bytes = emit_bytes(net, segment.buffer);
        let at = number(net.segment_prepared_byte(layer, index));
            mixed!(let #sum = __rt::row_add(simd, #sum, #bytes, &params.#sum, stack, __rt::AtByte::<#at>);)
    });
    mixed!(let #sum = __rt::row_bias(&params.#sum, stack); #(#adds)*)
}

/// The output of a layer that reads the accumulators directly.
fn emit_direct(net: &NetDesc<'_>, activation: Activation, layer: usize) -> TokenStream {
    let sum = layer_name(net, layer);
    let accumulator = net.accumulator;
    let constants = constants![
        WIDTH: usize = accumulator.width,
        PERSPECTIVES: usize = accumulator.perspectives,
        ONE: i16 = accumulator.one,
    ];
    let names = constants.names();
    let function = kernel(net, "direct_", activation);
    let values = emit_values(net);
    mixed! {
        let #sum = {
            #constants
            __rt::#function::<__Simd, _, #names, _, _>(simd, #values, &params.#sum, stack)
        };
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
        sum = if term.negative {
            mixed!(#sum.wrapping_sub(#value))
        } else {
            mixed!(#sum.wrapping_add(#value))
        };
    }
    emit_scaled(sum, net.output.ratio)
}
