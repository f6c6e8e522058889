//! Raw integers, tab-separated, with a header line.

use std::io::{self, Write};

use nnue::{Evaluation, Position};

use super::Given;
use crate::input::games::Game;
use crate::network::Ply;

/// The names of the columns of positions.
pub(super) fn header_of_positions(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "fen\tbucket\tpsqt\tpositional")
}

/// One position.
pub(super) fn position(given: &Given, evaluation: Evaluation, out: &mut dyn Write) -> io::Result<()> {
    let Evaluation { bucket, psqt, positional, .. } = evaluation;
    writeln!(out, "{}\t{bucket}\t{psqt}\t{positional}", given.fen)
}

/// The names of the columns of games.
pub(super) fn header_of_games(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "game\tply\tpieces\tbucket\tpsqt\tpositional")
}

/// One ply of a game.
pub(super) fn ply(game: &Game, ply: &Ply<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Evaluation { bucket, psqt, positional, .. } = ply.evaluation;
    let pieces = ply.position.occupied().count_ones();
    writeln!(out, "{}\t{}\t{pieces}\t{bucket}\t{psqt}\t{positional}", game.id, ply.number)
}
