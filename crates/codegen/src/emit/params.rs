//! The implementations of `Parameters`, the tensors in file order, and of `Embedded`.

use nnue_spec::{LayerKind, NetDesc, TensorDesc, TensorRole};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::descriptor::emit_role;
use super::literal::number;
use super::names::{Names, layer_name};
use crate::weights::Embedded;

/// `impl Parameters for NameParams`
pub(crate) fn emit_parameters(net: &NetDesc<'_>, names: &Names) -> TokenStream {
    let Names { marker, params, .. } = names;
    let layers: Vec<_> = (0..net.layers.len())
        .map(|layer| layer_name(net, layer))
        .collect();
    let indices = (0..net.layers.len()).map(number);
    let zeroed = net
        .layers
        .iter()
        .enumerate()
        .map(|(index, layer)| match layer.kind {
            LayerKind::Rows | LayerKind::Words if net.reads_words(index) => {
                quote!(__rt::WordsLayer::zeroed())
            }
            LayerKind::Row => quote!(__rt::RowLayer::zeroed()),
            LayerKind::Rows | LayerKind::Words => quote!(__rt::RowsLayer::zeroed()),
            LayerKind::Direct => quote!(__rt::DirectLayer::zeroed()),
            LayerKind::Integer if layer.is_integer_row() => quote!(__rt::IntegerRow::zeroed()),
            LayerKind::Integer => quote!(__rt::IntegerLayer::zeroed()),
            LayerKind::Binary => quote!(__rt::BinaryLayer::zeroed()),
            LayerKind::Float { .. } if layer.is_float_row() => quote!(__rt::FloatRow::zeroed()),
            LayerKind::Float { .. } => quote!(__rt::FloatLayer::zeroed()),
            LayerKind::BlockSparse { .. } => quote!(__rt::BlockSparseLayer::zeroed()),
            LayerKind::Sparse | LayerKind::Dense => quote!(__rt::Layer::zeroed()),
        });
    let tensors = net.tensors.iter().map(|tensor| emit_tensor(net, tensor));
    let tensors_mut = net
        .tensors
        .iter()
        .map(|tensor| emit_tensor_mut(net, tensor));
    let pairs = emit_pairs_mut(net);
    let transformer = quote!(__rt::FeatureTransformer::zeroed());
    let transformer = match net.accumulator.separate {
        true => quote!(__rt::Separate { first: #transformer, second: #transformer }),
        false => transformer,
    };
    let psqt =
        (net.accumulator.psqt_floats > 0).then(|| quote!(psqt: __rt::FeatureFloats::zeroed(),));
    quote! {
        impl __rt::Parameters for #params {
            fn zeroed() -> Self {
                Self {
                    ft: #transformer,
                    #psqt
                    #(#layers: #zeroed,)*
                }
            }

            fn tensors(&self) -> __rt::Vec<__rt::TensorRef<'_>> {
                __rt::vec![#(#tensors),*]
            }

            fn tensors_mut(&mut self) -> __rt::Vec<__rt::TensorMut<'_>> {
                #pairs
                __rt::vec![#(#tensors_mut),*]
            }

            fn prepare(&mut self, level: __rt::Level) {
                let net = &<#marker as __rt::Model>::SPEC;
                #(self.#layers.prepare(net, #indices, level);)*
            }
        }
    }
}

/// `impl Embedded for Name`
pub(crate) fn emit_embedded(net: &NetDesc<'_>, names: &Names, embedded: &Embedded) -> TokenStream {
    let Names { marker, params, .. } = names;
    let bytes = &embedded.bytes;
    let in_place = embedded.in_place.iter().map(|&role| {
        let field = match place(net, role) {
            Place::Whole(field) | Place::Part { field, .. } => field,
        };
        (emit_role(role), quote!(params.#field.embed(bytes)))
    });
    let (roles, fields): (Vec<_>, Vec<_>) = in_place.unzip();
    let in_place = (!roles.is_empty()).then(|| {
        quote! {
            const IN_PLACE: &'static [__rt::TensorRole] = &[#(#roles),*];

            fn embed(params: &mut #params, role: __rt::TensorRole, bytes: &'static [u8]) {
                match role {
                    #(#roles => #fields,)*
                    _ => {}
                }
            }
        }
    });
    quote! {
        impl __rt::Embedded for #marker {
            const BYTES: &'static [u8] = #bytes;
            #in_place
        }
    }
}

/// The place of a tensor among the parameters.
enum Place {
    /// a field
    Whole(TokenStream),
    /// rows of the field that holds all sets of pairs, for feature set `set`
    Part { field: TokenStream, set: usize },
}

/// The transformer of the first perspective.
fn first_transformer(net: &NetDesc<'_>) -> TokenStream {
    if net.accumulator.separate {
        quote!(ft.first)
    } else {
        quote!(ft)
    }
}

fn place(net: &NetDesc<'_>, role: TensorRole) -> Place {
    let (first, floats) = (first_transformer(net), net.accumulator.psqt_floats > 0);
    match role {
        TensorRole::TransformerBias => Place::Whole(quote!(#first.bias)),
        TensorRole::TransformerWeight => Place::Whole(quote!(#first.weight)),
        TensorRole::SecondBias => Place::Whole(quote!(ft.second.bias)),
        TensorRole::SecondWeight => Place::Whole(quote!(ft.second.weight)),
        TensorRole::TransformerPsqt if floats => Place::Whole(quote!(psqt.pieces)),
        TensorRole::TransformerPsqt => Place::Whole(quote!(ft.psqt)),
        TensorRole::ExtraPsqt(set) if floats => Place::Part {
            field: quote!(psqt.pairs),
            set,
        },
        TensorRole::ExtraWeight(set) => Place::Part {
            field: quote!(#first.pair_weight),
            set,
        },
        TensorRole::SecondExtraWeight(set) => Place::Part {
            field: quote!(ft.second.pair_weight),
            set,
        },
        TensorRole::ExtraPsqt(set) => Place::Part {
            field: quote!(ft.pair_psqt),
            set,
        },
        TensorRole::LayerBias(layer) => {
            let layer = layer_name(net, layer);
            Place::Whole(quote!(#layer.bias))
        }
        TensorRole::LayerWeight(layer) => {
            let layer = layer_name(net, layer);
            Place::Whole(quote!(#layer.weight))
        }
        TensorRole::LayerScale(layer) => {
            let layer = layer_name(net, layer);
            Place::Whole(quote!(#layer.scale))
        }
    }
}

fn emit_tensor(net: &NetDesc<'_>, tensor: &TensorDesc<'_>) -> TokenStream {
    match place(net, tensor.role) {
        Place::Whole(field) => quote!(self.#field.tensor()),
        Place::Part { field, set } => {
            let start = number(
                net.features[1..set]
                    .iter()
                    .map(|feature| feature.rows)
                    .sum(),
            );
            let rows = number(net.features[set].rows);
            quote!(self.#field.part(#start, #rows))
        }
    }
}

/// A `TensorMut`. [`emit_pairs_mut`] names those of sets of pairs.
fn emit_tensor_mut(net: &NetDesc<'_>, tensor: &TensorDesc<'_>) -> TokenStream {
    match place(net, tensor.role) {
        Place::Whole(field) => quote!(self.#field.tensor_mut()),
        Place::Part { .. } => {
            let name = format_ident!("{}", tensor.name);
            quote!(#name)
        }
    }
}

/// Splits the tensors with the rows of all sets of pairs: one `TensorMut` per set.
fn emit_pairs_mut(net: &NetDesc<'_>) -> TokenStream {
    let rows: Vec<_> = net.features[1..]
        .iter()
        .map(|feature| number(feature.rows))
        .collect();
    let first = first_transformer(net);
    let psqt = if net.accumulator.psqt_floats > 0 {
        quote!(psqt.pairs)
    } else {
        quote!(ft.pair_psqt)
    };
    let parts = [
        (
            quote!(#first.pair_weight),
            TensorRole::ExtraWeight as fn(usize) -> TensorRole,
        ),
        (quote!(ft.second.pair_weight), TensorRole::SecondExtraWeight),
        (psqt, TensorRole::ExtraPsqt),
    ];
    let parts = parts.into_iter().filter_map(|(field, role)| {
        let name = |set| {
            net.tensors
                .iter()
                .find(|tensor| tensor.role == role(set))
                .map(|tensor| tensor.name)
        };
        let names: Option<Vec<_>> = (1..net.features.len())
            .map(|set| Some(format_ident!("{}", name(set)?)))
            .collect();
        let names = names.filter(|names| !names.is_empty())?;
        Some(quote!(let [#(#names),*] = self.#field.parts_mut([#(#rows),*]);))
    });
    quote!(#(#parts)*)
}
