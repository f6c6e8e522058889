//! Rules that choose a layer stack by active rows.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::descriptor::{CustomSet, FeatureSetId};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::loc::Loc;
use crate::model::{InputSpec, NetSpec};
use crate::rows::RowMeasure;
use crate::suggest::nearest;

/// The first row and the number of rows that the rule reads; `None` if they are not known.
pub(super) fn rows_of_rule(spec: &NetSpec) -> Option<(u32, u32)> {
    let (input, set) = listed(spec)?;
    let Some(name) = &spec.stacks.group else {
        return Some((0, set.rows));
    };
    let mut first = 0;
    for (group, rows) in &input.groups {
        if *group == name.value {
            return Some((first, *rows));
        }
        first += rows;
    }
    None
}

fn listed(spec: &NetSpec) -> Option<(&InputSpec, CustomSet)> {
    spec.inputs.iter().find_map(|input| match input.set.value {
        FeatureSetId::Custom(set) if set.is_listed() => Some((input, set)),
        _ => None,
    })
}

/// Every number of active rows must choose a stack that exists, and every stack must be used.
pub(super) fn check_row_rule(spec: &NetSpec, by: RowMeasure, loc: Loc, sink: &mut Sink) {
    let Some((input, set)) = listed(spec) else {
        let message = "rows choose the stacks of networks over `rows[..]` only".to_string();
        sink.push(
            Diagnostic::new(Code::RowRule, loc, message)
                .help("write for example `by (piece_count - 1) / 4`"),
        );
        return;
    };
    let Some((_, rows)) = rows_of_rule(spec) else {
        if let Some(name) = &spec.stacks.group {
            let message = format!("there is no group `{}` of rows", name.value);
            sink.push(
                Diagnostic::new(Code::RowRule, name.loc, message)
                    .help(groups_of(input, &name.value))
                    .related(input.set.loc, "the rows"),
            );
        }
        return;
    };
    let count = spec.stacks.count;
    let (greatest, chooses, help) = match by {
        RowMeasure::Count { divide: 0, .. } => {
            sink.push(
                Diagnostic::new(Code::SelectorDivisor, loc, "the rule divides by 0")
                    .help("write the number of rows per stack, for example `by row_count / 8`"),
            );
            return;
        }
        RowMeasure::Count { minus, divide } => {
            let most = rows.min(set.most_active);
            let fitting = (u64::from(most.saturating_sub(minus)) + 1).div_ceil(count.value.max(1));
            (
                most.saturating_sub(minus) / divide,
                format!("{most} active rows choose"),
                format!(
                    "`/ {fitting}` divides {most} rows among {} stacks",
                    count.value
                ),
            )
        }
        RowMeasure::Row => (
            rows - 1,
            format!("the last row of `{}` chooses", group_name(spec)),
            format!("declare {rows} stacks, one for each row of the group"),
        ),
    };
    let last = u64::from(greatest);
    let diagnostic = if last >= count.value {
        let message = format!("{chooses} stack {last} of {} (the first is 0)", count.value);
        Diagnostic::new(Code::SelectorRange, loc, message)
    } else if last + 1 < count.value {
        let message = format!("stacks above {last} are never used: {chooses} stack {last}");
        Diagnostic::new(Code::UnusedStacks, loc, message)
    } else {
        return;
    };
    sink.push(
        diagnostic
            .help(help)
            .related(count.loc, "the number of stacks"),
    );
}

fn group_name(spec: &NetSpec) -> &str {
    spec.stacks
        .group
        .as_ref()
        .map_or("rows", |group| &group.value)
}

/// Advice for a group that does not exist.
fn groups_of(input: &InputSpec, name: &str) -> String {
    let names = || input.groups.iter().map(|(name, _)| name.as_str());
    match nearest(name, names()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if input.groups.is_empty() => {
            "name the groups: `rows[features: 4096, history: 1024]`".into()
        }
        None => format!(
            "the groups are `{}`",
            names().collect::<Vec<_>>().join("`, `")
        ),
    }
}
