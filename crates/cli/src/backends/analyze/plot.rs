//! Draws the value along a game, as SVG.

use std::fs;
use std::path::Path;

use crate::system::SystemError;
use nnue_backend::{Answer, Attributes};
use nnue_tools::plot::Chart;

use super::super::positions::Game;
use super::table::{white, worst};
use crate::error::Error;
use crate::output;

pub(super) fn make_folder(folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(|source| SystemError::write(folder, source).into())
}

/// Draws White's expected score and, if known, the draw probability. Marks the worst moves.
pub(super) fn draw(
    game: &Game,
    answers: &[Answer],
    attributes: &Attributes,
    folder: &Path,
) -> Result<(), Error> {
    let along = |of: &dyn Fn(usize) -> f32| {
        (0..answers.len())
            .map(|index| (index as f64, f64::from(of(index))))
            .collect()
    };
    let mut lines = vec![(
        "value for White".to_owned(),
        along(&|index| white(game, answers, index)),
    )];
    if attributes.has_wdl {
        lines.push(("draws".to_owned(), along(&|index| answers[index].d)));
    }
    let mark = |(index, loss): (usize, f32)| {
        let text = format!(
            "{} {} {loss:.2}",
            game.number(index),
            game.san(index, game.moves[index])
        );
        (text, index as f64)
    };
    let marks = worst(game, answers).into_iter().map(mark).collect();
    let chart = Chart {
        title: &game.name,
        lines,
        marks,
        counts: true,
    };
    output::write(
        &folder.join(format!("game-{}.svg", game.number)),
        chart.draw().svg().as_bytes(),
    )
}
