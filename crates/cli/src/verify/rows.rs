//! Networks over lists of rows: random lists and changes, by every level and by the reference interpreter.

use std::io::Write;

use fastrand::Rng;
use nnue::dynamic::RowsStack;
use nnue::rows::{RowLists, RowSets, RowsShape};
use nnue::{Evaluation, Level};
use nnue_spec::reference;

use crate::args::{NetArgs, VerifyArgs};
use crate::error::Error;
use crate::network::{OpenedRows, open_rows};

/// Changes that follow each other from a list.
const STEPS: usize = 40;

/// Rows that a change adds or removes at most.
const CHANGED: usize = 4;

/// Compares every level with the reference interpreter along random changes, one line of them for each game.
pub(super) fn levels(args: &VerifyArgs, net: &NetArgs, out: &mut dyn Write) -> Result<(), Error> {
    let OpenedRows {
        mut network,
        shape,
        reason,
        ..
    } = open_rows(net, &args.declared, None)?;
    let spec = network.spec();
    writeln!(
        out,
        "level     {} ({reason}) when loaded; checked are all that this processor has",
        network.level()
    )?;
    for level in Level::available() {
        network = network.with_level(level);
        let Some(mut stack) = RowsStack::new(&network) else {
            return Ok(()); // it has a shape
        };
        let mut random = Rng::with_seed(args.seed);
        let mut evaluations = 0_u64;
        for line in 1..=args.games {
            let start = lists(&shape, &mut random);
            stack.set(of(&shape, &start)).map_err(unexpected)?;
            for step in 0..STEPS {
                change(&mut stack, &shape, &mut random)?;
                let tensors = network.tensors();
                let expected = reference::evaluate(spec, &tensors, stack.rows());
                let expected = Evaluation {
                    psqt: expected.used_psqt(),
                    positional: expected.used_positional(),
                    bucket: expected.bucket,
                    value: expected.value,
                };
                let found = [
                    stack.evaluate(&network),
                    network.evaluate_listed(stack.rows()),
                ];
                if found != [expected; 2] {
                    return Err(Error::Mismatch(format!(
                        "level {level}: step {step} of line {line}: rows {}: (incremental, fresh) is {found:?}, the reference interpreter says {expected:?}",
                        stack.rows()
                    )));
                }
                evaluations += 2;
            }
        }
        writeln!(
            out,
            "{:<11} {evaluations} evaluations equal: fresh, incremental",
            level.to_string()
        )?;
    }
    Ok(())
}

/// As many lists as a position has.
fn of<'a>(shape: &RowsShape<'_>, both: &'a [Vec<u32>; 2]) -> RowLists<'a> {
    match shape.lists {
        1 => (&both[0]).into(),
        _ => both.into(),
    }
}

fn unexpected(error: nnue::rows::RowsError) -> Error {
    Error::Mismatch(format!("a valid list or change is refused: {error}"))
}

/// Random lists of up to as many rows as are allowed; the second is empty with one perspective.
fn lists(shape: &RowsShape<'_>, random: &mut Rng) -> [Vec<u32>; 2] {
    let mut both = <[Vec<u32>; 2]>::default();
    for list in &mut both[..shape.lists] {
        for _ in 0..random.u32(0..=shape.most_active.min(256)) {
            list.push(random.u32(0..shape.rows));
        }
        list.sort_unstable();
        list.dedup();
    }
    both
}

/// Pushes or pops a random change.
fn change(stack: &mut RowsStack, shape: &RowsShape<'_>, random: &mut Rng) -> Result<(), Error> {
    if stack.depth() > 0 && random.u32(0..4) == 0 {
        stack.pop();
        return Ok(());
    }
    let (mut added, mut removed) = (<[Vec<u32>; 2]>::default(), <[Vec<u32>; 2]>::default());
    for list in 0..shape.lists {
        removed[list] = some(stack.rows(), list, random);
        let left = stack.rows().list(list).len() - removed[list].len();
        let room = (shape.most_active as usize - left).min(CHANGED);
        for _ in 0..room {
            let row = random.u32(0..shape.rows);
            if !stack.rows().list(list).contains(&row) && !added[list].contains(&row) {
                added[list].push(row);
            }
        }
    }
    let [added, removed] = [&added, &removed].map(|both| of(shape, both));
    stack.push_rows(added, removed).map_err(unexpected)?;
    if shape.lists == 2 {
        stack.set_black_to_move(random.bool());
    }
    Ok(())
}

/// A few active rows.
fn some(rows: &RowSets, list: usize, random: &mut Rng) -> Vec<u32> {
    let mut active = rows.list(list).to_vec();
    random.shuffle(&mut active);
    active.truncate(random.usize(0..=CHANGED));
    active
}
