//! Attributes of declarations: `#[nnue(crate = path)]`, and those that are copied to every generated item.

use nnue_spec::diagnostic::Code;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::ParseStream;
use syn::{Attribute, LitStr, Token};

use super::place::{Place, Wrong};

/// The attributes `#[cfg(..)]`: conditions of the declaration and its whole expansion.
pub(crate) fn conditions(attributes: &[Attribute]) -> TokenStream {
    attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("cfg"))
        .map(Attribute::to_token_stream)
        .collect()
}

/// The attributes that named generated items share with the type: `#[cfg(..)]` and `#[deprecated]`.
pub(crate) fn companion_attributes(attributes: &[Attribute]) -> TokenStream {
    let deprecated = attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("deprecated"));
    let deprecated = deprecated.map(Attribute::to_token_stream);
    let (conditions, allowed) = (conditions(attributes), custom_use_allowed(attributes));
    quote!(#conditions #(#deprecated)* #allowed)
}

/// Allows items of the expansion to name a deprecated type without a warning.
pub(crate) fn custom_use_allowed(attributes: &[Attribute]) -> Option<TokenStream> {
    let is_deprecation = |attribute: &Attribute| {
        attribute.path().is_ident("deprecated") || attribute.path().is_ident("cfg_attr")
    };
    attributes
        .iter()
        .any(is_deprecation)
        .then(|| quote!(#[allow(deprecated)]))
}

/// Removes `#[nnue(crate = path)]` from the attributes.
pub(super) fn take_crate_path(
    attributes: &mut Vec<Attribute>,
    wrongs: &mut Vec<Wrong>,
) -> Option<syn::Path> {
    let mut path = None;
    attributes.retain(|attribute| {
        if !attribute.path().is_ident("nnue") {
            return true;
        }
        match attribute.parse_args_with(parse_crate_path) {
            Ok(found) => path = Some(found),
            Err(error) => {
                let message = format!("malformed attribute: {error}");
                let wrong = Wrong::new(Code::CrateAttribute, Place::of(error.span()), message);
                wrongs.push(wrong.help("the attribute is `#[nnue(crate = path::to::nnue)]`"));
            }
        }
        false
    });
    path
}

fn parse_crate_path(input: ParseStream) -> syn::Result<syn::Path> {
    input.parse::<Token![crate]>()?;
    input.parse::<Token![=]>()?;
    if input.peek(LitStr) {
        return Err(input.error("the path is written without quotes"));
    }
    syn::Path::parse_mod_style(input)
}
