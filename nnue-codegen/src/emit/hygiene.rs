//! Names of functions that call code of the user's. What they bind is seen by nothing that the user wrote: an activation called `simd` or
//! `stack` is the user's function, not an argument.

use proc_macro2::TokenStream;
use quote::ToTokens;

/// `quote!`, with local names of the macro's own. Items and types are found where the declaration stands, as ever.
macro_rules! mixed {
    ($($tokens:tt)*) => {
        ::quote::quote_spanned!(::proc_macro2::Span::mixed_site()=> $($tokens)*)
    };
}

/// The name of a function that is called with what `path` names, in the place of the path: what the function demands of it, and does not
/// find, is underlined there.
pub(super) fn demanding(path: Option<&syn::Path>, function: TokenStream) -> TokenStream {
    let mut spans = path.to_token_stream().into_iter().map(|token| token.span());
    let Some(first) = spans.next() else { return function };
    let last = spans.last().unwrap_or(first);
    let placed = function.into_iter().enumerate().map(|(at, mut token)| {
        token.set_span(if at == 0 { first } else { last });
        token
    });
    placed.collect()
}
