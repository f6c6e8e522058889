//! `[policy]`: how moves map to rows.

use crate::move_rows::{Half, MoveRows, half_of};
use nnue_runtime::policy::Numbering;
use nnue_spec::HeadKind;
use nnue_spec::graph::Graph;
use nnue_spec::plan::plan;

use crate::run::Error;
use crate::run::table::Table;

/// Reads the rule, if the network has a policy.
pub(super) fn read(mut table: Table<'_>, graph: &Graph) -> Result<Option<MoveRows>, Error> {
    let Some(policy) = graph.heads.iter().find(|head| head.kind == HeadKind::Rows) else {
        table.finish()?;
        return Ok(None);
    };
    let rows = policy.run.len;
    let said = table
        .count("numbers", 1..=u32::MAX.into())?
        .map(|count| count as usize);
    let count = said.unwrap_or(rows);
    let Some(numbering) = Numbering::with_count(count) else {
        let schemes = Numbering::ALL
            .map(|scheme| scheme.count().to_string())
            .join(", ");
        let message = format!(
            "no scheme numbers {count} moves\nhelp: `policy.numbers` is one of {schemes}; a policy of other rows is trained by a program of \
             its own, with `nnue_train` as a library"
        );
        return Err(table.refuse("numbers", message));
    };
    if count > rows {
        let message = format!("{count} moves are numbered, and the policy has {rows} rows");
        return Err(table.refuse("numbers", message));
    }
    let halves = [
        ("any", Half::Any),
        ("a-d", Half::QueenSide),
        ("e-h", Half::KingSide),
    ];
    let king = match table.choice("king", &halves)? {
        Some(half) => half,
        None => half_of(&plan(graph).tables().descriptor()),
    };
    let to_target = table
        .choice("castling", &[("rook", false), ("target", true)])?
        .unwrap_or(false);
    table.finish()?;
    Ok(Some(MoveRows {
        numbering,
        king,
        to_target,
    }))
}
