//! `nnue verify`: compares every level with the reference interpreter, incrementally and from scratch.

mod file;
mod rows;

use std::io::Write;

use crate::progress::Progress;
use fastrand::Rng;
use nnue::{AvailableLevel, Evaluation, Level};
use nnue_spec::TensorRef;
use nnue_spec::reference;

use crate::args::{NetArgs, VerifyArgs};
use crate::error::Error;
use crate::input::Placement;
use crate::input::games::Game;
use crate::network::{AnyNetwork, Declared, Opened, open_any, open_declared, play, wander};
use crate::random;

const PLIES: usize = 160;

/// Games held in memory at once, with their reference results.
const BATCH: u64 = 8;

struct Expected {
    board: Placement,
    trace: reference::Trace,
}

/// A game with the reference results of every ply.
struct Judged {
    game: Game,
    plies: Vec<Expected>,
}

struct Checked {
    level: AvailableLevel,
    evaluations: u64,
}

pub(crate) fn run(args: &VerifyArgs, out: &mut dyn Write) -> Result<(), Error> {
    let net = NetArgs {
        net: args.file.clone(),
        arch: args.arch.clone(),
    };
    if let Some(declaration) = &args.declared.declaration {
        let opened = open_declared(&net, declaration)?;
        file::verify(&opened, out)?;
        if opened.known.spec.has_listed_rows() && !opened.known.spec.has_custom_code() {
            return rows::levels(args, &net, out);
        }
        if let Err(reason) = Declared::require_known(opened.known.spec) {
            return Ok(writeln!(out, "levels    not compared: {reason}")?);
        }
    }
    let opened = open_any(&net, &args.declared, None)?;
    if args.declared.declaration.is_none() {
        writeln!(out, "network   {} ({})", opened.source, opened.known.name)?;
    }
    levels(args, opened, out)
}

/// Compares every level with the reference interpreter, along random games.
fn levels(args: &VerifyArgs, opened: Opened, out: &mut dyn Write) -> Result<(), Error> {
    let Opened {
        mut network,
        reason,
        ..
    } = opened;
    writeln!(
        out,
        "level     {} ({reason}) when loaded; checked are all that this processor has",
        network.level()
    )?;
    out.flush()?;
    let mut checked: Vec<_> = Level::available()
        .map(|level| Checked {
            level,
            evaluations: 0,
        })
        .collect();
    let mut random = Rng::with_seed(args.seed);
    let progress = Progress::new(
        "games at all levels",
        args.games.saturating_mul(checked.len() as u64),
    );
    let (mut games, mut plies) = (0, 0);
    while games < args.games {
        let batch = (games + 1..=args.games).take(BATCH as usize);
        let batch: Vec<Judged> = batch
            .map(|number| judge(&*network, &mut random, number))
            .collect();
        for Checked { level, evaluations } in &mut checked {
            network = network.with_level(*level);
            *evaluations += check(&*network, &batch, args.seed, &progress)
                .map_err(|message| Error::Mismatch(format!("level {level}: {message}")))?;
        }
        games += batch.len() as u64;
        plies += batch
            .iter()
            .map(|judged| judged.plies.len() as u64)
            .sum::<u64>();
    }
    drop(progress);
    writeln!(
        out,
        "reference {games} random games, {plies} positions, seed {}",
        args.seed
    )?;
    for Checked { level, evaluations } in checked {
        writeln!(
            out,
            "{:<11} {evaluations} evaluations equal: fresh, incremental, lazy with moves taken back, all buckets",
            level.to_string()
        )?;
    }
    Ok(())
}

/// Plays a random game and computes its reference results.
fn judge(network: &dyn AnyNetwork, random: &mut Rng, number: u64) -> Judged {
    let game = random::game(random, number.to_string(), PLIES);
    let plies = expected(network, &network.tensors(), &game);
    Judged { game, plies }
}

fn expected(network: &dyn AnyNetwork, tensors: &[TensorRef<'_>], game: &Game) -> Vec<Expected> {
    let judge = |board: Placement| Expected {
        board,
        trace: reference::evaluate(network.spec(), tensors, &board.plain()),
    };
    game.positions()
        .iter()
        .map(Placement::of)
        .map(judge)
        .collect()
}

/// Compares all results of the network at its level. Returns the number of comparisons or the first
/// difference.
fn check(
    network: &dyn AnyNetwork,
    judged: &[Judged],
    seed: u64,
    progress: &Progress,
) -> Result<u64, String> {
    let mut checks = 0;
    for Judged { game, plies } in judged {
        let mut seen = Ok(());
        let mut see = |how: &'static str, ply: usize, evaluation: Evaluation| {
            checks += 1;
            if seen.is_ok() {
                seen = compare(how, game, ply, &plies[ply], evaluation);
            }
        };
        play(network, game, true, &mut |ply| {
            see("fresh", ply.number, ply.verdict.evaluation)
        });
        play(network, game, false, &mut |ply| {
            see("incremental", ply.number, ply.verdict.evaluation)
        });
        wander(network, game, &mut Rng::with_seed(seed), &mut |ply| {
            see("lazy", ply.number, ply.verdict.evaluation)
        });
        seen?;
        for (ply, expected) in plies.iter().enumerate() {
            checks += 1;
            check_buckets(network, game, ply, expected)?;
        }
        progress.step();
    }
    Ok(checks)
}

fn compare(
    how: &str,
    game: &Game,
    ply: usize,
    expected: &Expected,
    found: Evaluation,
) -> Result<(), String> {
    let trace = &expected.trace;
    let right = (
        trace.bucket,
        trace.used_psqt(),
        trace.used_positional(),
        trace.value,
    );
    let found = (found.bucket, found.psqt, found.positional, found.value);
    if found == right {
        return Ok(());
    }
    Err(format!(
        "{how} evaluation in game {} of {}: (bucket, psqt, positional, value) is {found:?}, the reference interpreter says {right:?}",
        game.id,
        game.fen(ply)
    ))
}

fn check_buckets(
    network: &dyn AnyNetwork,
    game: &Game,
    ply: usize,
    expected: &Expected,
) -> Result<(), String> {
    let trace = network.trace(&expected.board);
    compare("traced", game, ply, expected, trace.used().evaluation)?;
    let positional = trace
        .buckets
        .iter()
        .map(|bucket| bucket.evaluation.positional);
    let psqt = trace
        .buckets
        .iter()
        .map(|bucket| bucket.evaluation.psqt)
        .zip(&expected.trace.psqt);
    if positional.ne(expected.trace.positional.iter().copied())
        || psqt.clone().any(|(found, right)| found != *right)
    {
        return Err(format!(
            "a bucket that does not count differs in game {}",
            game.id
        ));
    }
    Ok(())
}
