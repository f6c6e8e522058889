//! The macro `nnue!` as it is where `nnue` has no features but `std`: the tests of the project have all of them.
#![forbid(unsafe_code)]

use nnue_codegen::{Features, expand_for};
use proc_macro::TokenStream;

/// `nnue::nnue!` without features.
#[proc_macro]
pub fn nnue(input: TokenStream) -> TokenStream {
    const NONE: Features = Features {
        dense: false,
        golden: false,
        subnets: false,
    };
    expand_for(input.into(), NONE).into()
}
