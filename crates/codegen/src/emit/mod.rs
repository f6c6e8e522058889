//! Descriptor to tokens: declarations, and one straight-line `forward` over the runtime's kernels.
//!
//! The expansion contains no `unsafe` and no loops. Public items are outside; everything else is inside
//! `const _`, where `__rt` is the runtime.

#[macro_use]
mod hygiene;
#[macro_use]
mod constants;
mod integer;
mod literal;
mod map;

mod asserts;
mod binary;
mod dense;
mod described;
mod descriptor;
mod docs;
mod expression;
mod float;
mod forward;
mod golden;
mod heads;
mod item;
mod names;
mod operand;
mod params;
mod path;
mod subnets;
mod types;
mod words;

use nnue_spec::{FeatureSetId, NetDesc, Selector};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

pub(crate) use dense::emit_dense;
pub(crate) use item::{Custom, Golden, Item};
pub(crate) use literal::number;
use names::Names;
use path::CratePath;
pub(crate) use subnets::emit_subnets;

use crate::syntax::attribute::{conditions, custom_use_allowed};
use crate::weights::Embedded;

/// The whole expansion of a declaration, with its embedded file, if there is one.
pub(crate) fn emit(net: &NetDesc<'_>, item: &Item<'_>, embedded: Option<&Embedded>) -> TokenStream {
    let path = CratePath::new(item.crate_path);
    let names = Names::new(item.name);
    let types = types::emit_types(net, item, &names, &path);
    let architecture = emit_architecture(net, &names, item);
    let parameters = params::emit_parameters(net, &names);
    let embedded = embedded.map(|embedded| params::emit_embedded(net, &names, embedded));
    let asserts = asserts::emit_asserts(net, item);
    let kings = emit_king_table(net.features.iter().map(|feature| feature.set), &names);
    let (head_types, heads) = (
        heads::emit_types(net, item, &names, &path),
        heads::emit_impls(net, item, &names),
    );
    let rt = path.runtime();
    let (conditions, custom_use) = (
        conditions(item.attributes),
        custom_use_allowed(item.attributes),
    );
    quote! {
        #types
        #head_types

        #conditions
        #custom_use
        const _: () = {
            use #rt as __rt;
            #architecture
            #heads
            #parameters
            #embedded
            #kings
            #asserts
        };
    }
}

/// `impl Model`, and the impls for chess or for another game.
fn emit_architecture(net: &NetDesc<'_>, names: &Names, item: &Item<'_>) -> TokenStream {
    let Names {
        marker,
        params,
        accumulator,
        ..
    } = names;
    let rt = quote!(__rt);
    let spec = descriptor::emit_descriptor(net);
    let (game, architecture) = if net.is_of_chess() {
        emit_chess(net, marker, item)
    } else {
        emit_custom(net, marker, item)
    };
    let transformer = types::emit_transformer_type(net, &rt);
    let forward = forward::emit_forward(net, item);
    let output = float::emit_output_type(net);
    let floats = (net.accumulator.psqt_floats > 0).then(|| {
        quote! {
            fn psqt_floats(params: &#params) -> __rt::FloatRows<'_> {
                params.psqt.rows()
            }
        }
    });
    let them = if operand::reads_them(net) {
        mixed!(them)
    } else {
        mixed!(_them)
    };
    mixed! {
        impl __rt::Model for #marker {
            const SPEC: __rt::NetDesc<'static> = #spec;
            type Game = #game;
            type Params = #params;
            type Transformer = #transformer;
            type Output = #output;

            fn transformer(params: &#params) -> &Self::Transformer {
                &params.ft
            }

            #floats

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
        #architecture
    }
}

/// The game and the architecture of a chess network: its feature sets, and the stack selector.
fn emit_chess(net: &NetDesc<'_>, marker: &Ident, item: &Item<'_>) -> (TokenStream, TokenStream) {
    let rt = quote!(__rt);
    let features = types::emit_feature_type(net.features[0].set, &rt, item);
    let pairs = net.features[1..]
        .iter()
        .map(|feature| types::emit_feature_type(feature.set, &rt, item));
    let pairs = quote!((#(#pairs,)*));
    let stack = item.custom.stack.map(|function| {
        mixed! {
            fn stack<__Position: __rt::Position>(position: &__Position, _pieces: usize) -> usize {
                #function(position)
            }
        }
    });
    let architecture = quote! {
        impl __rt::Architecture for #marker {
            type Features = #features;
            type Pairs = #pairs;
            #stack
        }
    };
    (quote!(__rt::game::Chess<#features, #pairs>), architecture)
}

/// The game and the architecture of a network over custom inputs, or over rows that the caller lists.
fn emit_custom(net: &NetDesc<'_>, marker: &Ident, item: &Item<'_>) -> (TokenStream, TokenStream) {
    let inputs = types::emit_feature_type(net.features[0].set, &quote!(__rt), item);
    let custom = &item.custom;
    let stack = custom.stack.map(|function| {
        mixed! {
            fn stack(position: &<#inputs as __rt::game::Inputs>::Position) -> usize {
                #function(position)
            }
        }
    });
    let stack = match net.stacks.selector {
        Selector::Rows(_) => Some(quote! {
            fn stack(position: &__rt::RowSets) -> usize {
                <#marker as __rt::Model>::SPEC.stacks.select_by_rows(position.own_list())
            }
        }),
        _ => stack,
    };
    let golden = if net.has_listed_rows() {
        golden::emit_golden_rows(net)
    } else {
        golden::emit_golden(&inputs, &custom.goldens)
    };
    let architecture = quote! {
        impl __rt::game::Architecture for #marker {
            type Inputs = #inputs;
            #stack
            #golden
        }
    };
    (quote!(__rt::game::Custom<#marker>), architecture)
}

/// The marker carries the table of king buckets, because the feature set is generic over it.
fn emit_king_table(sets: impl Iterator<Item = FeatureSetId>, names: &Names) -> Option<TokenStream> {
    let marker = &names.marker;
    let mut tables = sets.filter_map(|set| match set {
        FeatureSetId::King(buckets) => Some(descriptor::emit_king_buckets(buckets)),
        _ => None,
    });
    tables.next().map(|table| {
        quote! {
            impl __rt::KingTable for #marker {
                const BUCKETS: __rt::KingBuckets = #table;
            }
        }
    })
}
