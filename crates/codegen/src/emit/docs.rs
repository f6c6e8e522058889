//! Documentation of the generated items.

use std::fmt::Write as _;

use nnue_spec::layout::OUTPUT_BLOCK;
use nnue_spec::text::table;
use nnue_spec::{LayerDesc, LayerKind, NetDesc, TensorRole};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::ext::IdentExt;

use super::path::CratePath;

/// The documentation of the marker, after that of the author: the network as a chain, and a table of its
/// layers.
pub(crate) fn emit_marker_docs(
    net: &NetDesc<'_>,
    attributes: &[syn::Attribute],
    path: &CratePath,
) -> TokenStream {
    let facade = path.facade().to_string().replace(' ', "");
    marker_docs(
        net.notation,
        &table(net),
        &format!("{facade}::Network"),
        attributes,
    )
}

/// [`emit_marker_docs`] from its parts; `network` is the path of the evaluating type.
pub(crate) fn marker_docs(
    notation: &str,
    table: &str,
    network: &str,
    attributes: &[syn::Attribute],
) -> TokenStream {
    let documented = attributes
        .iter()
        .any(|attribute| attribute.path().is_ident("doc"));
    let summary = (!documented).then(|| format!("The network `{notation}`."));
    let summary = summary.map(|summary| quote!(#[doc = #summary]));
    let section = format!(
        "\n# The network\n\n{}\n\nLoad and evaluate it with [`Network`]({network}).",
        table.trim_end()
    );
    quote!(#summary #[doc = #section])
}

/// Documentation of the field `ft`.
pub(crate) fn transformer_docs(net: &NetDesc<'_>) -> String {
    let rows: usize = net.features.iter().map(|feature| feature.rows).sum();
    let (width, psqt) = (net.accumulator.width, net.accumulator.psqt);
    let mut text =
        format!("Feature transformer: bias `i16[{width}]`, weights `i16[{rows}][{width}]`");
    if psqt > 0 {
        let _ = write!(text, ", PSQT weights `i32[{rows}][{psqt}]`");
    }
    if net.accumulator.separate {
        text = format!("{text}, of each of the two perspectives");
    }
    text + ", one row per feature, in file order."
}

/// Documentation of the field with the floats of features.
pub(crate) fn floats_docs(net: &NetDesc<'_>) -> String {
    let rows: usize = net.features.iter().map(|feature| feature.rows).sum();
    format!(
        "PSQT weights `f32[{rows}][{}]`, one row per feature, which are added to the output.",
        net.accumulator.psqt_floats
    )
}

/// Documentation of the field of a layer.
pub(crate) fn layer_docs(net: &NetDesc<'_>, layer: usize) -> String {
    let LayerDesc {
        name,
        inputs,
        file_inputs,
        outputs,
        kind,
        shards,
        ..
    } = net.layers[layer];
    let element = |role: TensorRole| {
        let tensor = net.tensors.iter().find(|tensor| tensor.role == role);
        tensor.map_or("", |tensor| tensor.element.name())
    };
    let (bias, weight) = (
        element(TensorRole::LayerBias(layer)),
        element(TensorRole::LayerWeight(layer)),
    );
    let mut text = format!(
        "Layer `{name}`: per stack, bias `{bias}[{outputs}]` and weights `{weight}[{outputs}][{file_inputs}]`"
    );
    if kind == LayerKind::Binary {
        text = format!(
            "Binary layer `{name}`: per stack, bias `{bias}[{outputs}]`, scales `i16[{outputs}]` and signs, eight in a byte, \
             `{weight}[{outputs}][{file_inputs}]`"
        );
    }
    if let LayerKind::BlockSparse { reached } = kind {
        let _ = write!(
            text,
            ", zero outside {reached} blocks of {OUTPUT_BLOCK} outputs for each input"
        );
    }
    if let Some(shards) = shards {
        let first = inputs - shards.inputs();
        let _ = write!(
            text,
            ", of which each output uses the first {first} columns and the {} of its shard",
            shards.width
        );
    }
    if kind != LayerKind::Binary && file_inputs > inputs {
        let _ = write!(text, " (columns from {inputs} on are padding)");
    }
    text + ", in file order; a copy of the weights in the order of the instruction level is made by `prepare`."
}

/// The one-line documentation of parameters, network alias and accumulator alias.
pub(crate) fn companion_docs(marker: &Ident) -> [String; 3] {
    let marker = marker.unraw();
    [
        format!("The weights of [`{marker}`]."),
        format!("A loaded network of the declaration [`{marker}`]."),
        format!("The accumulator of one perspective of [`{marker}`]."),
    ]
}
