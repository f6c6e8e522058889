//! Faults of the choice of the layer stack: a file does not say which piece counts use which stack.

use nnue_spec::{NetDesc, Selector, StackDesc};

use super::fault::{Fault, Group};
use super::reading::Reading;

/// The stack for each piece count, 0 to 32.
type Table = [u8; 33];

/// The faults of the choice of the stack.
pub(super) fn faults(net: &NetDesc<'_>) -> Vec<Fault<'static>> {
    let count = net.stacks.count;
    if count < 2 {
        return Vec::new();
    }
    let declared = table(|pieces| net.stacks.select(pieces));
    let mut tried = vec![declared];
    let mut faults = Vec::new();
    for (says, other) in candidates(count, declared) {
        if tried.contains(&other) {
            continue;
        }
        tried.push(other);
        let stacks = StackDesc {
            count,
            selector: Selector::Table(other),
        };
        let change = move |reading: &mut Reading<'_>| reading.stacks = stacks;
        faults.push(Fault {
            group: Group::Stacks,
            says: format!("with output buckets {says}"),
            change: Box::new(change),
        });
    }
    faults
}

/// Common rules as declarations write them, and the declared one in reverse.
fn candidates(count: usize, declared: Table) -> Vec<(String, Table)> {
    let trainer = table(|pieces| pieces.saturating_sub(2) / 32_usize.div_ceil(count));
    let even = (32 / count).max(1);
    let backwards = declared.map(|stack| (count - 1) as u8 - stack);
    let mut all = vec![
        ("`by material_count`".to_owned(), trainer),
        (
            format!("`by (piece_count - 1) / {even}`"),
            table(|pieces| (pieces.saturating_sub(1) / even).min(count - 1)),
        ),
        (format!("in reverse, `by {}`", text(backwards)), backwards),
    ];
    if count == 8 {
        let curve = table(|pieces| ((63 - pieces) * (32 - pieces) / 225).min(7));
        all.push((
            "`by min((63 - piece_count) * (32 - piece_count) / 225, 7)`".to_owned(),
            curve,
        ));
    }
    all
}

fn table(select: impl Fn(usize) -> usize) -> Table {
    core::array::from_fn(|pieces| select(pieces) as u8)
}

/// A table in the language: `[0 x 12, 1 x 21]`.
fn text(table: Table) -> String {
    let entries: Vec<String> = table
        .chunk_by(|a, b| a == b)
        .map(|run| format!("{} x {}", run[0], run.len()))
        .collect();
    format!("[{}]", entries.join(", "))
}
