//! `nnue plot weights`: selects the lines of boards to draw.

use nnue_tools::plot::rows::Rows;
use nnue_tools::plot::weights::{Column, Line, Scale, sheet, strongest};
use nnue_tools::plot::{Drawing, Network};

use super::refuse;
use crate::args::plot::{ScaleOf, WeightsArgs};
use crate::error::Error;

const MOST_LINES: usize = 512;

pub(super) fn draw(args: &WeightsArgs, network: &Network<'_>) -> Result<Drawing, Error> {
    let rows = Rows::new(network.desc).map_err(refuse)?;
    let kings = match (&args.king[..], args.every_king) {
        (_, true) => rows.kings(),
        ([], false) => vec![6],
        (names, false) => names
            .iter()
            .map(|name| square(name))
            .collect::<Result<_, _>>()?,
    };
    let standings = if args.standing.is_empty() {
        vec![0]
    } else {
        args.standing.clone()
    };
    let neuron = |index| {
        if args.second {
            Column::Second(index)
        } else {
            Column::Neuron(index)
        }
    };
    let psqt = args.psqt.iter().map(|&output| Column::Psqt(output));
    let mut columns: Vec<Column> = psqt
        .chain(args.neuron.iter().map(|&index| neuron(index)))
        .collect();
    if columns.is_empty() {
        columns = strongest(network, args.strongest)
            .into_iter()
            .map(neuron)
            .collect();
    }
    let count = columns.len() * kings.len() * standings.len();
    if count > MOST_LINES {
        return Err(Error::Argument(format!(
            "{count} lines of boards, at most {MOST_LINES} are drawn: name fewer neurons or squares"
        )));
    }
    let mut lines = Vec::new();
    for column in columns {
        for &king in &kings {
            lines.extend(standings.iter().map(|&standing| Line {
                column,
                king,
                standing,
            }));
        }
    }
    let title = format!("{}: {}", network.desc.name, network.desc.notation);
    let scale = match args.scale {
        ScaleOf::Sheet => Scale::Sheet,
        ScaleOf::Line => Scale::Line,
        ScaleOf::Board => Scale::Board,
    };
    sheet(network, &title, &lines, scale).map_err(refuse)
}

fn square(name: &str) -> Result<usize, Error> {
    match name.to_ascii_lowercase().as_bytes() {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
            Ok(usize::from(rank - b'1') * 8 + usize::from(file - b'a'))
        }
        _ => Err(Error::Argument(format!(
            "--king {}: a square is a letter from a to h and a digit from 1 to 8",
            name.escape_default()
        ))),
    }
}
