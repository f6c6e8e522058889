//! `nnue eval`: evaluates positions and games; readable, tab-separated or as JSON.

mod human;
mod json;
mod rows;
mod tsv;

use std::io::Write;
use std::path::Path;

use crate::args::EvalArgs;
use crate::declaration;
use crate::error::Error;
use crate::input::games::Game;
use crate::input::{Given, START, given, lines, one_reader, positions};
use crate::network::{Declared, Evaluator, open_either, play};

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
        ("--rows", args.rows.clone()),
    ])?;
    if let Some(path) = &args.rows {
        return rows::run(args, path, out);
    }
    let opened = open_either(&args.net, &args.declared, args.level.as_deref())?;
    Declared::require_known(opened.network.spec())?;
    if let Some(path) = &args.games {
        return games(args, path, &*opened.network, out);
    }
    let network = &*opened.network;
    let form = Form::of(args);
    match form {
        Form::Table => tsv::header_of_positions(network, out)?,
        Form::Human => human::network(&opened, out)?,
        Form::Json => {}
    }
    for given in asked(args)? {
        let given = given?;
        match form {
            Form::Table => tsv::position(&given, network, out)?,
            Form::Human => human::position(&given, network, out)?,
            Form::Json => json::position(&given, network, out)?,
        }
    }
    Ok(())
}

/// How evaluations are printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Human,
    Table,
    Json,
}

impl Form {
    const fn of(args: &EvalArgs) -> Self {
        match (args.tsv, args.json) {
            (true, _) => Self::Table,
            (_, true) => Self::Json,
            _ => Self::Human,
        }
    }
}

/// The user's positions in order; the start position if there are none.
fn asked(args: &EvalArgs) -> Result<Box<dyn Iterator<Item = Result<Given, Error>> + '_>, Error> {
    if args.fen.is_empty() && args.fens.is_none() {
        return Ok(Box::new(std::iter::once(given(START, || {
            "start position".into()
        }))));
    }
    positions(&args.fen, args.fens.as_deref())
}

fn games(
    args: &EvalArgs,
    path: &Path,
    network: &dyn Evaluator,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let form = Form::of(args);
    if form == Form::Table {
        tsv::header_of_games(network, out)?;
    }
    for line in lines(path)? {
        let (place, line) = line?;
        let game = Game::parse(&line).map_err(|message| Error::Input { place, message })?;
        if form == Form::Human {
            human::game(&game, out)?;
        }
        let mut written = Ok(());
        play(network, &game, args.refresh, &mut |ply| {
            if written.is_ok() {
                written = match form {
                    Form::Table => tsv::ply(&game, &ply, out),
                    Form::Human => human::ply(&game, &ply, out),
                    Form::Json => json::ply(&game, &ply, out),
                };
            }
        });
        written?;
    }
    Ok(())
}
