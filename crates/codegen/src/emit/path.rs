//! Paths into the runtime: the only place that spells the hidden inventory.

use proc_macro2::TokenStream;
use quote::quote;

/// The path of the facade crate, as the user sees it.
#[derive(Clone)]
pub(crate) struct CratePath(TokenStream);

impl CratePath {
    /// `::nnue`, or the path of `#[nnue(crate = path)]`.
    pub(crate) fn new(path: Option<&syn::Path>) -> Self {
        Self(path.map_or_else(|| quote!(::nnue), |path| quote!(#path)))
    }

    /// The crate itself, for links in documentation and for public names.
    pub(crate) fn facade(&self) -> &TokenStream {
        &self.0
    }

    /// The inventory of what expansions use. Its name carries the version, so that a mismatched pair of macro and runtime
    /// fails with one clear line.
    pub(crate) fn runtime(&self) -> TokenStream {
        let facade = &self.0;
        quote!(#facade::__private0)
    }
}
