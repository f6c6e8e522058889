//! Tokens of a program, one after the other.

use proc_macro2::{TokenStream, TokenTree};

/// Groups that are nested deeper are not read: the depth of recursion is limited.
pub(super) const MAX_DEPTH: usize = 64;

/// Tokens, one after the other.
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
