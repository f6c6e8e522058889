//! Shards: the last inputs of a layer reach one group of outputs each.

use alloc::format;
use alloc::string::String;

use super::value::Value;
use super::{MAX_OUTPUTS, Walk};
use crate::descriptor::Shards;
use crate::diagnostic::Code;
use crate::graph::Reach;
use crate::loc::{Loc, Located};
use crate::model::ReachSpec;

impl Walk<'_, '_> {
    /// The shards of a layer; all inputs reach all outputs if they are refused.
    pub(super) fn check_shards(
        &mut self,
        shards: ReachSpec,
        outputs: Located<u64>,
        binary: Option<Loc>,
        value: &Value<'_>,
    ) -> Reach {
        let (count, width) = (shards.count.value, shards.size.value);
        let wanted = count.saturating_mul(width);
        let inputs = value.len();
        let (loc, message, help): (_, String, String) = if binary.is_some() {
            let message = "a binary layer has a sign for each weight, and none is 0";
            (shards.loc, message.into(), "leave `shards` out".into())
        } else if count < 2 {
            let message = format!("a layer has two shards or more, not {count}");
            (shards.count.loc, message, "leave `shards` out".into())
        } else if width == 0 {
            let message = "a shard has one input or more, not 0";
            (shards.size.loc, message.into(), "leave `shards` out".into())
        } else if let Some(inputs) = inputs.filter(|&inputs| inputs < wanted) {
            let message = format!(
                "{count} shards of {width} need {wanted} inputs, and the layer reads {inputs}"
            );
            (
                shards.size.loc,
                message,
                fewer_inputs(inputs / count, count),
            )
        } else if inputs.is_none() || !(1..=MAX_OUTPUTS).contains(&outputs.value) {
            return Reach::All; // reported already
        } else if !outputs.value.is_multiple_of(count) {
            let message = format!(
                "{} outputs are not {count} equal groups, one for each shard",
                outputs.value
            );
            (outputs.loc, message, whole_groups(outputs.value, count))
        } else {
            return Reach::Shards(Shards {
                count: count as usize,
                width: width as usize,
            });
        };
        self.error(Code::Shards, loc, message, help);
        Reach::All
    }
}

fn fewer_inputs(most: u64, count: u64) -> String {
    match most {
        0 => "write fewer shards, or leave `shards` out".into(),
        most => format!("write at most `shards {count} of {most}`"),
    }
}

/// The nearest valid numbers of outputs.
fn whole_groups(outputs: u64, count: u64) -> String {
    match outputs / count * count {
        0 => format!("the nearest is {count}"),
        below => format!("the nearest are {below} and {}", below + count),
    }
}
