//! The expansion of networks that the runtime interprets from their descriptor, without a generated forward
//! pass.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::docs::{companion_docs, marker_docs};
use super::names::Names;
use super::path::CratePath;
use crate::syntax::ast::Declaration;
use crate::syntax::attribute::{companion_attributes, conditions, custom_use_allowed};

/// The marker, the type of the network from `module` of the runtime, and a block with `items`, which name the
/// runtime `__rt`. The documentation shows `notation` and `table`.
pub(super) fn emit_described(
    declaration: &Declaration,
    module: &str,
    [notation, table]: [&str; 2],
    items: &TokenStream,
) -> TokenStream {
    let Declaration {
        attributes,
        visibility,
        ..
    } = declaration;
    let path = CratePath::new(declaration.crate_path.as_ref());
    let Names {
        marker, network, ..
    } = Names::new(&declaration.name);
    let (rt, facade) = (path.runtime(), path.facade());
    let link = format!("{}::{module}::Network", facade.to_string().replace(' ', ""));
    let docs = marker_docs(notation, table, &link, attributes);
    let [_, network_docs, _] = companion_docs(&marker);
    let companion = companion_attributes(attributes);
    let (conditions, custom_use) = (conditions(attributes), custom_use_allowed(attributes));
    let module = format_ident!("{module}");
    quote! {
        #(#attributes)*
        #docs
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
        #visibility struct #marker;

        #companion
        #[doc = #network_docs]
        #visibility type #network = #facade::#module::Network<#marker>;

        #conditions
        #custom_use
        const _: () = {
            use #rt as __rt;
            #items
        };
    }
}
