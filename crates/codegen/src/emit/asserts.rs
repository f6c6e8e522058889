//! Compile-time assertions in the expansion.

use nnue_spec::{FeatureSetId, NetDesc};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::Item;
use super::literal::number;
use super::types::emit_feature_type;

/// The number of rows must be the same in the macro and in the runtime or the program's code.
pub(crate) fn emit_asserts(net: &NetDesc<'_>, item: &Item<'_>) -> TokenStream {
    let features = net.features.iter().enumerate();
    let asserts = features
        .filter_map(|(index, feature)| emit_assert(feature.set, feature.rows, index == 0, item));
    quote!(#(#asserts)*)
}

/// The assertion for one set, which is the first or a set of pairs.
pub(super) fn emit_assert(
    set: FeatureSetId,
    rows: usize,
    first: bool,
    item: &Item<'_>,
) -> Option<TokenStream> {
    if set.is_listed() {
        return None; // its rows are those that are declared
    }
    let (ty, rows) = (emit_feature_type(set, &quote!(__rt), item), number(rows));
    if set.is_custom() {
        // The type error shows both lengths. A missing `Inputs` implementation is reported once, elsewhere.
        let place = item.custom.rows?;
        return Some(quote_spanned! {place=>
            const _: [(); #rows] = {
                #[allow(unused_imports)] // a type that has `Inputs` does not need it
                use __rt::DeclaredRows as _;
                [(); __rt::RowsOf::<#ty, #rows>::ROWS]
            };
        });
    }
    let kind = if first {
        quote!(FeatureSet)
    } else {
        quote!(PairSet)
    };
    let message = format!(
        "feature set `{}` has another number of rows in the runtime",
        set.name()
    );
    Some(quote_spanned! {item.name.span()=>
        const _: () = ::core::assert!(<#ty as __rt::#kind>::ROWS == #rows, #message);
    })
}
