//! Prints raw integers, tab-separated, with a header line.

use std::io::{self, Write};

use nnue::Position;

use crate::input::Given;
use crate::input::games::Game;
use crate::network::{Evaluator, Inner, Ply, Verdict};

/// Prints the header for positions; columns of the network come last.
pub(super) fn header_of_positions(columns: &[&str], out: &mut dyn Write) -> io::Result<()> {
    header(&["fen", "bucket", "psqt", "positional"], columns, out)
}

/// Prints the header for games; columns of the network come last.
pub(super) fn header_of_games(columns: &[&str], out: &mut dyn Write) -> io::Result<()> {
    header(
        &["game", "ply", "pieces", "bucket", "psqt", "positional"],
        columns,
        out,
    )
}

fn header(all: &[&str], own: &[&str], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", [all, own].concat().join("\t"))
}

pub(super) fn position(
    given: &Given,
    network: &dyn Evaluator,
    out: &mut dyn Write,
) -> io::Result<()> {
    write!(out, "{}", given.fen)?;
    verdict(network.evaluate(&given.position), &network.columns(), out)
}

pub(super) fn ply(game: &Game, ply: &Ply, columns: &[&str], out: &mut dyn Write) -> io::Result<()> {
    let pieces = ply.board.occupied().count_ones();
    write!(out, "{}\t{}\t{pieces}", game.id, ply.number)?;
    verdict(ply.verdict, columns, out)
}

/// Prints bucket and parts, then columns of the network.
fn verdict(verdict: Verdict, columns: &[&str], out: &mut dyn Write) -> io::Result<()> {
    let evaluation = verdict.evaluation;
    write!(
        out,
        "\t{}\t{}\t{}",
        evaluation.bucket, evaluation.psqt, evaluation.positional
    )?;
    if !columns.is_empty() {
        write!(out, "\t{}", evaluation.value)?;
    }
    match verdict.inner {
        Inner::Hidden => writeln!(out),
        Inner::Sum(sum) => writeln!(out, "\t{sum}"),
        Inner::Float(output) => writeln!(out, "\t{:08x}", output.to_bits()),
    }
}
