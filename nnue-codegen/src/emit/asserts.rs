//! Assertions that only the compiler of the user's crate can check, at the user's tokens.

use nnue_spec::NetDesc;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::descriptor::number;
use super::item::Item;
use super::types::emit_feature_type;

/// The macro and the runtime, or the user's own code, must agree about the rows of the feature sets.
pub(crate) fn emit_asserts(net: &NetDesc<'_>, item: &Item<'_>) -> TokenStream {
    let features = net.features.iter().enumerate().filter_map(|(index, feature)| {
        let (set, rows) = (emit_feature_type(feature.set, &quote!(__rt), item), number(feature.rows));
        if feature.set.is_custom() {
            // The error of two lengths that differ gives both numbers. That the set lacks `Inputs` is told once, elsewhere.
            let place = item.custom.rows?;
            return Some(quote_spanned! {place=>
                const _: [(); #rows] = {
                    #[allow(unused_imports)] // a type that has `Inputs` does not need it
                    use __rt::DeclaredRows as _;
                    [(); __rt::RowsOf::<#set, #rows>::ROWS]
                };
            });
        }
        let kind = if index == 0 { quote!(FeatureSet) } else { quote!(PairSet) };
        let message = format!("feature set `{}` has another number of rows in the runtime", feature.set.name());
        Some(quote_spanned! {item.name.span()=>
            const _: () = ::core::assert!(<#set as __rt::#kind>::ROWS == #rows, #message);
        })
    });
    quote!(#(#features)*)
}
