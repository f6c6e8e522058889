//! `[average]`.

use crate::optimizer::Averaging;

use super::Length;
use crate::run::Error;
use crate::run::table::Table;

#[derive(Clone, Copy)]
enum Rule {
    Exponential,
    Uniform,
}

/// Reads the kind of average; `None` to validate and save the last weights.
pub(super) fn read(mut table: Table<'_>, length: Length) -> Result<Option<Averaging>, Error> {
    let rule = table.choice(
        "rule",
        &[
            ("exponential", Rule::Exponential),
            ("uniform", Rule::Uniform),
        ],
    )?;
    let decay = table.number(
        "decay",
        0.0..=1.0 - f64::EPSILON,
        "a number from 0 to below 1",
    )?;
    let after = table.count("after", 0..=length.superbatches - 1)?;
    let averaging = match rule {
        None if decay.is_some() || after.is_some() => {
            return Err(table.refuse(
                "rule",
                "`average.rule` is missing: `exponential` or `uniform`",
            ));
        }
        None => None,
        Some(Rule::Exponential) if after.is_some() => {
            return Err(table.refuse(
                "after",
                "an exponential average has `decay`, and counts from the first batch",
            ));
        }
        Some(Rule::Exponential) => Some(Averaging::Exponential {
            decay: decay.unwrap_or(0.999),
        }),
        Some(Rule::Uniform) if decay.is_some() => {
            return Err(table.refuse(
                "decay",
                "a uniform average has `after`: superbatches that do not count",
            ));
        }
        Some(Rule::Uniform) => {
            let after = after.unwrap_or(length.superbatches * 3 / 4);
            Some(Averaging::Uniform {
                from: after * length.batches,
            })
        }
    };
    table.finish()?;
    Ok(averaging)
}
