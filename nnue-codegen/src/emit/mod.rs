//! Descriptor to tokens: declarations, and one straight-line `forward` over the runtime's kernels.
//!
//! The expansion contains no `unsafe` and no loops. What users may name stands outside; everything else is inside
//! `const _`, where `__rt` is the runtime.

#[macro_use]
mod hygiene;

mod asserts;
mod descriptor;
mod docs;
mod float;
mod forward;
mod names;
mod params;
mod path;
mod types;

use nnue_spec::{FeatureSetId, NetDesc};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::syntax::ast::Declaration;
use names::Names;
use path::CratePath;

/// Everything that a declaration expands to. `embedded` is the expression for the bytes of its file, if it names one.
pub(crate) fn emit(net: &NetDesc<'_>, declaration: &Declaration, embedded: Option<&TokenStream>) -> TokenStream {
    let path = CratePath::new(declaration.crate_path.as_ref());
    let names = Names::new(&declaration.name);
    let types = types::emit_types(net, declaration, &names, &path);
    let architecture = emit_architecture(net, &names, declaration);
    let parameters = params::emit_parameters(net, &names, declaration);
    let embedded = embedded.map(|bytes| emit_embedded(&names, bytes));
    let asserts = asserts::emit_asserts(net, declaration);
    let kings = emit_king_table(net, &names);
    let rt = path.runtime();
    quote! {
        #types

        const _: () = {
            use #rt as __rt;
            #architecture
            #parameters
            #embedded
            #kings
            #asserts
        };
    }
}

/// `impl Architecture`, or what stands for it where the feature set is the user's own.
fn emit_architecture(net: &NetDesc<'_>, names: &Names, declaration: &Declaration) -> TokenStream {
    let Names { marker, params, accumulator, .. } = names;
    let rt = quote!(__rt);
    let spec = descriptor::emit_descriptor(net);
    let (interface, features, game) = match declaration.own_inputs() {
        Some(inputs) => (quote!(Model), None, Some(emit_game(marker, inputs, declaration.own_stack()))),
        None => (quote!(Architecture), Some(emit_features(net, declaration)), None),
    };
    let transformer = types::emit_transformer_type(net, &rt);
    let forward = forward::emit_forward(net, declaration);
    let output = float::emit_output_type(net);
    let them = if forward::reads_them(net) { mixed!(them) } else { mixed!(_them) };
    mixed! {
        impl __rt::#interface for #marker {
            const SPEC: __rt::NetDesc<'static> = #spec;
            #features
            type Params = #params;
            type Transformer = #transformer;
            type Output = #output;

            fn transformer(params: &#params) -> &Self::Transformer {
                &params.ft
            }

            #[inline(always)]
            fn forward<__Simd: __rt::Simd>(
                simd: __Simd,
                params: &#params,
                us: &#accumulator,
                #them: &#accumulator,
                stack: usize,
            ) -> #output {
                #forward
            }
        }
        #game
    }
}

/// What a network of chess says besides its parameters: its feature sets, and the function that chooses among its stacks.
fn emit_features(net: &NetDesc<'_>, declaration: &Declaration) -> TokenStream {
    let rt = quote!(__rt);
    let features = types::emit_feature_type(net.features[0].set, &rt, declaration);
    let pairs = net.features[1..].iter().map(|feature| types::emit_feature_type(feature.set, &rt, declaration));
    let stack = declaration.own_stack().map(|function| {
        mixed! {
            fn stack<__Position: __rt::Position>(position: &__Position, _pieces: usize) -> usize {
                #function(position)
            }
        }
    });
    quote! {
        type Features = #features;
        type Pairs = (#(#pairs,)*);
        #stack
    }
}

/// The part of a network over a feature set of the user's own that depends on its game.
fn emit_game(marker: &Ident, inputs: &syn::Path, function: Option<&syn::Path>) -> TokenStream {
    let (position, stack) = match function {
        Some(function) => (mixed!(position), mixed!(#function(position))),
        None => (mixed!(_position), mixed!(0)),
    };
    quote! {
        impl __rt::game::Architecture for #marker {
            type Inputs = #inputs;

            fn stack(#position: &<#inputs as __rt::game::Inputs>::Position) -> usize {
                #stack
            }
        }
    }
}

/// The marker carries the table of king buckets for the feature set that is generic over it.
fn emit_king_table(net: &NetDesc<'_>, names: &Names) -> Option<TokenStream> {
    let marker = &names.marker;
    let tables = net.features.iter().filter_map(|feature| match feature.set {
        FeatureSetId::King(buckets) => Some(descriptor::emit_king_buckets(buckets)),
        _ => None,
    });
    let impls = tables.map(|table| {
        quote! {
            impl __rt::KingTable for #marker {
                const BUCKETS: __rt::KingBuckets = #table;
            }
        }
    });
    impls.into_iter().next()
}

fn emit_embedded(names: &Names, bytes: &TokenStream) -> TokenStream {
    let marker = &names.marker;
    quote! {
        impl __rt::Embedded for #marker {
            const BYTES: &'static [u8] = #bytes;
        }
    }
}
