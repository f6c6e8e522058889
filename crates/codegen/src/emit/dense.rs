//! The expansion of a declaration over a dense input: its descriptor, and the types of its input and output.

use nnue_spec::dense::{Binary, DenseDesc, DenseNode, DenseOp, Shape};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::described::emit_described;
use super::literal::number;
use super::names::Names;
use crate::syntax::ast::Declaration;

pub(crate) fn emit_dense(net: &DenseDesc<'_>, declaration: &Declaration) -> TokenStream {
    let Names { marker, .. } = Names::new(&declaration.name);
    let desc = emit_desc(net);
    let (input, outputs) = (emit_input_type(net), number(net.output().len()));
    let items = quote! {
        impl __rt::dense::Architecture for #marker {
            const SPEC: __rt::dense::DenseDesc<'static> = #desc;
            type Input = #input;
            type Output = [f32; #outputs];
        }
    };
    emit_described(
        declaration,
        "dense",
        [&net.notation(), &net.table()],
        &items,
    )
}

/// Floats, or one word of bits per plane.
fn emit_input_type(net: &DenseDesc<'_>) -> TokenStream {
    let shape = net.input();
    let [len, planes] = [shape.len(), shape.channels()].map(number);
    match net.nodes[0].op {
        DenseOp::Bits if shape.pixels() <= 64 => quote!([u64; #planes]),
        DenseOp::Bits => quote!([u128; #planes]),
        _ => quote!([f32; #len]),
    }
}

fn emit_desc(net: &DenseDesc<'_>) -> TokenStream {
    let (name, fused) = (net.name, net.fused);
    let nodes = net.nodes.iter().map(|&DenseNode { op, operand, shape }| {
        let (op, operand, shape) = (emit_op(op), number(operand), emit_shape(shape));
        quote!(__rt::dense::DenseNode { op: __rt::dense::DenseOp::#op, operand: #operand, shape: #shape })
    });
    quote!(__rt::dense::DenseDesc { name: #name, nodes: &[#(#nodes),*], fused: #fused })
}

fn emit_op(op: DenseOp) -> TokenStream {
    match op {
        DenseOp::Input => quote!(Input),
        DenseOp::Bits => quote!(Bits),
        DenseOp::Conv2d {
            kernel,
            stride,
            padding,
            binary,
        } => {
            let [kernel, stride, padding] = [kernel, stride, padding].map(number);
            let binary = emit_binary(binary);
            quote!(Conv2d { kernel: #kernel, stride: #stride, padding: #padding, binary: #binary })
        }
        DenseOp::MaxPool2d { kernel, stride } => {
            let [kernel, stride] = [kernel, stride].map(number);
            quote!(MaxPool2d { kernel: #kernel, stride: #stride })
        }
        DenseOp::AvgPool2d { kernel, stride } => {
            let [kernel, stride] = [kernel, stride].map(number);
            quote!(AvgPool2d { kernel: #kernel, stride: #stride })
        }
        DenseOp::BatchNorm { eps } => {
            let eps = Literal::f64_unsuffixed(eps);
            quote!(BatchNorm { eps: #eps })
        }
        DenseOp::Flatten => quote!(Flatten),
        DenseOp::Reshape => quote!(Reshape),
        DenseOp::Affine { binary } => {
            let binary = emit_binary(binary);
            quote!(Affine { binary: #binary })
        }
        DenseOp::Activate(activation) => {
            let activation = format_ident!("{activation:?}");
            quote!(Activate(__rt::Activation::#activation))
        }
        DenseOp::Add { other } => {
            let other = number(other);
            quote!(Add { other: #other })
        }
        DenseOp::Concat { other } => {
            let other = number(other);
            quote!(Concat { other: #other })
        }
    }
}

fn emit_binary(binary: Option<Binary>) -> TokenStream {
    match binary {
        Some(Binary {
            one_scale,
            input_scale,
        }) => quote! {
            ::core::option::Option::Some(__rt::dense::Binary { one_scale: #one_scale, input_scale: #input_scale })
        },
        None => quote!(::core::option::Option::None),
    }
}

fn emit_shape(shape: Shape) -> TokenStream {
    match shape {
        Shape::Flat(len) => {
            let len = number(len);
            quote!(__rt::dense::Shape::Flat(#len))
        }
        Shape::Planes(sizes) => {
            let sizes = sizes.map(number);
            quote!(__rt::dense::Shape::Planes([#(#sizes),*]))
        }
    }
}
