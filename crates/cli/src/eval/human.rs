//! Readable output: a board with a table of buckets, or the plies of a game.

use std::io::{self, Write};

use nnue::{Color, Position};
use nnue_spec::{NetDesc, Selector};

use crate::input::Given;
use crate::input::games::Game;
use crate::network::{Evaluator, Inner, Opened, Ply};

pub(super) fn network(opened: &Opened<dyn Evaluator>, out: &mut dyn Write) -> io::Result<()> {
    let spec = opened.network.spec();
    writeln!(out, "network   {}", opened.source)?;
    writeln!(out, "          {}: {}", opened.known.name, spec.notation)?;
    writeln!(
        out,
        "level     {} ({})",
        opened.network.evaluated_by(),
        opened.reason
    )
}

/// Prints the board, the result of every bucket, and the value.
pub(super) fn position(
    given: &Given,
    network: &dyn Evaluator,
    out: &mut dyn Write,
) -> io::Result<()> {
    let trace = network.trace(&given.position);
    writeln!(out, "\nfen       {}\n", given.fen)?;
    board(given, out)?;
    write!(
        out,
        "\n    bucket    pieces       psqt   positional      value"
    )?;
    writeln!(out, "{}", inner_title(trace.used().inner))?;
    for (index, verdict) in trace.buckets.iter().enumerate() {
        let mark = if index == trace.bucket { '*' } else { ' ' };
        let pieces = pieces_of(network.spec(), index);
        let nnue::Evaluation {
            psqt,
            positional,
            value,
            ..
        } = verdict.evaluation;
        write!(
            out,
            "  {mark} {index:>6}    {pieces:>6} {psqt:>10}   {positional:>10} {value:>+10}"
        )?;
        writeln!(out, "{}", inner(verdict.inner))?;
    }
    let side = side(given.position.side_to_move());
    writeln!(
        out,
        "\nvalue     {:+} for {side}, who moves ({} pieces)",
        trace.used().evaluation.value,
        given.position.iter().count()
    )?;
    for (name, numbers) in network.outputs(&given.position) {
        let numbers: Vec<String> = numbers
            .iter()
            .map(|number| format!("{number:+.6}"))
            .collect();
        writeln!(out, "{name:<9} {}", numbers.join(" "))?;
    }
    Ok(())
}

const fn inner_title(inner: Inner) -> &'static str {
    match inner {
        Inner::Hidden => "",
        Inner::Sum(_) => "          sum",
        Inner::Float(_) => "        output (bits)",
    }
}

fn inner(inner: Inner) -> String {
    match inner {
        Inner::Hidden => String::new(),
        Inner::Sum(sum) => format!(" {sum:>12}"),
        Inner::Float(output) => format!("   {output:>+11.7} ({:08x})", output.to_bits()),
    }
}

fn board(given: &Given, out: &mut dyn Write) -> io::Result<()> {
    const LINE: &str = "  +---+---+---+---+---+---+---+---+";
    writeln!(out, "{LINE}")?;
    let mut squares = [' '; 64];
    for (color, kind, square) in given.position.iter() {
        let symbol = ['p', 'n', 'b', 'r', 'q', 'k'][kind.index()];
        squares[square] = if color == Color::White {
            symbol.to_ascii_uppercase()
        } else {
            symbol
        };
    }
    for (rank, squares) in squares.chunks(8).enumerate().rev() {
        write!(out, "{} |", rank + 1)?;
        for symbol in squares {
            write!(out, " {symbol} |")?;
        }
        writeln!(out, "\n{LINE}")?;
    }
    writeln!(out, "    a   b   c   d   e   f   g   h")
}

/// The piece counts of a bucket: `29-32`.
fn pieces_of(spec: &NetDesc<'_>, bucket: usize) -> String {
    let used: Vec<usize> = (2..=32)
        .filter(|&pieces| spec.stacks.select(pieces) == bucket)
        .collect();
    match (spec.stacks.selector, used.first(), used.last()) {
        (Selector::Single, ..) => "all".into(),
        (_, Some(first), Some(last)) if first != last => format!("{first}-{last}"),
        (_, Some(only), _) => only.to_string(),
        _ => "none".into(),
    }
}

const fn side(turn: Color) -> &'static str {
    match turn {
        Color::White => "white",
        Color::Black => "black",
    }
}

pub(super) fn game(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "game {}\n   ply  move   pieces  bucket       psqt   positional      value  for",
        game.id
    )
}

pub(super) fn ply(game: &Game, ply: &Ply, out: &mut dyn Write) -> io::Result<()> {
    let text = ply
        .number
        .checked_sub(1)
        .and_then(|before| game.uci(before))
        .unwrap_or_else(|| "-".to_owned());
    let pieces = ply.board.occupied().count_ones();
    let nnue::Evaluation {
        bucket,
        psqt,
        positional,
        value,
    } = ply.verdict.evaluation;
    let side = side(ply.board.side_to_move());
    writeln!(
        out,
        "{:>6}  {text:<6} {pieces:>5}  {bucket:>6} {psqt:>10}   {positional:>10} {value:>+10}  {side}",
        ply.number
    )
}
