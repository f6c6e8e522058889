//! `nnue golden`: prints golden values of a network as clauses for its declaration.

use std::io::Write;

use crate::note::note;
use nnue_spec::{HeadKind, NetDesc};
use nnue_tools::golden_clauses;

use crate::args::GoldenArgs;
use crate::declaration;
use crate::error::Error;
use crate::input::{Given, given, one_reader, positions};
use crate::network::{Declared, Evaluator, open_plan};

/// Positions that distinguish misreadings of a file: both sides to move, kings on both wings, 32 to 3 pieces,
/// no symmetry except in the first.
const POSITIONS: [&str; 6] = [
    crate::input::START,
    "r1bqkb1r/pp3ppp/2n1pn2/3p4/3P4/2N2N2/PP2PPPP/R1BQKB1R w KQkq - 0 7",
    "2kr3r/ppp2ppp/2n1bn2/2b1p3/4P3/2NP1N2/PPP1BPPP/R1B2RK1 b - - 0 9",
    "6k1/1p3pp1/p1q4p/3r4/3P4/1Q3N1P/PP3PP1/4R1K1 b - - 0 27",
    "8/5pk1/6p1/7p/R6P/5PP1/1r6/1K6 w - - 0 40",
    "8/1k6/8/1P6/8/2K5/8/8 b - - 0 60",
];

pub(crate) fn run(args: &GoldenArgs, out: &mut dyn Write) -> Result<(), Error> {
    one_reader(&[
        ("--declaration", declaration::path(&args.declaration)),
        ("--fens", args.fens.clone()),
    ])?;
    let mut plan = declaration::read(&args.declaration)?;
    let declared = std::mem::take(&mut plan.goldens);
    let opened = open_plan(&args.net, plan)?;
    let network = &*opened.network;
    Declared::require_known(network.spec())?;
    require_rows(network.spec(), &args.rows)?;
    let mut written = 0;
    for given in asked(args)? {
        let given = given?;
        check(&given.fen)?;
        let (tensors, board) = (network.tensors(), given.position.plain());
        for clause in golden_clauses(network.spec(), &tensors, &given.fen, &board, &args.rows) {
            writeln!(out, "{clause}")?;
        }
        written += 1;
    }
    out.flush()?;
    note!(
        "what {} says about {}, read as `{}`",
        opened.source,
        count(written),
        opened.known.name
    );
    for golden in &declared {
        let now = value(network, &given(&golden.fen, || "a golden value".into())?);
        if now != golden.value {
            note!(
                "the declaration says {} for `{}`, the file says {now}",
                golden.value,
                golden.fen
            );
        }
    }
    Ok(())
}

fn asked(args: &GoldenArgs) -> Result<Box<dyn Iterator<Item = Result<Given, Error>> + '_>, Error> {
    if args.fen.is_empty() && args.fens.is_none() {
        return Ok(Box::new(
            POSITIONS.iter().map(|fen| given(fen, || "built in".into())),
        ));
    }
    positions(&args.fen, args.fens.as_deref())
}

fn value(network: &Declared, given: &Given) -> i32 {
    network.evaluate(&given.position).evaluation.value
}

/// Refuses `rows` that an output lacks.
fn require_rows(net: &NetDesc<'_>, rows: &[usize]) -> Result<(), Error> {
    let heads = net.heads.iter().filter(|head| head.kind == HeadKind::Rows);
    match heads
        .flat_map(|head| rows.iter().map(move |&row| (head, row)))
        .find(|(head, row)| *row >= head.len)
    {
        Some((head, row)) => Err(Error::Argument(format!(
            "`{}` has {} rows, and no row {row}",
            head.name, head.len
        ))),
        None => Ok(()),
    }
}

/// Declarations require the side to move in a FEN; positions of this command may omit it.
fn check(fen: &str) -> Result<(), Error> {
    let wrong = |error| Error::Input {
        place: format!("`{}`", fen.escape_default()),
        message: format!("{error}"),
    };
    nnue_spec::Fen::parse(fen).map(drop).map_err(wrong)
}

fn count(positions: usize) -> String {
    if positions == 1 {
        "1 position".into()
    } else {
        format!("{positions} positions")
    }
}
