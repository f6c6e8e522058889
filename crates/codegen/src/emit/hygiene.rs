//! Names of functions that call code of the user's. What they bind is seen by nothing that the user wrote: an activation called `simd` or
//! `stack` is the user's function, not an argument.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// `quote!`, with local names of the macro's own. Items and types are found where the declaration stands, as ever.
macro_rules! mixed {
    ($($tokens:tt)*) => {
        ::quote::quote_spanned!(::proc_macro2::Span::mixed_site()=> $($tokens)*)
    };
}

/// The name of a function that is called with what `path` names, in the place of the path: what the function demands of it, and does not
/// find, is underlined there.
pub(super) fn demanding(path: &syn::Path, function: TokenStream) -> TokenStream {
    let mut spans = path.to_token_stream().into_iter().map(|token| token.span());
    let Some(first) = spans.next() else {
        return function;
    };
    placed(function, first, spans.last().unwrap_or(first))
}

/// The same tokens, from the place `first` to the place `last`.
pub(super) fn placed(tokens: TokenStream, first: Span, last: Span) -> TokenStream {
    let placed = tokens.into_iter().enumerate().map(|(at, mut token)| {
        token.set_span(if at == 0 { first } else { last });
        token
    });
    placed.collect()
}
