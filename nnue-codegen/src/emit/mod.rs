//! Descriptor to tokens: declarations, and one straight-line `forward` over the runtime's kernels.
//!
//! The expansion contains no `unsafe` and no loops. What users may name stands outside; everything else is inside
//! `const _`, where `__rt` is the runtime.

mod asserts;
mod descriptor;
mod docs;
mod forward;
mod names;
mod params;
mod path;
mod types;

use nnue_spec::{FeatureSetId, NetDesc};
use proc_macro2::TokenStream;
use quote::quote;

use crate::syntax::ast::Declaration;
use names::Names;
use path::CratePath;

/// Everything that a declaration expands to. `embedded` is the expression for the bytes of its file, if it names one.
pub(crate) fn emit(net: &NetDesc<'_>, declaration: &Declaration, embedded: Option<&TokenStream>) -> TokenStream {
    let path = CratePath::new(declaration.crate_path.as_ref());
    let names = Names::new(&declaration.name);
    let types = types::emit_types(net, declaration, &names, &path);
    let architecture = emit_architecture(net, &names);
    let parameters = params::emit_parameters(net, &names);
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

fn emit_architecture(net: &NetDesc<'_>, names: &Names) -> TokenStream {
    let Names { marker, params, accumulator, .. } = names;
    let rt = quote!(__rt);
    let spec = descriptor::emit_descriptor(net);
    let features = types::emit_feature_type(net.features[0].set, &rt, marker);
    let pairs = net.features[1..].iter().map(|feature| types::emit_feature_type(feature.set, &rt, marker));
    let pairs = quote!((#(#pairs,)*));
    let transformer = types::emit_transformer_type(net, &rt);
    let forward = forward::emit_forward(net);
    let them = if forward::reads_them(net) { quote!(them) } else { quote!(_them) };
    quote! {
        impl __rt::Architecture for #marker {
            const SPEC: __rt::NetDesc<'static> = #spec;
            type Features = #features;
            type Pairs = #pairs;
            type Params = #params;
            type Transformer = #transformer;

            fn transformer(params: &#params) -> &Self::Transformer {
                &params.ft
            }

            #[inline(always)]
            fn forward<S: __rt::Simd>(
                simd: S,
                params: &#params,
                us: &#accumulator,
                #them: &#accumulator,
                stack: usize,
            ) -> i32 {
                #forward
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
