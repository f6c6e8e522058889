//! Outputs with names of their own: a type of each, a struct of all, and the forward pass that computes those that are asked for.
//!
//! ```text
//!   steps that the value or two outputs need
//!   let h0_wdl = if WANTED & 2 != 0 { steps that only `wdl` needs; Wdl::new([..]) } else { Wdl::new([0.0; 3]) };
//!   let h1_moves_left = if WANTED & 4 != 0 { .. } else { 0.0 };
//!   (output, ExampleOutputs { wdl: h0_wdl, moves_left: h1_moves_left })
//! ```

use nnue_spec::text::camel_case;
use nnue_spec::{HeadDesc, HeadKind, HeadSource, NetDesc};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;

use super::descriptor::number;
use super::float::{emit_output_type, emit_unit};
use super::forward::{emit_output, emit_steps};
use super::item::Item;
use super::names::{Names, buffer_name};
use super::operand::{emit_neuron, reads_them};
use super::path::CratePath;
use crate::syntax::attribute::companion_attributes;

/// `ExampleOutputs`, `ExampleWdl`, ..; nothing if there are no such outputs.
pub(crate) fn emit_types(net: &NetDesc<'_>, item: &Item<'_>, names: &Names, path: &CratePath) -> TokenStream {
    if net.heads.is_empty() {
        return TokenStream::new();
    }
    let (companion, visibility, marker) =
        (companion_attributes(item.attributes), item.visibility, names.marker.unraw());
    let (all, all_docs) = (all_name(names), format!("The outputs of [`{marker}`] beside its value."));
    let fields = net.heads.iter().map(|head| {
        let (docs, name, ty) = (docs(net, head), field_name(names, head), value_type(head, path.facade()));
        quote!(#[doc = #docs] pub #name: #ty)
    });
    let types = net.heads.iter().map(|head| {
        let (name, ty) = (type_name(names, head), value_type(head, path.facade()));
        let docs = format!("The output `{}` of [`{marker}`]: {}", head.name, docs(net, head));
        quote! {
            #companion
            #[doc = #docs]
            #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug, ::core::cmp::PartialEq)]
            #visibility struct #name(pub #ty);
        }
    });
    quote! {
        #companion
        #[doc = #all_docs]
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug, ::core::cmp::PartialEq)]
        #visibility struct #all {
            #(#fields,)*
        }
        #(#types)*
    }
}

/// `impl NamedOutputs for Example`, and `impl Heads<Example>` for each type.
pub(crate) fn emit_impls(net: &NetDesc<'_>, item: &Item<'_>, names: &Names) -> TokenStream {
    if net.heads.is_empty() {
        return TokenStream::new();
    }
    let Names { marker, params, accumulator, .. } = names;
    let (all, output, forward) = (all_name(names), emit_output_type(net), emit_forward(net, item, names));
    let them = if reads_them(net) { mixed!(them) } else { mixed!(_them) };
    let every = Literal::u32_unsuffixed((2 << net.heads.len()) - 2);
    let each = net.heads.iter().enumerate().map(|(index, head)| {
        let (name, field, bit) = (type_name(names, head), field_name(names, head), Literal::u32_unsuffixed(2 << index));
        mixed! {
            impl __rt::Heads<#marker> for #name {
                const WANTED: u32 = #bit;

                #[inline(always)]
                fn of(all: &#all) -> Self {
                    Self(all.#field)
                }
            }
        }
    });
    mixed! {
        impl __rt::NamedOutputs for #marker {
            type Outputs = #all;

            #[inline(always)]
            fn forward_with<__Simd: __rt::Simd, __Heads: __rt::Heads<Self>>(
                simd: __Simd,
                params: &#params,
                us: &#accumulator,
                #them: &#accumulator,
                stack: usize,
            ) -> (#output, #all) {
                #forward
            }
        }
        impl __rt::Heads<#marker> for #all {
            const WANTED: u32 = #every;

            #[inline(always)]
            fn of(all: &#all) -> Self {
                *all
            }
        }
        #(#each)*
    }
}

fn emit_forward(net: &NetDesc<'_>, item: &Item<'_>, names: &Names) -> TokenStream {
    let shared = emit_steps(net, item, |readers| readers & 1 != 0 || readers.count_ones() > 1);
    let heads = net.heads.iter().enumerate().map(|(index, head)| {
        let own = emit_steps(net, item, |readers| readers == 2 << index);
        let (local, bit) = (local_name(index, head), Literal::u32_unsuffixed(2 << index));
        let (value, nothing) = (emit_value(net, head), emit_nothing(head));
        mixed!(let #local = if __Heads::WANTED & #bit != 0 { #own #value } else { #nothing };)
    });
    let fields = net.heads.iter().enumerate().map(|(index, head)| {
        let (field, local) = (field_name(names, head), local_name(index, head));
        mixed!(#field: #local)
    });
    let (output, all) = (emit_output(net), all_name(names));
    mixed!(#shared #(#heads)* (#output, #all { #(#fields),* }))
}

/// The numbers of an output, each a value times its unit.
fn emit_value(net: &NetDesc<'_>, head: &HeadDesc<'_>) -> TokenStream {
    let unit = emit_unit(head.unit);
    let mut numbers = (head.start..head.start + head.len).map(|index| {
        let value = match head.source {
            HeadSource::Layer(layer) => emit_neuron(net, layer, index),
            HeadSource::Buffer(buffer) => {
                let (buffer, index) = (buffer_name(net, buffer), number(index));
                mixed!(#buffer.values()[#index])
            }
        };
        mixed!(__rt::in_unit(#value as f32, #unit))
    });
    match (head.kind, head.len) {
        (HeadKind::Wdl, _) => mixed!(__rt::Wdl::new([#(#numbers),*])),
        (HeadKind::Numbers, 1) => numbers.next().unwrap_or_default(),
        (HeadKind::Numbers, _) => mixed!([#(#numbers),*]),
    }
}

/// What stands for an output that nobody asked for.
fn emit_nothing(head: &HeadDesc<'_>) -> TokenStream {
    let len = number(head.len);
    match (head.kind, head.len) {
        (HeadKind::Wdl, _) => mixed!(__rt::Wdl::new([0.0; #len])),
        (HeadKind::Numbers, 1) => mixed!(0.0_f32),
        (HeadKind::Numbers, _) => mixed!([0.0_f32; #len]),
    }
}

fn value_type(head: &HeadDesc<'_>, facade: &TokenStream) -> TokenStream {
    let len = number(head.len);
    match (head.kind, head.len) {
        (HeadKind::Wdl, _) => quote!(#facade::Wdl),
        (HeadKind::Numbers, 1) => quote!(f32),
        (HeadKind::Numbers, _) => quote!([f32; #len]),
    }
}

/// What an output is, for people.
fn docs(net: &NetDesc<'_>, head: &HeadDesc<'_>) -> String {
    let of = match head.source {
        HeadSource::Layer(layer) => format!("of `{}`", net.layers[layer].name),
        HeadSource::Buffer(buffer) => format!("of `{}`", net.buffers[buffer].name),
    };
    match (head.kind, head.len) {
        (HeadKind::Wdl, _) => format!("the outputs {of} for a loss, a draw and a win."),
        (HeadKind::Numbers, 1) => format!("a number {of}."),
        (HeadKind::Numbers, len) => format!("{len} numbers {of}."),
    }
}

/// `ExampleOutputs`
fn all_name(names: &Names) -> Ident {
    format_ident!("{}Outputs", names.marker.unraw(), span = names.marker.span())
}

/// `ExampleMovesLeft`
fn type_name(names: &Names, head: &HeadDesc<'_>) -> Ident {
    format_ident!("{}{}", names.marker.unraw(), camel_case(head.name), span = names.marker.span())
}

/// `moves_left`
fn field_name(names: &Names, head: &HeadDesc<'_>) -> Ident {
    Ident::new(head.name, names.marker.span())
}

/// The local with an output: `h1_moves_left`.
fn local_name(index: usize, head: &HeadDesc<'_>) -> Ident {
    Ident::new(&format!("h{index}_{}", head.name), Span::mixed_site())
}
