//! Golden positions of the program's own game: each is parsed from its text or returned by a function.

use nnue_spec::NetDesc;
use proc_macro2::{Literal, Span, TokenStream};
use quote::quote;

use super::Golden;
use super::hygiene::{demanding, placed};

/// `game::Architecture::golden`, if there are golden values.
pub(super) fn emit_golden(inputs: &TokenStream, goldens: &[Golden<'_>]) -> Option<TokenStream> {
    if goldens.is_empty() {
        return None;
    }
    let position = quote!(<#inputs as __rt::game::Inputs>::Position);
    let arms = goldens.iter().enumerate().map(|(index, golden)| {
        let index = Literal::usize_unsuffixed(index);
        let read = match golden {
            Golden::Function(path) => {
                let function = demanding(path, mixed!(__rt::with_position::<#position, _, _>));
                mixed!(::core::option::Option::Some(#function(#path(), read)))
            }
            Golden::Text(text, span) => of_text(&position, text, *span),
        };
        mixed!(#index => #read,)
    });
    Some(mixed! {
        fn golden<__Read>(index: usize, read: impl ::core::ops::FnOnce(&#position) -> __Read)
            -> ::core::option::Option<__Read>
        {
            match index {
                #(#arms)*
                _ => ::core::option::Option::None,
            }
        }
    })
}

/// `game::Architecture::golden` of a network over listed rows, if there are golden values.
pub(super) fn emit_golden_rows(net: &NetDesc<'_>) -> Option<TokenStream> {
    if net.goldens.is_empty() {
        return None;
    }
    Some(mixed! {
        fn golden<__Read>(index: usize, read: impl ::core::ops::FnOnce(&__rt::RowSets) -> __Read)
            -> ::core::option::Option<__Read>
        {
            __rt::rows::golden(&<Self as __rt::Model>::SPEC, index, read)
        }
    })
}

/// A position parsed from `text`. If its type cannot be parsed from a text, the error is at the text.
fn of_text(position: &TokenStream, text: &str, span: Span) -> TokenStream {
    let function = placed(mixed!(__rt::with_text::<#position, _>), span, span);
    mixed!(#function(#text, read))
}
