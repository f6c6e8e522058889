//! `nnue plot pieces` and `nnue plot game`: plots values of a network.

use std::path::Path;

use nnue_spec::reference::Board;
use nnue_tools::plot::pieces::Contributions;
use nnue_tools::plot::{Chart, Drawing};

use super::{one_input, open};
use crate::args::plot::{GameArgs, PiecesArgs};
use crate::error::Error;
use crate::input::games::Game;
use crate::input::{Given, Placement, START, given, lines};
use crate::network::{Declared, Evaluator, play};

/// Space between pictures, in pixels.
const GAP: f64 = 20.0;
const MOST_GAMES: usize = 100;

pub(super) fn pieces(args: &PiecesArgs) -> Result<Drawing, Error> {
    one_input(&args.drawn, &[])?;
    let opened = open(&args.drawn)?;
    Declared::require_known(opened.network.spec())?;
    let drawings = contributions(&*opened.network, &args.fen, START)?;
    let drawings: Vec<Drawing> = drawings
        .iter()
        .map(|(title, found)| found.draw(title))
        .collect();
    Ok(Drawing::below(&drawings, GAP))
}

/// Draws the contributions in each position; `otherwise` is the default position.
pub(super) fn contributions(
    network: &dyn Evaluator,
    fens: &[String],
    otherwise: &str,
) -> Result<Vec<(String, Contributions)>, Error> {
    let all = if fens.is_empty() {
        &[otherwise.to_owned()][..]
    } else {
        fens
    };
    let one = |fen: &String| {
        let Given { fen, position } = given(fen, || format!("--fen `{}`", fen.escape_default()))?;
        let white = |board: &Board| white(network, &Placement::of_plain(board));
        Ok((
            format!("{}: {fen}", network.spec().name),
            Contributions::of(&position.plain(), white),
        ))
    };
    all.iter().map(one).collect()
}

fn white(network: &dyn Evaluator, position: &Placement) -> i64 {
    for_white(position, network.evaluate(position).evaluation.value)
}

fn for_white(position: &Placement, value: i32) -> i64 {
    if position.black_to_move() {
        -i64::from(value)
    } else {
        value.into()
    }
}

pub(super) fn games(args: &GameArgs) -> Result<Drawing, Error> {
    one_input(&args.drawn, &[("--games", Some(args.games.clone()))])?;
    let opened = open(&args.drawn)?;
    Declared::require_known(opened.network.spec())?;
    Ok(Drawing::below(&charts(&*opened.network, &args.games)?, GAP))
}

/// A chart for each game of a file.
pub(super) fn charts(network: &dyn Evaluator, path: &Path) -> Result<Vec<Drawing>, Error> {
    let mut charts = Vec::new();
    for line in lines(path)? {
        let (place, line) = line?;
        let game = Game::parse(&line).map_err(|message| Error::Input {
            place: place.clone(),
            message,
        })?;
        if charts.len() == MOST_GAMES {
            let message =
                format!("more than {MOST_GAMES} games are no picture: name a file with fewer");
            return Err(Error::Input { place, message });
        }
        charts.push(chart(network, &game));
    }
    if charts.is_empty() {
        return Err(Error::Argument(format!(
            "{}: there are no games",
            path.display()
        )));
    }
    Ok(charts)
}

fn chart(network: &dyn Evaluator, game: &Game) -> Drawing {
    let mut points = Vec::new();
    play(network, game, false, &mut |ply| {
        let value = for_white(&ply.board, ply.verdict.evaluation.value);
        points.push((ply.number as f64, value as f64));
    });
    let title = format!("{}: value for White after each ply", game.id);
    Chart {
        title: &title,
        lines: vec![(network.spec().name.to_owned(), points)],
        marks: Vec::new(),
        counts: true,
    }
    .draw()
}
