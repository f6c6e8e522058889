//! The descriptor of an elementwise expression.

use nnue_spec::{MapDesc, MapSource, Scalar};
use proc_macro2::{Literal, TokenStream};

use super::literal::{emit_element, emit_unit, number};

/// `__rt::MapDesc::new(..)`
pub(super) fn emit_map(map: &MapDesc<'_>) -> TokenStream {
    let operands = map.operands.iter().map(|operand| {
        let start = number(operand.start);
        match operand.source {
            MapSource::Accumulator => mixed!(__rt::MapOperand::ACCUMULATORS),
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
    let element = emit_element(map.element);
    mixed! {
        __rt::MapDesc::new(&[#(#operands),*], &[#(#code),*], #element, (#least, #greatest), #unit)
    }
}

/// An operation, whose `Debug` text is its variant with literals.
fn emit_scalar(scalar: &Scalar) -> TokenStream {
    let variant: TokenStream = format!("{scalar:?}").parse().unwrap_or_default();
    mixed!(__rt::Scalar::#variant)
}
