//! `nnue plot report`: puts everything on one page.

use nnue_tools::plot::report::{About, page};

use super::{network, one_input, open, refuse};
use crate::args::plot::ReportArgs;
use crate::error::Error;
use crate::network::{Declared, Evaluator, Opened};
use crate::output;

/// A position with all kinds of pieces and kings on different wings.
const POSITION: &str = "2kr3r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R4RK1 w - - 4 10";

pub(super) fn run(args: &ReportArgs) -> Result<(), Error> {
    let [fens, rows] = args.seen.files();
    one_input(&args.drawn, &[fens, rows, ("--games", args.games.clone())])?;
    let opened = open(&args.drawn)?;
    let tensors = opened.network.tensors();
    let network = network(&*opened.network, &tensors)?;
    let mut about = About {
        facts: facts(&opened),
        ..About::default()
    };
    // Networks with custom code get a page without values and neurons, those over lists of rows one without boards.
    match Declared::require_known(opened.network.spec()) {
        Err(_) if args.seen.rows.is_some() => {
            about.activity = Some(super::neurons::watch(&network, &args.seen)?);
        }
        Ok(()) => {
            about.activity = Some(super::neurons::watch(&network, &args.seen)?);
            about.positions = super::values::contributions(&*opened.network, &args.fen, POSITION)?;
            if let Some(games) = &args.games {
                about.games = super::values::charts(&*opened.network, games)?;
            }
        }
        Err(reason) => about.facts.push(("no values".into(), reason.to_string())),
    }
    output::write(
        &args.drawn.output,
        page(&network, &about).map_err(refuse)?.as_bytes(),
    )
}

fn facts(opened: &Opened<dyn Evaluator>) -> Vec<(String, String)> {
    let header = opened.network.header();
    let fact = |what: &str, how: String| (what.to_owned(), how);
    vec![
        fact("file", opened.source.clone()),
        fact("declaration", opened.known.name.to_owned()),
        fact("description", header.description.escape_ascii().to_string()),
        fact(
            "parameters",
            format!(
                "{} bytes in memory",
                opened.network.spec().parameter_bytes()
            ),
        ),
        fact("evaluated by", opened.network.evaluated_by()),
    ]
}
