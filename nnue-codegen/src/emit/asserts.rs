//! Assertions that only the compiler of the user's crate can check, at the user's tokens.

use nnue_spec::NetDesc;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::descriptor::number;
use super::types::emit_feature_type;
use crate::syntax::ast::Declaration;

/// The macro and the runtime, or the user's own code, must agree about the rows of the feature sets.
pub(crate) fn emit_asserts(net: &NetDesc<'_>, declaration: &Declaration) -> TokenStream {
    let features = net.features.iter().enumerate().filter_map(|(index, feature)| {
        let (set, rows) = (emit_feature_type(feature.set, &quote!(__rt), declaration), number(feature.rows));
        if feature.set.is_own() {
            // The error of two lengths that differ gives both numbers.
            let place = declaration.own_rows()?;
            return Some(quote_spanned! {place=>
                const _: [(); #rows] = [(); <#set as __rt::game::Inputs>::ROWS];
            });
        }
        let kind = if index == 0 { quote!(FeatureSet) } else { quote!(PairSet) };
        let message = format!("feature set `{}` has another number of rows in the runtime", feature.set.name());
        Some(quote_spanned! {declaration.name.span()=>
            const _: () = ::core::assert!(<#set as __rt::#kind>::ROWS == #rows, #message);
        })
    });
    quote!(#(#features)*)
}
