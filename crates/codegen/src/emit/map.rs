//! The descriptor of an elementwise expression.

use nnue_spec::{MapDesc, MapSource, Scalar};
use proc_macro2::{Literal, TokenStream};

use super::literal::{emit_unit, number};

/// The descriptor of an expression.
pub(super) fn emit_map(map: &MapDesc<'_>) -> TokenStream {
    let operands = map.operands.iter().map(|operand| {
        let start = number(operand.start);
        match operand.source {
            MapSource::Layer(layer) => {
                let layer = number(layer);
                mixed!(__rt::MapOperand::sums(#layer, #start))
            }
            MapSource::Buffer(buffer) => {
                let buffer = number(buffer);
                mixed!(__rt::MapOperand::values(#buffer, #start))
            }
        }
    });
    let code = map.code.iter().map(emit_scalar);
    let [least, greatest] = [map.range.0, map.range.1].map(Literal::i32_unsuffixed);
    let unit = emit_unit(map.unit);
    mixed!(__rt::MapDesc::new(&[#(#operands),*], &[#(#code),*], (#least, #greatest), #unit))
}

fn emit_scalar(scalar: &Scalar) -> TokenStream {
    let variant = match *scalar {
        Scalar::Operand(index) => {
            let index = number(index);
            mixed!(Operand(#index))
        }
        Scalar::Constant(constant) => {
            let constant = Literal::i32_unsuffixed(constant);
            mixed!(Constant(#constant))
        }
        Scalar::ShiftLeft(bits) => {
            let bits = Literal::u32_unsuffixed(bits);
            mixed!(ShiftLeft(#bits))
        }
        Scalar::ShiftRight(bits) => {
            let bits = Literal::u32_unsuffixed(bits);
            mixed!(ShiftRight(#bits))
        }
        Scalar::Divide(divisor) => {
            let divisor = Literal::i32_unsuffixed(divisor);
            mixed!(Divide(#divisor))
        }
        Scalar::Add => mixed!(Add),
        Scalar::Subtract => mixed!(Subtract),
        Scalar::Multiply => mixed!(Multiply),
        Scalar::Minimum => mixed!(Minimum),
        Scalar::Maximum => mixed!(Maximum),
        Scalar::Absolute => mixed!(Absolute),
    };
    mixed!(__rt::Scalar::#variant)
}
