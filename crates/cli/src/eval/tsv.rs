//! Prints raw integers, tab-separated, with a header line.

use std::io::{self, Write};

use nnue::{Evaluation, Position};

use crate::input::Given;
use crate::input::games::Game;
use crate::network::{Evaluator, Inner, Ply, Verdict};

pub(super) fn header_of_positions(network: &dyn Evaluator, out: &mut dyn Write) -> io::Result<()> {
    header("fen", network, out)
}

pub(super) fn header_of_games(network: &dyn Evaluator, out: &mut dyn Write) -> io::Result<()> {
    header("game\tply\tpieces", network, out)
}

/// Prints the header; the column of a network's inner number comes last.
fn header(first: &str, network: &dyn Evaluator, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{first}\tbucket\tpsqt\tpositional\tvalue")?;
    match network.inner_column() {
        Some(inner) => writeln!(out, "\t{inner}"),
        None => writeln!(out),
    }
}

pub(super) fn position(
    given: &Given,
    network: &dyn Evaluator,
    out: &mut dyn Write,
) -> io::Result<()> {
    write!(out, "{}", given.fen)?;
    verdict(network.evaluate(&given.position), out)
}

pub(super) fn ply(game: &Game, ply: &Ply, out: &mut dyn Write) -> io::Result<()> {
    let pieces = ply.board.occupied().count_ones();
    write!(out, "{}\t{}\t{pieces}", game.id, ply.number)?;
    verdict(ply.verdict, out)
}

/// Prints bucket, parts and value, then the inner number if there is one.
fn verdict(verdict: Verdict, out: &mut dyn Write) -> io::Result<()> {
    let Evaluation {
        bucket,
        psqt,
        positional,
        value,
    } = verdict.evaluation;
    write!(out, "\t{bucket}\t{psqt}\t{positional}\t{value}")?;
    match verdict.inner {
        Inner::Hidden => writeln!(out),
        Inner::Sum(sum) => writeln!(out, "\t{sum}"),
        Inner::Float(output) => writeln!(out, "\t{:08x}", output.to_bits()),
    }
}
