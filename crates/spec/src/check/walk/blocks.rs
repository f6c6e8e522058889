//! Block-sparse layers: each input has weights for some blocks of outputs only, and is a byte.

use alloc::format;
use alloc::string::String;

use super::value::Value;
use super::{MAX_OUTPUTS, Walk};
use crate::descriptor::ElementType;
use crate::diagnostic::Code;
use crate::graph::Reach;
use crate::layout::OUTPUT_BLOCK;
use crate::loc::Located;
use crate::model::ReachSpec;

/// Outputs per block, in the type of declarations.
const BLOCK: u64 = OUTPUT_BLOCK as u64;

impl Walk<'_, '_> {
    /// The blocks that inputs reach; all if the clause is refused.
    pub(super) fn check_blocks(
        &mut self,
        ReachSpec {
            count: reached,
            size,
            loc,
            ..
        }: ReachSpec,
        (outputs, element): (Located<u64>, Located<ElementType>),
        is_binary: bool,
        value: &Value<'_>,
    ) -> Reach {
        let words = matches!(value, Value::Read { runs, .. } if self.are_words(runs));
        let integers = matches!(value, Value::Read { runs, .. } if self.nodes.are_integers(runs));
        let (loc, message, help) = if is_binary {
            let message = "a binary layer has a sign for each weight, and none is 0";
            (loc, message.into(), "leave `blocks` out".into())
        } else if element.value != ElementType::I8 {
            let message = format!(
                "weights of a block-sparse layer are `i8`, not `{}`",
                element.value.name()
            );
            (
                element.loc,
                message,
                format!(
                    "leave the type out, `{} blocks {} of {BLOCK}`, or `blocks`",
                    outputs.value, reached.value
                ),
            )
        } else if words {
            let message =
                "a block-sparse layer reads bytes, and this one reads what is kept in 16 bits";
            (loc, message.into(), "leave `blocks` or `as i16` out".into())
        } else if integers {
            let message =
                "a block-sparse layer reads bytes, and this one reads integers of an expression";
            (loc, message.into(), "leave `blocks` out".into())
        } else if size.value != BLOCK {
            let message = format!("a block has {BLOCK} outputs, not {}", size.value);
            (
                size.loc,
                message,
                format!("write `blocks {} of {BLOCK}`", reached.value),
            )
        } else if !(1..=MAX_OUTPUTS).contains(&outputs.value) {
            return Reach::All; // reported already
        } else if !outputs.value.is_multiple_of(BLOCK) || outputs.value == BLOCK {
            let message = format!(
                "a block-sparse layer has two blocks of {BLOCK} outputs or more, not {} outputs",
                outputs.value
            );
            (outputs.loc, message, whole_blocks(outputs.value))
        } else if !(1..outputs.value / BLOCK).contains(&reached.value) {
            let (blocks, most) = (outputs.value / BLOCK, outputs.value / BLOCK - 1);
            let message = format!(
                "of {blocks} blocks, an input reaches 1 to {most}, not {}",
                reached.value
            );
            let help = match reached.value {
                0 => "write for example `blocks 1 of 16`".into(),
                _ => format!(
                    "leave `blocks` out: inputs of `affine(x, {})` reach all outputs",
                    outputs.value
                ),
            };
            (reached.loc, message, help)
        } else {
            return Reach::Blocks(reached.value as usize);
        };
        self.error(Code::BlockSparse, loc, message, help);
        Reach::All
    }
}

/// The nearest valid numbers of outputs.
fn whole_blocks(outputs: u64) -> String {
    match outputs / BLOCK {
        0 | 1 => format!("leave `blocks` out, or write {}", 2 * BLOCK),
        blocks => format!(
            "the nearest are {} and {}",
            blocks * BLOCK,
            (blocks + 1) * BLOCK
        ),
    }
}
