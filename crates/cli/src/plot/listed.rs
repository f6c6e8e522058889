//! `nnue plot rows`: plots what each row contributes to the value of a list.

use nnue::RealEvaluation;
use nnue::dynamic::RowsStack;
use nnue_tools::plot::Drawing;
use nnue_tools::plot::listed::RowContributions;

use super::one_input;
use crate::args::plot::RowsArgs;
use crate::error::Error;
use crate::input::each_line;
use crate::network::open_rows;

/// Space between pictures, in pixels.
const GAP: f64 = 20.0;
const MOST_LISTS: usize = 100;

pub(super) fn draw(args: &RowsArgs) -> Result<Drawing, Error> {
    one_input(&args.drawn, &[("--rows", Some(args.rows.clone()))])?;
    let opened = open_rows(&args.drawn.net, &args.drawn.declared, None)?;
    let mut lists = Vec::new();
    each_line(&opened.shape, &args.rows, |_, rows| {
        if lists.len() <= MOST_LISTS {
            lists.push(rows.clone());
        }
    })?;
    if lists.len() > MOST_LISTS {
        return Err(Error::Argument(format!(
            "{}: more than {MOST_LISTS} lists are no picture: name a file with fewer",
            args.rows.display()
        )));
    }
    let network = &opened.network;
    let mut drawings = Vec::new();
    if let Some(mut stack) = RowsStack::new(network) {
        for rows in &lists {
            let text = rows.to_string();
            stack
                .set_text(&text)
                .map_err(|error| Error::Argument(error.to_string()))?;
            let value = stack.evaluate_real(network).real;
            let found = RowContributions::of(&opened.shape, rows, value, |without| {
                let mut said: Vec<RealEvaluation> = Vec::new();
                stack
                    .evaluate_candidates(network, without, &mut said)
                    .expect("active rows can be removed");
                said.iter().map(|said| said.real).collect()
            });
            let title = format!("{}: {}", network.spec().name, shortened(&text));
            drawings.push(found.draw(&title));
        }
    }
    Ok(Drawing::below(&drawings, GAP))
}

/// The text, or its beginning.
fn shortened(text: &str) -> String {
    const MOST: usize = 80;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}..", &text[..end]),
        None => text.to_owned(),
    }
}
