//! The expansion of a declaration of subnets: its descriptor, and the types of its inputs and its moves.

use nnue_spec::subnets::{SubnetGroup, SubnetProduct, SubnetsDesc};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::asserts::emit_assert;
use super::described::emit_described;
use super::descriptor::emit_set;
use super::item::{Custom, Item};
use super::literal::{emit_element, number};
use super::names::Names;
use super::{emit_king_table, types};
use crate::syntax::ast::Declaration;

pub(crate) fn emit_subnets(net: &SubnetsDesc<'_>, declaration: &Declaration) -> TokenStream {
    let Declaration {
        attributes,
        crate_path,
        visibility,
        name,
        ..
    } = declaration;
    let names = Names::new(name);
    let marker = &names.marker;
    let custom = Custom {
        inputs: declaration.custom_inputs(),
        rows: declaration.custom_rows(),
        stack: None,
        activations: Vec::new(),
        goldens: Vec::new(),
    };
    let item = Item {
        attributes,
        crate_path: crate_path.as_ref(),
        visibility,
        name,
        custom,
    };
    let (desc, inputs, products) = (
        emit_desc(net),
        emit_inputs(net, &item),
        number(net.products.len()),
    );
    let kings = emit_king_table([net.set].into_iter(), &names);
    // A stub has no name, and its rows do not match the custom set.
    let assert = (!net.name.is_empty()).then(|| emit_assert(net.set, net.rows(), true, &item));
    let items = quote! {
        impl __rt::subnets::Architecture for #marker {
            const SPEC: __rt::subnets::SubnetsDesc<'static> = #desc;
            type Inputs = #inputs;
            type Move = __rt::subnets::Move<#products>;
        }
        #kings
        #assert
    };
    emit_described(
        declaration,
        "subnets",
        [&net.notation(), &net.table()],
        &items,
    )
}

/// The type that finds the active rows.
fn emit_inputs(net: &SubnetsDesc<'_>, item: &Item<'_>) -> TokenStream {
    let set = types::emit_feature_type(net.set, &quote!(__rt), item);
    if net.set.is_custom() {
        quote!(__rt::subnets::Custom<#set>)
    } else {
        quote!(__rt::subnets::Chess<#set>)
    }
}

fn emit_desc(net: &SubnetsDesc<'_>) -> TokenStream {
    let SubnetsDesc { name, set_name, .. } = net;
    let (set, element, terms) = (
        emit_set(net.set, set_name),
        emit_element(net.element),
        number(net.terms),
    );
    let groups = net.groups.iter().map(|group| {
        let &SubnetGroup { name, count, width, one, activation } = group;
        let ([count, width], one) = ([count, width].map(number), Literal::i32_unsuffixed(one));
        let activation = format_ident!("{activation:?}");
        quote! {
            __rt::subnets::SubnetGroup {
                name: #name, count: #count, width: #width, one: #one, activation: __rt::Activation::#activation
            }
        }
    });
    let products = net
        .products
        .iter()
        .map(|&SubnetProduct { negative, groups }| {
            let groups = groups.map(number);
            quote!(__rt::subnets::SubnetProduct { negative: #negative, groups: [#(#groups),*] })
        });
    quote! {
        __rt::subnets::SubnetsDesc {
            name: #name,
            set: __rt::FeatureSetId::#set,
            set_name: #set_name,
            element: #element,
            groups: &[#(#groups),*],
            products: &[#(#products),*],
            terms: #terms,
        }
    }
}
