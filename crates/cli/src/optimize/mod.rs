//! `nnue optimize`: reorders the neurons so that the first layer has less to do.

mod activity;
mod find;
mod report;
mod times;

use std::io::Write;
use std::path::Path;

use nnue::LoadError;

use crate::args::{NetArgs, OptimizeArgs};
use crate::bench::Data;
use crate::declaration;
use crate::error::Error;
use crate::input::one_reader;
use crate::network::{AnyNetwork, Described, open_any};
use crate::output;
use find::find;
use report::{Measured, Report};
use times::Times;

pub(crate) fn run(args: &OptimizeArgs, out: &mut dyn Write) -> Result<(), Error> {
    if args.repetitions == 0 {
        return Err(Error::Argument("--repetitions must be at least 1".into()));
    }
    check_paths(args)?;
    let net = NetArgs {
        net: Some(args.file.clone()),
        arch: args.arch.clone(),
    };
    let refuse = |error: LoadError| Error::Network {
        path: args.file.clone(),
        message: error.to_string(),
    };
    let data = Data::new();
    let before = open_any(&net, &args.declared, args.level.as_deref())?;
    let found = find(args, before.known.spec, &data)?;
    let read = || -> Result<Box<dyn AnyNetwork>, LoadError> {
        let mut file = &found.file[..];
        match args.declared.declaration {
            Some(_) => Ok(Box::new(Described::read(before.known.spec, file)?)),
            None => before.known.read(&mut file),
        }
    };
    let after = read().map_err(refuse)?.with_level(before.network.level());
    let compared = found.compare(&*before.network, &*after)?;
    let times = Times::measure([&*before.network, &*after], &data, args.repetitions);
    let measured = Measured {
        times,
        level: before.network.level(),
        reason: before.reason.to_string(),
    };
    conclude(
        args,
        &Report {
            known: before.known,
            found: &found,
            compared,
            measured,
        },
        out,
    )
}

/// Refuses paths with two roles, except that the output may replace the network, which has been read by then.
fn check_paths(args: &OptimizeArgs) -> Result<(), Error> {
    let declaration = args
        .declared
        .declaration
        .as_deref()
        .and_then(declaration::path);
    let inputs: [(&str, Option<&Path>); 2] = [
        ("the declaration", declaration.as_deref()),
        ("the positions", args.positions.as_deref()),
    ];
    output::refuse_same(args.output.as_deref(), &inputs)?;
    one_reader(&[
        ("--declaration", declaration),
        ("--positions", args.positions.clone()),
    ])
}

fn conclude(args: &OptimizeArgs, report: &Report<'_>, out: &mut dyn Write) -> Result<(), Error> {
    if let Some(path) = &args.output {
        output::write(path, &report.found.file)?;
    }
    report.print(&args.file, args.output.as_deref(), out)
}
