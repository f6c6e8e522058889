//! The implementation of `Parameters`: the tensors in file order.

use nnue_spec::{LayerKind, NetDesc, TensorDesc, TensorRole};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::descriptor::number;
use super::names::{Names, layer_name};

/// `impl Parameters for NameParams`
pub(crate) fn emit_parameters(net: &NetDesc<'_>, names: &Names) -> TokenStream {
    let Names { marker, params, .. } = names;
    let layers: Vec<_> = (0..net.layers.len()).map(|layer| layer_name(net, layer)).collect();
    let indices = (0..net.layers.len()).map(number);
    let zeroed = net.layers.iter().map(|layer| match layer.kind {
        LayerKind::Row => quote!(__rt::RowLayer::zeroed()),
        LayerKind::Sparse | LayerKind::Dense => quote!(__rt::Layer::zeroed()),
    });
    let tensors: Vec<_> = net.tensors.iter().map(|tensor| emit_place(net, tensor)).collect();
    quote! {
        impl __rt::Parameters for #params {
            fn zeroed() -> Self {
                Self {
                    ft: __rt::FeatureTransformer::zeroed(),
                    #(#layers: #zeroed,)*
                }
            }

            fn tensors(&self) -> __rt::Vec<__rt::TensorRef<'_>> {
                __rt::vec![#(self.#tensors.tensor()),*]
            }

            fn tensors_mut(&mut self) -> __rt::Vec<__rt::TensorMut<'_>> {
                __rt::vec![#(self.#tensors.tensor_mut()),*]
            }

            fn prepare(&mut self, level: __rt::Level) {
                let net = &<#marker as __rt::Architecture>::SPEC;
                #(self.#layers.prepare(net, #indices, level);)*
            }
        }
    }
}

/// Where a tensor stands among the parameters.
fn emit_place(net: &NetDesc<'_>, tensor: &TensorDesc<'_>) -> TokenStream {
    match tensor.role {
        TensorRole::TransformerBias => quote!(ft.bias),
        TensorRole::TransformerWeight => quote!(ft.weight),
        TensorRole::TransformerPsqt => quote!(ft.psqt),
        TensorRole::ExtraWeight(set) => {
            let field = format_ident!("ft{set}");
            quote!(#field.weight)
        }
        TensorRole::ExtraPsqt(set) => {
            let field = format_ident!("ft{set}");
            quote!(#field.psqt)
        }
        TensorRole::LayerBias(layer) => {
            let layer = layer_name(net, layer);
            quote!(#layer.bias)
        }
        TensorRole::LayerWeight(layer) => {
            let layer = layer_name(net, layer);
            quote!(#layer.weight)
        }
    }
}
