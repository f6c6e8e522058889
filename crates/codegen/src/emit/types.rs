//! The types of a declaration: marker, parameters and aliases.

use nnue_spec::layout::round_up;
use nnue_spec::{ElementType, FeatureSetId, LayerKind, NetDesc, TensorRole};
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};

use super::descriptor::emit_variant;
use super::docs;
use super::item::Item;
use super::literal::number;
use super::names::{Names, layer_name};
use super::path::CratePath;
use crate::syntax::attribute::companion_attributes;

/// Marker, parameters and aliases.
pub(crate) fn emit_types(
    net: &NetDesc<'_>,
    item: &Item<'_>,
    names: &Names,
    path: &CratePath,
) -> TokenStream {
    let Names {
        marker,
        params,
        network,
        accumulator,
    } = names;
    let (attributes, visibility) = (item.attributes, item.visibility);
    let marker_docs = docs::emit_marker_docs(net, attributes, path);
    let (rt, facade) = (path.runtime(), path.facade());
    let transformer = emit_transformer_type(net, &rt);
    let fields = (0..net.layers.len()).map(|layer| {
        let (docs, name, ty) = (
            docs::layer_docs(net, layer),
            layer_name(net, layer),
            emit_layer_type(net, layer, &rt),
        );
        quote!(#[doc = #docs] pub #name: #ty)
    });
    let [params_docs, network_docs, accumulator_docs] = docs::companion_docs(marker);
    let transformer_docs = docs::transformer_docs(net);
    let accumulator_type = emit_accumulator_type(net, &rt);
    let companion = companion_attributes(attributes);
    let psqt = emit_floats_type(net, &rt).map(|ty| {
        let docs = docs::floats_docs(net);
        quote!(#[doc = #docs] pub psqt: #ty,)
    });
    quote! {
        #(#attributes)*
        #marker_docs
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
        #visibility struct #marker;

        #companion
        #[doc = #params_docs]
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #visibility struct #params {
            #[doc = #transformer_docs]
            pub ft: #transformer,
            #psqt
            #(#fields,)*
        }

        #companion
        #[doc = #network_docs]
        #visibility type #network = #facade::Network<#marker>;

        #companion
        #[doc = #accumulator_docs]
        #visibility type #accumulator = #accumulator_type;
    }
}

/// `Accumulator<width, psqt>`; with separate weights, both that a side has
fn emit_accumulator_type(net: &NetDesc<'_>, rt: &TokenStream) -> TokenStream {
    let [width, psqt] = [net.accumulator.width, net.accumulator.psqt].map(number);
    let accumulator = quote!(#rt::Accumulator<#width, #psqt>);
    if net.accumulator.separate {
        quote!(#rt::Separate<#accumulator>)
    } else {
        accumulator
    }
}

/// `FeatureTransformer<width, psqt, rows>`, plus the rows of all sets of pairs, plus the weight type of
/// single pieces if it is 8-bit; with separate weights, one per perspective
pub(crate) fn emit_transformer_type(net: &NetDesc<'_>, rt: &TokenStream) -> TokenStream {
    let (rows, pair_rows) = (
        net.features[0].rows,
        net.features[1..]
            .iter()
            .map(|feature| feature.rows)
            .sum::<usize>(),
    );
    let [width, psqt, rows] = [net.accumulator.width, net.accumulator.psqt, rows].map(number);
    let is_bytes = net.features[0].element == ElementType::I8;
    let pair_rows = (pair_rows > 0 || is_bytes)
        .then(|| number(pair_rows))
        .into_iter();
    let element = is_bytes.then(|| quote!(i8)).into_iter();
    let transformer =
        quote!(#rt::FeatureTransformer<#width, #psqt, #rows #(, #pair_rows)* #(, #element)*>);
    if net.accumulator.separate {
        quote!(#rt::Separate<#transformer>)
    } else {
        transformer
    }
}

/// `FeatureFloats<columns, rows, pair rows>`, if features have floats
fn emit_floats_type(net: &NetDesc<'_>, rt: &TokenStream) -> Option<TokenStream> {
    let columns = net.accumulator.psqt_floats;
    let pair_rows = net.features[1..].iter().map(|feature| feature.rows).sum();
    let [columns, rows, pair_rows] = [columns, net.features[0].rows, pair_rows].map(number);
    (net.accumulator.psqt_floats > 0)
        .then(|| quote!(#rt::FeatureFloats<#columns, #rows, #pair_rows>))
}

/// `Layer<file inputs, outputs, stacks, blocks, padded outputs>`, `RowLayer<file inputs, stacks, bytes>`,
/// `RowsLayer<file inputs, outputs, stacks, bytes>`, `BlockSparseLayer<file inputs, outputs, stacks>`,
/// `WordsLayer<weight type, inputs, outputs, stacks>`, `DirectLayer<bias type, inputs, stacks>`, or a layer of integers, a float or
/// binary layer
fn emit_layer_type(net: &NetDesc<'_>, layer: usize, rt: &TokenStream) -> TokenStream {
    let desc = &net.layers[layer];
    let [inputs, stacks] = [desc.file_inputs, net.stacks.count].map(number);
    if net.reads_words(layer) {
        let (weight, outputs) = (
            emit_number_type(net.weights_of(layer)),
            number(desc.outputs),
        );
        let bias = match bias_element(net, layer) {
            ElementType::I32 => None,
            other => Some(emit_number_type(other)),
        };
        let bias = bias.into_iter();
        return quote!(#rt::WordsLayer<#weight, #inputs, #outputs, #stacks #(, #bias)*>);
    }
    if desc.kind == LayerKind::Integer {
        let weight = emit_number_type(net.weights_of(layer));
        return super::integer::emit_layer_type(net, desc, &weight, rt);
    }
    if desc.kind == LayerKind::Direct {
        let bias = match bias_element(net, layer) {
            ElementType::I16 => quote!(i16),
            _ => quote!(i32),
        };
        return quote!(#rt::DirectLayer<#bias, #inputs, #stacks>);
    }
    if matches!(desc.kind, LayerKind::Float { .. }) {
        return super::float::emit_layer_type(net, desc, rt);
    }
    if desc.kind == LayerKind::Rows {
        let [outputs, bytes] = [desc.outputs, net.prepared_row_bytes(layer)].map(number);
        return quote!(#rt::RowsLayer<#inputs, #outputs, #stacks, #bytes>);
    }
    if desc.kind == LayerKind::Binary {
        return super::binary::emit_layer_type(net, desc, bias_element(net, layer), rt);
    }
    if let LayerKind::BlockSparse { .. } = desc.kind {
        let (outputs, bias) = (number(desc.outputs), emit_float_bias(net, layer));
        return quote!(#rt::BlockSparseLayer<#inputs, #outputs, #stacks #bias>);
    }
    if desc.kind == LayerKind::Row {
        let bytes = number(net.prepared_row_bytes(layer));
        return quote!(#rt::RowLayer<#inputs, #stacks, #bytes>);
    }
    let [outputs, blocks, padded] = [
        desc.outputs,
        net.prepared_blocks(layer),
        round_up(desc.outputs, 16),
    ]
    .map(number);
    let bias = emit_float_bias(net, layer);
    quote!(#rt::Layer<#inputs, #outputs, #stacks, #blocks, #padded #bias>)
}

/// The last parameter of a layer whose bias is added in floats.
fn emit_float_bias(net: &NetDesc<'_>, layer: usize) -> Option<TokenStream> {
    (bias_element(net, layer) == ElementType::F32).then(|| quote!(, f32))
}

/// A primitive number type.
fn emit_number_type(element: ElementType) -> TokenStream {
    match element {
        ElementType::I8 => quote!(i8),
        ElementType::I16 => quote!(i16),
        ElementType::I32 => quote!(i32),
        ElementType::F32 => quote!(f32),
    }
}

/// The type of a layer's bias.
fn bias_element(net: &NetDesc<'_>, layer: usize) -> ElementType {
    let bias = net
        .tensors
        .iter()
        .find(|tensor| tensor.role == TensorRole::LayerBias(layer));
    bias.map_or(ElementType::I32, |bias| bias.element)
}

/// The type that implements a feature set.
pub(crate) fn emit_feature_type(
    set: FeatureSetId,
    rt: &TokenStream,
    item: &Item<'_>,
) -> TokenStream {
    let marker = item.name;
    match set {
        FeatureSetId::King(_) => quote!(#rt::KingBucketed<#marker>),
        FeatureSetId::Custom(set) if set.is_listed() => quote!(#rt::rows::Given),
        FeatureSetId::Custom(_) => item
            .custom
            .inputs
            .map(ToTokens::to_token_stream)
            .unwrap_or_default(),
        FeatureSetId::Threats(pairs) => {
            let bits = Literal::u64_unsuffixed(pairs.to_bits());
            quote!(#rt::Threats<#bits>)
        }
        named => {
            let name = emit_variant(named);
            quote!(#rt::#name)
        }
    }
}
