//! `nnue verify`: every level against the reference interpreter, incremental against fresh.

mod file;

use std::io::Write;

use nnue::{Evaluation, Level};
use nnue_spec::TensorRef;
use nnue_spec::reference;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode};

use crate::args::{NetArgs, VerifyArgs};
use crate::error::Error;
use crate::input::Placement;
use crate::input::games::Game;
use crate::network::{AnyNetwork, open, open_declared};
use crate::progress::Progress;
use crate::random::{self, Random};

/// Most half-moves of a random game.
const PLIES: usize = 160;

/// What the reference interpreter says about one position.
struct Expected {
    position: Chess,
    trace: reference::Trace,
}

/// A game and what the reference interpreter says about every ply.
struct Judged {
    game: Game,
    plies: Vec<Expected>,
}

/// Runs the command.
pub(crate) fn run(args: &VerifyArgs, out: &mut dyn Write) -> Result<(), Error> {
    let net = NetArgs { net: args.file.clone(), arch: args.arch.clone() };
    if let Some(declaration) = &args.declared.declaration {
        return file::verify(&open_declared(&net, declaration)?, out);
    }
    let opened = open(&net, None)?;
    let mut network = opened.network;
    let judged = judge(&*network, args);
    let plies: usize = judged.iter().map(|judged| judged.plies.len()).sum();
    writeln!(out, "network   {} ({})", opened.source, opened.known.name)?;
    writeln!(
        out,
        "level     {} ({}) when loaded; checked are all that this processor has",
        network.level(),
        opened.reason
    )?;
    writeln!(out, "reference {} random games, {plies} positions, seed {}", judged.len(), args.seed)?;
    for level in Level::available() {
        network = network.with_level(level);
        let checks =
            check(&*network, &judged).map_err(|message| Error::Mismatch(format!("level {level}: {message}")))?;
        writeln!(
            out,
            "{:<11} {checks} evaluations equal: fresh, incremental, lazy with moves taken back, all buckets",
            level.to_string()
        )?;
        out.flush()?;
    }
    Ok(())
}

fn judge(network: &dyn AnyNetwork, args: &VerifyArgs) -> Vec<Judged> {
    let mut progress = Progress::new("reference: game", args.games);
    let mut random = Random::new(args.seed);
    let tensors = network.tensors();
    let games = (1..=args.games).map(|number| {
        let moves = random::game(&mut random, PLIES);
        let game = Game { id: number.to_string(), start: Chess::default(), moves, mode: CastlingMode::Standard };
        let plies = expected(network, &tensors, &game);
        progress.step();
        Judged { game, plies }
    });
    games.collect()
}

fn expected(network: &dyn AnyNetwork, tensors: &[TensorRef<'_>], game: &Game) -> Vec<Expected> {
    let judge = |position: Chess| Expected {
        trace: reference::evaluate(network.spec(), tensors, &Placement::of(&position).plain()),
        position,
    };
    game.positions().into_iter().map(judge).collect()
}

/// Compares everything that the network says at its level; the number of comparisons, or the first difference.
fn check(network: &dyn AnyNetwork, judged: &[Judged]) -> Result<usize, String> {
    let mut progress = Progress::new("game", judged.len());
    let mut checks = 0;
    for Judged { game, plies } in judged {
        let mut seen = Ok(());
        let mut see = |how: &'static str, ply: usize, evaluation: Evaluation| {
            checks += 1;
            if seen.is_ok() {
                seen = compare(how, game, &plies[ply], evaluation);
            }
        };
        network.play(game, true, &mut |ply| see("fresh", ply.number, ply.verdict.evaluation));
        network.play(game, false, &mut |ply| see("incremental", ply.number, ply.verdict.evaluation));
        network.wander(game, &mut Random::new(1), &mut |ply| see("lazy", ply.number, ply.verdict.evaluation));
        seen?;
        for expected in plies {
            checks += 1;
            check_buckets(network, game, expected)?;
        }
        progress.step();
    }
    Ok(checks)
}

fn compare(how: &str, game: &Game, expected: &Expected, found: Evaluation) -> Result<(), String> {
    let trace = &expected.trace;
    let right = (trace.bucket, trace.used_psqt(), trace.used_positional(), trace.value);
    let found = (found.bucket, found.psqt, found.positional, found.value);
    if found == right {
        return Ok(());
    }
    Err(format!(
        "{how} evaluation in game {} of {}: (bucket, psqt, positional, value) is {found:?}, the reference interpreter says {right:?}",
        game.id,
        Fen::from_position(&expected.position, EnPassantMode::Legal)
    ))
}

fn check_buckets(network: &dyn AnyNetwork, game: &Game, expected: &Expected) -> Result<(), String> {
    let trace = network.trace(&Placement::of(&expected.position));
    compare("traced", game, expected, trace.used().evaluation)?;
    let positional = trace.buckets.iter().map(|bucket| bucket.evaluation.positional);
    let psqt = trace.buckets.iter().map(|bucket| bucket.evaluation.psqt).zip(&expected.trace.psqt);
    if positional.ne(expected.trace.positional.iter().copied()) || psqt.clone().any(|(found, right)| found != *right) {
        return Err(format!("a bucket that does not count differs in game {}", game.id));
    }
    Ok(())
}
