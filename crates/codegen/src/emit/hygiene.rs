//! Hygienic names for functions that call the program's code, which cannot see local names of the expansion:
//! an activation called `simd` or `stack` is the program's function, not an argument.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// `quote!` with hygienic local names. Items and types are resolved at the declaration.
macro_rules! mixed {
    ($($tokens:tt)*) => {
        ::quote::quote_spanned!(::proc_macro2::Span::mixed_site()=> $($tokens)*)
    };
}

/// Tokens of a text with the spans of [`mixed!`].
pub(super) fn mixed_tokens(tokens: TokenStream) -> TokenStream {
    let mixed = tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) => {
            let mut inside = Group::new(group.delimiter(), mixed_tokens(group.stream()));
            inside.set_span(Span::mixed_site());
            TokenTree::Group(inside)
        }
        mut token => {
            token.set_span(Span::mixed_site());
            token
        }
    });
    mixed.collect()
}

/// The name of a function that takes the item at `path`, with the span of the path, so that an unsatisfied
/// bound of the function is underlined there.
pub(super) fn demanding(path: &syn::Path, function: TokenStream) -> TokenStream {
    let mut spans = path.to_token_stream().into_iter().map(|token| token.span());
    let Some(first) = spans.next() else {
        return function;
    };
    placed(function, first, spans.last().unwrap_or(first))
}

/// The same tokens with spans from `first` to `last`.
pub(super) fn placed(tokens: TokenStream, first: Span, last: Span) -> TokenStream {
    let placed = tokens.into_iter().enumerate().map(|(at, mut token)| {
        token.set_span(if at == 0 { first } else { last });
        token
    });
    placed.collect()
}
