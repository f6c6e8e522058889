//! Token helpers for reading programs.

use proc_macro2::{TokenStream, TokenTree};

/// Groups nested deeper are skipped, to limit recursion.
pub(super) const MAX_DEPTH: usize = 64;

pub(super) type Tokens = std::iter::Peekable<std::vec::IntoIter<TokenTree>>;

pub(super) fn tokens(stream: TokenStream) -> Tokens {
    stream
        .into_iter()
        .collect::<Vec<_>>()
        .into_iter()
        .peekable()
}

pub(super) fn is_name(token: Option<&TokenTree>, name: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if *ident == name)
}

pub(super) fn is_punct(token: Option<&TokenTree>, punct: char) -> bool {
    matches!(token, Some(TokenTree::Punct(found)) if found.as_char() == punct)
}
