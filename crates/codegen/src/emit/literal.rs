//! Numbers and element types in generated code.

use nnue_spec::{ElementType, Unit};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// A number without a type suffix.
pub(crate) fn number(value: usize) -> Literal {
    Literal::usize_unsuffixed(value)
}

pub(super) fn emit_unit(Unit { num, den }: Unit) -> TokenStream {
    let [num, den] = [num, den].map(Literal::u64_unsuffixed);
    quote!(__rt::Unit { num: #num, den: #den })
}

pub(super) fn emit_element(element: ElementType) -> TokenStream {
    match element {
        ElementType::I8 => quote!(__rt::ElementType::I8),
        ElementType::I16 => quote!(__rt::ElementType::I16),
        ElementType::I32 => quote!(__rt::ElementType::I32),
        ElementType::F32 => quote!(__rt::ElementType::F32),
    }
}
