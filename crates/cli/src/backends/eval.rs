//! `nnue eval --backend`: evaluates positions and games with a backend.

use std::io::{self, Write};

use nnue_backend::{Answer, Attributes, Chess, Sample, Wanted};
use nnue_data::Color;

use super::format::{NOTHING, by_probability, draws, left, score};
use super::positions::{Game, fens, games_of_lines};
use super::registry::{Networks, create};
use crate::args::EvalArgs;
use crate::declaration;
use crate::error::Error;
use crate::input::{START, one_reader};
use crate::network::Shared;

/// Policy moves in readable output.
const SHOWN: usize = 8;

pub(crate) fn run(args: &EvalArgs, out: &mut dyn Write) -> Result<(), Error> {
    one_reader(&[
        (
            "--declaration",
            args.declared
                .declaration
                .as_deref()
                .and_then(declaration::path),
        ),
        ("--fens", args.fens.clone()),
        ("--games", args.games.clone()),
    ])?;
    let text = args.backend.text.as_deref().unwrap_or_default();
    let backend = create(text, &Networks::new(&args.net, &args.declared))?;
    if args.tsv {
        let first = if args.games.is_some() {
            "game\tply"
        } else {
            "fen"
        };
        writeln!(out, "{first}\tq\tdraw\tleft\tscore\tpolicy")?;
    } else {
        writeln!(
            out,
            "backend   {}",
            if text.is_empty() {
                backend.name()
            } else {
                text
            }
        )?;
    }
    for game in asked(args)? {
        evaluate(&backend, &game?, args, out)?;
    }
    if !args.tsv {
        let mut report = String::new();
        backend.report(&mut report).map_err(io::Error::other)?;
        let blank = if report.is_empty() { "" } else { "\n" };
        write!(out, "{blank}{report}")?;
    }
    Ok(())
}

/// The user's positions and games; the start position if there are none.
fn asked(args: &EvalArgs) -> Result<Box<dyn Iterator<Item = Result<Game, Error>> + '_>, Error> {
    if let Some(path) = &args.games {
        return Ok(Box::new(games_of_lines(path)?));
    }
    let named = |fen: &str| {
        let place = || format!("position `{}`", fen.escape_default());
        Game::of_fen(fen).map_err(|message| Error::Input {
            place: place(),
            message,
        })
    };
    if args.fen.is_empty() && args.fens.is_none() {
        return Ok(Box::new(std::iter::once(named(START))));
    }
    let arguments = args.fen.iter().map(move |fen| named(fen));
    match &args.fens {
        Some(path) => Ok(Box::new(arguments.chain(fens(path)?))),
        None => Ok(Box::new(arguments)),
    }
}

/// Evaluates the positions of a game in batches and prints the answers.
fn evaluate(
    backend: &Shared,
    game: &Game,
    args: &EvalArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let samples: Vec<Sample<'_, Chess>> = game.samples().collect();
    let answers = backend.evaluate(&samples, Wanted::ALL)?;
    let attributes = backend.attributes();
    if args.games.is_some() && !args.tsv {
        writeln!(
            out,
            "\ngame {}\n   ply  move         q    draw    left    score  for    likely",
            game.name
        )?;
    }
    for (index, (sample, answer)) in samples.iter().zip(answers.iter()).enumerate() {
        let position = &game.positions[index];
        match (args.tsv, args.games.is_some()) {
            (true, is_game) => {
                let name = if is_game {
                    format!("{}\t{index}", game.name)
                } else {
                    game.name.clone()
                };
                writeln!(out, "{name}\t{}", row(sample, &answer, &attributes))?;
            }
            (false, true) => {
                let before = index
                    .checked_sub(1)
                    .map(|before| game.san(before, game.moves[before]));
                let before = before.unwrap_or_else(|| NOTHING.into());
                let side = side(position.side_to_move());
                let (q, d, m) = (
                    answer.q,
                    draws(&answer, &attributes),
                    left(&answer, &attributes),
                );
                let (score, likely) = (score(&answer), likely(game, index, &answer, 1));
                writeln!(
                    out,
                    "{index:>6}  {before:<7} {q:>+7.4} {d:>7} {m:>7} {score:>8}  {side}  {likely}"
                )?;
            }
            (false, false) => for_people(game, &answer, &attributes, out)?,
        }
    }
    Ok(())
}

const fn side(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The fields of a line: all numbers, and every move with its probability.
fn row(sample: &Sample<'_, Chess>, answer: &Answer<&[f32]>, attributes: &Attributes) -> String {
    let position = &sample.history[sample.history.len() - 1];
    let moves = by_probability(answer.policy);
    let policy: Vec<String> = moves
        .iter()
        .map(|&(index, p)| format!("{}:{p:.6}", sample.moves[index].to_uci(position)))
        .collect();
    let policy = if policy.is_empty() {
        NOTHING.into()
    } else {
        policy.join(",")
    };
    let (q, d, m) = (
        answer.q,
        draws(answer, attributes),
        left(answer, attributes),
    );
    format!("{q:.6}\t{d}\t{m}\t{}\t{policy}", score(answer))
}

/// The most probable moves, in percent.
fn likely(game: &Game, index: usize, answer: &Answer<&[f32]>, count: usize) -> String {
    let moves = by_probability(answer.policy);
    let shown = moves.iter().take(count).map(|&(at, p)| {
        let mv = game.san(index, game.legal[index][at]);
        format!("{mv} {:.1} %", 100.0 * p)
    });
    shown.collect::<Vec<_>>().join(", ")
}

fn for_people(
    game: &Game,
    answer: &Answer<&[f32]>,
    attributes: &Attributes,
    out: &mut dyn Write,
) -> io::Result<()> {
    let side = side(game.positions[0].side_to_move());
    writeln!(out, "\nfen       {}", game.name)?;
    let points = 50.0 * (f64::from(answer.q) + 1.0);
    writeln!(
        out,
        "value     {:+.4} for {side}, who moves: {points:.1} % of the points",
        answer.q
    )?;
    if let Some(score) = answer.score {
        writeln!(out, "score     {score:+}")?;
    }
    if attributes.has_wdl {
        writeln!(out, "draws     {:.1} %", 100.0 * answer.d)?;
    }
    if attributes.has_moves_left {
        writeln!(out, "left      {:.1} plies", answer.m)?;
    }
    if !answer.policy.is_empty() {
        writeln!(out, "policy    {}", likely(game, 0, answer, SHOWN))?;
    }
    Ok(())
}
