//! Paths into the runtime; only this module spells the hidden module.

use proc_macro2::TokenStream;
use quote::quote;

/// The path of the facade crate, as seen by the program.
#[derive(Clone)]
pub(crate) struct CratePath(TokenStream);

impl CratePath {
    /// `::nnue`, or the path of `#[nnue(crate = path)]`.
    pub(crate) fn new(path: Option<&syn::Path>) -> Self {
        Self(path.map_or_else(|| quote!(::nnue), |path| quote!(#path)))
    }

    /// The facade crate, for links in documentation and for public names.
    pub(crate) fn facade(&self) -> &TokenStream {
        &self.0
    }

    /// The hidden module of items for expansions. Its name carries the version, so that a mismatch of macro
    /// and runtime fails with one clear error.
    pub(crate) fn runtime(&self) -> TokenStream {
        let facade = &self.0;
        quote!(#facade::__private0)
    }
}
