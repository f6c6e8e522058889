//! Elementwise expressions as functions of one value, or one vector, of each operand.

use nnue_spec::elementwise::fold;
use nnue_spec::layout::padded_sums;
use nnue_spec::{ElementType, MapDesc, MapOperand, MapSource, NetDesc, Scalar};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::format_ident;

use super::integer::emit_operand;
use super::literal::number;
use super::names::buffer_name;
use super::operand::emit_float_sums;

/// An expression over each index of its operands.
pub(super) fn emit_map(net: &NetDesc<'_>, map: usize, buffer: usize) -> TokenStream {
    match net.maps[map].element {
        ElementType::F32 => emit_floats(net, map, buffer),
        _ => emit_integers(net, map, buffer),
    }
}

fn emit_integers(net: &NetDesc<'_>, map: usize, buffer: usize) -> TokenStream {
    let name = buffer_name(net, buffer);
    let MapDesc { operands, code, .. } = net.maps[map];
    let len = net.buffers[buffer].len;
    let [values, padded] = [len, padded_sums(len)].map(number);
    let names = operand_names(operands);
    let read = operands
        .iter()
        .map(|operand| emit_operand(net, operand, len));
    let count = number(operands.len());
    let result = emit_expression(code, &names, emit_integer);
    // A type, since a closure cannot be told to be inlined.
    mixed! {
        let #name = {
            struct Expression;
            impl __rt::Elementwise<#count> for Expression {
                #[inline(always)]
                fn of([#(#names),*]: [::core::primitive::i32; #count]) -> ::core::primitive::i32 {
                    #result
                }
            }
            __rt::map::<Expression, #count, #values, #padded>([#(#read),*])
        };
    }
}

fn emit_floats(net: &NetDesc<'_>, map: usize, buffer: usize) -> TokenStream {
    let name = buffer_name(net, buffer);
    let MapDesc { operands, code, .. } = net.maps[map];
    let len = net.buffers[buffer].len;
    let [values, padded] = [len, padded_sums(len)].map(number);
    let names = operand_names(operands);
    let read = operands
        .iter()
        .map(|operand| emit_float_operand(net, operand, len));
    let count = number(operands.len());
    let result = emit_expression(code, &names, emit_float);
    mixed! {
        let #name = {
            struct Expression;
            impl __rt::FloatExpression<#count> for Expression {
                #[inline(always)]
                fn of<__S: __rt::Simd>(simd: __S, [#(#names),*]: [__S::F32; #count]) -> __S::F32 {
                    #result
                }
            }
            __rt::map_floats::<__Simd, Expression, #count, #values, #padded>(simd, [#(#read),*])
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
        MapSource::Layer(layer) => emit_float_sums(net, layer),
        MapSource::Buffer(buffer) => {
            let name = buffer_name(net, buffer);
            mixed!(#name.values())
        }
    };
    mixed!(__rt::floats::<#start, #values, #padded>(#read))
}

/// An expression in Rust, with `of` for the text of each operation.
fn emit_expression(
    code: &[Scalar],
    operands: &[Ident],
    of: impl Fn(Scalar, &[TokenStream]) -> TokenStream,
) -> TokenStream {
    let part = |scalar, parts: &[TokenStream]| match scalar {
        Scalar::Operand(index) => {
            let operand = &operands[index];
            mixed!(#operand)
        }
        scalar => of(scalar, parts),
    };
    fold(code, part).unwrap_or_default()
}

/// An operation of integers: modulo 2^32, as in the specification.
fn emit_integer(scalar: Scalar, parts: &[TokenStream]) -> TokenStream {
    let (first, second) = (parts.first(), parts.get(1));
    match scalar {
        Scalar::Constant(constant) => {
            let constant = Literal::i32_suffixed(constant);
            mixed!((#constant))
        }
        Scalar::Add => mixed!(#first.wrapping_add(#second)),
        Scalar::Subtract => mixed!(#first.wrapping_sub(#second)),
        Scalar::Multiply => mixed!(#first.wrapping_mul(#second)),
        Scalar::Minimum => mixed!(::core::cmp::Ord::min(#first, #second)),
        Scalar::Maximum => mixed!(::core::cmp::Ord::max(#first, #second)),
        Scalar::Absolute => mixed!(#first.wrapping_abs()),
        Scalar::ShiftLeft(bits) => {
            let bits = Literal::u32_suffixed(bits);
            mixed!(#first.wrapping_shl(#bits))
        }
        Scalar::ShiftRight(bits) => {
            let bits = Literal::u32_suffixed(bits);
            mixed!(#first.wrapping_shr(#bits))
        }
        Scalar::Divide(divisor) => {
            let divisor = Literal::i32_suffixed(divisor);
            mixed!(#first.wrapping_div(#divisor))
        }
        other => unreachable!("{other:?} is not of integers"),
    }
}

/// An operation of vectors of floats.
fn emit_float(scalar: Scalar, parts: &[TokenStream]) -> TokenStream {
    let [first, second, third] = [0, 1, 2].map(|index| parts.get(index));
    match scalar {
        Scalar::Float(bits) => {
            let constant = Literal::f32_suffixed(f32::from_bits(bits));
            mixed!(simd.splat_f32(#constant))
        }
        Scalar::Add => mixed!(simd.add_f32(#first, #second)),
        Scalar::Subtract => mixed!(simd.sub_f32(#first, #second)),
        Scalar::Multiply => mixed!(simd.mul_f32(#first, #second)),
        Scalar::Minimum => mixed!(simd.min_f32(#first, #second)),
        Scalar::Maximum => mixed!(simd.max_f32(#first, #second)),
        Scalar::Absolute => mixed!(simd.abs_f32(#first)),
        Scalar::Quotient => mixed!(simd.div_f32(#first, #second)),
        Scalar::MultiplyAdd => mixed!(simd.mul_add_f32(#first, #second, #third)),
        Scalar::Exponential => mixed!(__rt::exp(simd, #first)),
        other => unreachable!("{other:?} is not of floats"),
    }
}
