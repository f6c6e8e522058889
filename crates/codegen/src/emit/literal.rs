//! Numbers in generated code.

use nnue_spec::Unit;
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
