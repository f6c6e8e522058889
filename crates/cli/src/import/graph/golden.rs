//! Finds the order of rows from golden values.

use crate::progress::Progress;
use nnue_import::ImportError;
use nnue_import::declare::{Accumulated, Golden, Order};
use nnue_import::fold::Folded;
use nnue_spec::NetDesc;

use crate::args::ImportGraphArgs;
use crate::error::Error;
use crate::input::given;

/// Most orders listed if several fit.
const SHOWN: usize = 4;

/// Puts the rows into the declared order if there are golden values, and describes the order of the graph.
pub(super) fn ordered(
    args: &ImportGraphArgs,
    folded: &Folded,
    net: &NetDesc<'_>,
    imported: Accumulated,
) -> Result<(Accumulated, Option<String>), Error> {
    let refuse = |message: String| Error::Network {
        path: args.file.clone(),
        message,
    };
    let goldens = args
        .golden
        .iter()
        .map(|golden| parsed(golden))
        .collect::<Result<Vec<_>, _>>()?;
    let Some(first) = goldens.first() else {
        return Ok((imported, None));
    };
    let orders =
        fitting(folded, net, &imported, &goldens).map_err(|error| refuse(error.to_string()))?;
    match *orders.as_slice() {
        [order] => Ok((
            imported.ordered(order),
            Some(format!(
                "The rows of the graph, as its golden values say: {}.",
                order.words()
            )),
        )),
        [] => {
            let value = imported.output_in(folded, net, &first.board, Order::DECLARED);
            let value = value.map_err(|error| refuse(error.to_string()))?;
            Err(refuse(format!(
                "no order of colours, kinds and squares gives these golden values; the order of --features gives {value} in the first position, not {}",
                first.value
            )))
        }
        _ => {
            let words: Vec<String> = orders
                .iter()
                .take(SHOWN)
                .map(|order| order.words())
                .collect();
            let more = if orders.len() > SHOWN { " / .." } else { "" };
            Err(refuse(format!(
                "{} orders of rows give these golden values: give those of more positions, with different pieces on both sides ({}{more})",
                orders.len(),
                words.join(" / ")
            )))
        }
    }
}

/// The orders for which the graph gives all golden values.
fn fitting(
    folded: &Folded,
    net: &NetDesc<'_>,
    imported: &Accumulated,
    goldens: &[Golden],
) -> Result<Vec<Order>, ImportError> {
    let (all, mut found) = (Order::all(net), Vec::new());
    let progress = Progress::new("trying orders of rows", all.len() as u64);
    for order in all {
        if imported.fits(folded, net, goldens, order)? {
            found.push(order);
        }
        progress.step();
    }
    Ok(found)
}

/// `FEN=NUMBER`
fn parsed(golden: &str) -> Result<Golden, Error> {
    let refuse = || {
        Error::Argument(format!(
            "--golden `{}`: expected FEN=NUMBER",
            golden.escape_debug()
        ))
    };
    let (fen, number) = golden.rsplit_once('=').ok_or_else(refuse)?;
    let number = number.trim();
    let value = number
        .parse()
        .ok()
        .filter(|value: &f32| value.is_finite())
        .ok_or_else(refuse)?;
    // Half of the last digit: 0.0005 for 0.125.
    let decimals = number.split_once('.').map_or(0, |(_, decimals)| {
        decimals.bytes().take_while(u8::is_ascii_digit).count()
    });
    let within = if number.contains(['e', 'E']) {
        0.0
    } else {
        0.5 * 0.1_f32.powi(decimals as i32)
    };
    let board = given(fen, || format!("--golden `{}`", fen.escape_debug()))?
        .position
        .plain();
    Ok(Golden {
        board,
        value,
        within,
    })
}
