//! Named outputs: a type for each, a struct of all, and the forward pass that computes the requested ones.
//!
//! ```text
//!   steps that the value or two outputs need
//!   let h0_wdl = if WANTED & 2 != 0 { steps that only `wdl` needs; Wdl::new([..]) } else { Wdl::new([0.0; 3]) };
//!   let h1_moves_left = if WANTED & 4 != 0 { .. } else { 0.0 };
//!   if !rows.is_empty() { steps that only the rows need; rows_on_demand(.., rows, ..) }
//!   (output, ExampleOutputs { wdl: h0_wdl, moves_left: h1_moves_left })
//! ```

use nnue_spec::text::camel_case;
use nnue_spec::{HeadDesc, HeadKind, HeadSource, NetDesc};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;

use super::float::{emit_output_type, emit_unit};
use super::forward::{emit_output, emit_steps};
use super::item::Item;
use super::literal::number;
use super::names::{Names, buffer_name, layer_name};
use super::operand::emit_bytes;
use super::operand::{emit_neuron, reads_them};
use super::path::CratePath;
use super::words;
use crate::syntax::attribute::companion_attributes;

/// `ExampleOutputs`, `ExampleWdl`, ..; nothing without such outputs. Rows on demand have no type.
pub(crate) fn emit_types(
    net: &NetDesc<'_>,
    item: &Item<'_>,
    names: &Names,
    path: &CratePath,
) -> TokenStream {
    if computed(net).next().is_none() {
        return TokenStream::new();
    }
    let (companion, visibility, marker) = (
        companion_attributes(item.attributes),
        item.visibility,
        names.marker.unraw(),
    );
    let (all, all_docs) = (
        all_name(names),
        format!("The outputs of [`{marker}`] beside its value."),
    );
    let fields = computed(net).map(|(_, head)| {
        let (docs, name, ty) = (
            docs(net, head),
            field_name(names, head),
            value_type(head, path.facade()),
        );
        quote!(#[doc = #docs] pub #name: #ty)
    });
    let types = computed(net).map(|(_, head)| {
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

/// `impl NamedOutputs for Example`, and the types that a caller can request.
pub(crate) fn emit_impls(net: &NetDesc<'_>, item: &Item<'_>, names: &Names) -> TokenStream {
    if net.heads.is_empty() {
        return TokenStream::new();
    }
    let Names {
        marker,
        params,
        accumulator,
        ..
    } = names;
    let (output, all, forward) = (
        emit_output_type(net),
        outputs_type(net, names),
        emit_forward(net, item, names),
    );
    let (heads, policy) = (emit_heads(net, names), emit_policy(net, names));
    let them = if reads_them(net) {
        mixed!(them)
    } else {
        mixed!(_them)
    };
    let rows = if policy.is_some() {
        mixed!(rows)
    } else {
        mixed!(_rows)
    };
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
                #rows: &mut __rt::Rows<'_>,
            ) -> (#output, #all) {
                #forward
            }
        }
        #heads
        #policy
    }
}

/// `impl Heads<Example>` for the struct of all outputs and for the type of each.
fn emit_heads(net: &NetDesc<'_>, names: &Names) -> TokenStream {
    if computed(net).next().is_none() {
        return TokenStream::new();
    }
    let (marker, all) = (&names.marker, all_name(names));
    let every: u32 = computed(net).map(|(index, _)| 2 << index).sum();
    let each = computed(net).map(|(index, head)| {
        let field = field_name(names, head);
        (type_name(names, head), 2 << index, mixed!(Self(all.#field)))
    });
    let impls = each
        .chain([(all.clone(), every, mixed!(*all))])
        .map(|(name, wanted, value)| {
            let wanted = Literal::u32_unsuffixed(wanted);
            mixed! {
                impl __rt::Heads<#marker> for #name {
                    const WANTED: u32 = #wanted;

                    #[inline(always)]
                    fn of(all: &#all) -> Self {
                        #value
                    }
                }
            }
        });
    impls.collect()
}

/// `impl Policy for Example`, if it has rows on demand.
fn emit_policy(net: &NetDesc<'_>, names: &Names) -> Option<TokenStream> {
    let rows = number(
        net.heads
            .iter()
            .find(|head| head.kind == HeadKind::Rows)?
            .len,
    );
    let marker = &names.marker;
    Some(mixed! {
        impl __rt::Policy for #marker {
            const ROWS: usize = #rows;
        }
    })
}

fn emit_forward(net: &NetDesc<'_>, item: &Item<'_>, names: &Names) -> TokenStream {
    let shared = emit_steps(net, item, |readers| {
        readers & 1 != 0 || readers.count_ones() > 1
    });
    let heads = net.heads.iter().enumerate().map(|(index, head)| {
        let own = emit_steps(net, item, |readers| readers == 2 << index);
        if head.kind == HeadKind::Rows {
            let rows = emit_rows(net, head);
            return mixed!(if !rows.is_empty() { #own #rows });
        }
        let (local, bit) = (local_name(index, head), Literal::u32_unsuffixed(2 << index));
        let (value, nothing) = (emit_value(net, head), emit_nothing(head));
        mixed!(let #local = if __Heads::WANTED & #bit != 0 { #own #value } else { #nothing };)
    });
    let fields = computed(net).map(|(index, head)| {
        let (field, local) = (field_name(names, head), local_name(index, head));
        mixed!(#field: #local)
    });
    let all = computed(net).next().map_or(mixed!(()), |_| {
        let all = all_name(names);
        mixed!(#all { #(#fields),* })
    });
    let output = emit_output(net);
    mixed!(#shared #(#heads)* (#output, #all))
}

/// The outputs that are computed in full, with their indices.
fn computed<'n>(net: &'n NetDesc<'n>) -> impl Iterator<Item = (usize, &'n HeadDesc<'n>)> {
    net.heads
        .iter()
        .enumerate()
        .filter(|(_, head)| head.kind != HeadKind::Rows)
}

/// The rows listed by the caller, of a layer that reads one buffer.
fn emit_rows(net: &NetDesc<'_>, head: &HeadDesc<'_>) -> TokenStream {
    let HeadSource::Layer(layer) = head.source else {
        return TokenStream::new();
    };
    if net.reads_words(layer) {
        return words::emit_rows(net, layer, head.unit);
    }
    let (name, x, unit) = (
        layer_name(net, layer),
        emit_bytes(net, net.layers[layer].segments[0].buffer),
        emit_unit(head.unit),
    );
    mixed!(__rt::rows_on_demand::<__Simd, _, _, _, _>(simd, #x, &params.#name, stack, rows, #unit);)
}

/// The numbers of an output, each converted by its unit.
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
        (HeadKind::Numbers | HeadKind::Rows, _) => mixed!([#(#numbers),*]),
    }
}

/// The placeholder of an output that was not requested. It is not used.
fn emit_nothing(head: &HeadDesc<'_>) -> TokenStream {
    let len = number(head.len);
    match (head.kind, head.len) {
        (HeadKind::Wdl, _) => mixed!(__rt::Wdl::new([0.0; #len])),
        (HeadKind::Numbers, 1) => mixed!(0.0_f32),
        (HeadKind::Numbers | HeadKind::Rows, _) => mixed!([0.0_f32; #len]),
    }
}

fn value_type(head: &HeadDesc<'_>, facade: &TokenStream) -> TokenStream {
    let len = number(head.len);
    match (head.kind, head.len) {
        (HeadKind::Wdl, _) => quote!(#facade::Wdl),
        (HeadKind::Numbers, 1) => quote!(f32),
        (HeadKind::Numbers | HeadKind::Rows, _) => quote!([f32; #len]),
    }
}

/// Documentation of an output.
fn docs(net: &NetDesc<'_>, head: &HeadDesc<'_>) -> String {
    let of = match head.source {
        HeadSource::Layer(layer) => format!("of `{}`", net.layers[layer].name),
        HeadSource::Buffer(buffer) => format!("of `{}`", net.buffers[buffer].name),
    };
    match (head.kind, head.len) {
        (HeadKind::Wdl, _) => format!("the outputs {of} for a loss, a draw and a win."),
        (HeadKind::Numbers, 1) => format!("a number {of}."),
        (HeadKind::Numbers | HeadKind::Rows, len) => format!("{len} numbers {of}."),
    }
}

/// The struct of all outputs, or `()` if there are only rows.
fn outputs_type(net: &NetDesc<'_>, names: &Names) -> TokenStream {
    computed(net).next().map_or(mixed!(()), |_| {
        let all = all_name(names);
        mixed!(#all)
    })
}

/// `ExampleOutputs`
fn all_name(names: &Names) -> Ident {
    format_ident!(
        "{}Outputs",
        names.marker.unraw(),
        span = names.marker.span()
    )
}

/// `ExampleMovesLeft`
fn type_name(names: &Names, head: &HeadDesc<'_>) -> Ident {
    format_ident!(
        "{}{}",
        names.marker.unraw(),
        camel_case(head.name),
        span = names.marker.span()
    )
}

/// `moves_left`
fn field_name(names: &Names, head: &HeadDesc<'_>) -> Ident {
    Ident::new(head.name, names.marker.span())
}

/// The local with an output: `h1_moves_left`.
fn local_name(index: usize, head: &HeadDesc<'_>) -> Ident {
    Ident::new(&format!("h{index}_{}", head.name), Span::mixed_site())
}
