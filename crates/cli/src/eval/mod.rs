//! `nnue eval`: evaluates positions and games; readable or tab-separated output.

mod human;
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
    if args.tsv {
        tsv::header_of_positions(&network.columns(), out)?;
    } else {
        human::network(&opened, out)?;
    }
    for given in asked(args)? {
        let given = given?;
        if args.tsv {
            tsv::position(&given, network, out)?;
        } else {
            human::position(&given, network, out)?;
        }
    }
    Ok(())
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
    if args.tsv {
        tsv::header_of_games(&network.columns(), out)?;
    }
    for line in lines(path)? {
        let (place, line) = line?;
        let game = Game::parse(&line).map_err(|message| Error::Input { place, message })?;
        if !args.tsv {
            human::game(&game, out)?;
        }
        let columns = network.columns();
        let mut written = Ok(());
        play(network, &game, args.refresh, &mut |ply| {
            if written.is_ok() {
                written = if args.tsv {
                    tsv::ply(&game, &ply, &columns, out)
                } else {
                    human::ply(&game, &ply, out)
                };
            }
        });
        written?;
    }
    Ok(())
}
