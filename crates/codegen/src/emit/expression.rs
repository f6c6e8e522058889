//! Elementwise expressions as functions of one value, or one vector, of each operand.

use nnue_spec::elementwise::fold;
use nnue_spec::layout::padded_sums;
use nnue_spec::{MapDesc, MapOperand, MapSource, NetDesc, Scalar};
use proc_macro2::{Ident, Span, TokenStream};
use quote::format_ident;

use super::hygiene::mixed_tokens;
use super::integer::emit_operand;
use super::literal::number;
use super::names::buffer_name;
use super::operand::emit_float_sums;

/// An expression over each index of its operands.
pub(super) fn emit_map(net: &NetDesc<'_>, map: usize, buffer: usize) -> TokenStream {
    let (name, desc) = (buffer_name(net, buffer), &net.maps[map]);
    let len = net.buffers[buffer].len;
    let count = number(desc.operands.len());
    let constants = constants![
        OPERANDS: usize = desc.operands.len(),
        LEN: usize = len,
        PADDED: usize = padded_sums(len),
    ];
    let sizes = constants.names();
    let names = operand_names(desc.operands);
    let result = emit_expression(desc, &names);
    let operands = desc.operands.iter();
    // A type, since a closure cannot be told to be inlined.
    let (function, call) = if desc.is_float() {
        let read = operands.map(|operand| emit_float_operand(net, operand, len));
        (
            mixed! {
                impl __rt::FloatExpression<#count> for Expression {
                    #[inline(always)]
                    fn of<__S: __rt::Simd>(simd: __S, [#(#names),*]: [__S::F32; #count]) -> __S::F32 {
                        #result
                    }
                }
            },
            mixed!(__rt::map_floats::<__Simd, Expression, #sizes>(simd, [#(#read),*])),
        )
    } else {
        let read = operands.map(|operand| emit_operand(net, operand, len));
        (
            mixed! {
                impl __rt::Elementwise<#count> for Expression {
                    #[inline(always)]
                    fn of([#(#names),*]: [::core::primitive::i32; #count]) -> ::core::primitive::i32 {
                        #result
                    }
                }
            },
            mixed!(__rt::map::<Expression, #sizes>([#(#read),*])),
        )
    };
    mixed! {
        let #name = {
            #constants
            struct Expression;
            #function
            #call
        };
    }
}

/// `x0`, `x1`, ..
fn operand_names(operands: &[MapOperand]) -> Vec<Ident> {
    (0..operands.len())
        .map(|index| format_ident!("x{index}", span = Span::mixed_site()))
        .collect()
}

/// `len` values of an operand as floats.
fn emit_float_operand(net: &NetDesc<'_>, operand: &MapOperand, len: usize) -> TokenStream {
    let [start, values, padded] = [operand.start, len, padded_sums(len)].map(number);
    if !net.reads_floats(operand.source) {
        let integers = emit_operand(net, operand, len);
        return mixed!(__rt::converted::<#values, #padded>(#integers));
    }
    let read = match operand.source {
        MapSource::Accumulator => unreachable!("accumulators are integers"),
        MapSource::Layer(layer) => emit_float_sums(net, layer),
        MapSource::Buffer(buffer) => {
            let name = buffer_name(net, buffer);
            mixed!(#name.values())
        }
    };
    mixed!(__rt::floats::<#start, #values, #padded>(#read))
}

/// An expression in Rust.
fn emit_expression(map: &MapDesc<'_>, operands: &[Ident]) -> TokenStream {
    let part = |scalar: Scalar, parts: &[String]| match scalar {
        Scalar::Operand(index) => operands[index].to_string(),
        scalar => match scalar.form(map.element).and_then(|form| form.rust) {
            Some(form) => scalar.written(form, parts),
            None => format!(
                "__rt::by_lanes::<::core::primitive::f32, _, _>(__rt::Scalar::{scalar:?}, [{}])",
                parts.join(", ")
            ),
        },
    };
    let text = fold(map.code, part).unwrap_or_default();
    mixed_tokens(text.parse().unwrap_or_default())
}
