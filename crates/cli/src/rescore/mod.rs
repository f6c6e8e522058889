//! `nnue rescore`: replaces the scores of positions by those of a network.

mod scorer;
mod watch;

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use crate::note::{line, note};
use nnue_data::Outcome;
use nnue_data::rescore::{
    Counts, FileFormat, Input, Job, Report, Rules, Scorer, Treatment, rescore,
};

use self::scorer::Kernels;
use self::watch::Progressing;
use crate::args::rescore::{How, OutcomeArg, RescoreArgs};
use crate::declaration;
use crate::error::Error;
use crate::input::one_reader;
use crate::network::open_any;

/// Runs the command. All messages go to standard error, since standard output may carry the data.
pub(crate) fn run(args: &RescoreArgs, _: &mut dyn Write) -> Result<(), Error> {
    let declaration = args
        .declared
        .declaration
        .as_deref()
        .and_then(declaration::path);
    let mut readers = vec![("--declaration", declaration)];
    readers.extend(
        args.inputs
            .iter()
            .map(|path| ("the positions", Some(path.clone()))),
    );
    one_reader(&readers)?;
    let job = job(args)?;
    with(
        &job,
        &Kernels::new(&*open_any(&args.net, &args.declared, args.level.as_deref())?.network),
    )
}

fn job(args: &RescoreArgs) -> Result<Job, Error> {
    let input = |path: &std::path::PathBuf| {
        let format = named(args.from.as_deref(), "--from")?
            .or_else(|| FileFormat::of_input(path))
            .ok_or_else(|| nameless(path, "--from"))?;
        Ok(Input {
            path: path.clone(),
            format,
        })
    };
    let inputs = args
        .inputs
        .iter()
        .map(input)
        .collect::<Result<_, Error>>()?;
    let format = named(args.to.as_deref(), "--to")?
        .or_else(|| FileFormat::of_path(&args.output))
        .ok_or_else(|| nameless(&args.output, "--to"))?;
    let mut job = Job::new(inputs, args.output.clone(), format);
    let (in_check, unscored) = (treatment(args.in_check), treatment(args.unscored));
    job.rules = Rules {
        in_check,
        unscored,
        pawn: args.pawn,
        limit: args.limit,
    };
    job.share = args.part;
    job.outcome = args.outcome.map(|outcome| match outcome {
        OutcomeArg::Win => Outcome::Win,
        OutcomeArg::Draw => Outcome::Draw,
        OutcomeArg::Loss => Outcome::Loss,
    });
    (job.keep_going, job.resume) = (args.keep_going, args.resume);
    job.changed_data = args.changed_data;
    job.threads = args.threads.unwrap_or(job.threads);
    Ok(job)
}

const fn treatment(how: How) -> Treatment {
    match how {
        How::Score => Treatment::Score,
        How::Keep => Treatment::Keep,
        How::Skip => Treatment::Skip,
    }
}

/// The format that `option` names, if it is given.
fn named(name: Option<&str>, option: &str) -> Result<Option<FileFormat>, Error> {
    let Some(name) = name else {
        return Ok(None);
    };
    let found = FileFormat::ALL
        .into_iter()
        .find(|format| format.name() == name);
    found.map(Some).ok_or_else(|| {
        Error::Argument(format!(
            "{option} `{}`: expected one of {}",
            name.escape_default(),
            names()
        ))
    })
}

/// An error for a file whose name says no format.
fn nameless(path: &Path, option: &str) -> Error {
    Error::Argument(format!(
        "{}: the name does not say the format; add {option} with one of {}",
        path.display(),
        names()
    ))
}

fn names() -> String {
    FileFormat::ALL.map(FileFormat::name).join(", ")
}

fn with(job: &Job, scorer: &dyn Scorer) -> Result<(), Error> {
    let (watch, begin) = (Progressing::default(), Instant::now());
    let report = rescore(job, scorer, &watch).map_err(told)?;
    let passed_over = watch.finish();
    if passed_over > watch::TOLD {
        note!("{} more places are damaged", passed_over - watch::TOLD);
    }
    let Report {
        counts, damaged, ..
    } = report;
    explain(job, counts);
    let seconds = begin.elapsed().as_secs_f64();
    line(format_args!(
        "{} positions in {}, {seconds:.1} s",
        counts.written,
        job.output.display()
    ));
    match damaged {
        None => Ok(()),
        Some((path, damage)) => Err(Error::Argument(format!(
            "{}: {damage}; the records before it were written, and `--resume --keep-going` continues after it",
            path.display()
        ))),
    }
}

/// Notes clipped and left out positions.
fn explain(job: &Job, counts: Counts) {
    let format = job.format;
    if counts.clipped > 0 {
        note!(
            "{} scores are clipped to {}",
            counts.clipped,
            job.rules.limit
        );
    }
    if counts.skipped > 0 {
        note!(
            "{} positions are left out, as --in-check and --unscored say",
            counts.skipped
        );
    }
    for (count, what) in [(counts.no_score, "score"), (counts.no_move, "move")] {
        if count > 0 {
            note!("{count} positions without a {what} are left out: {format} needs one");
        }
    }
    if counts.refused > 0 {
        note!(
            "{} positions are left out: {format} has no room for them",
            counts.refused
        );
    }
}

/// Adds advice to errors of the library.
fn told(error: nnue_data::rescore::Error) -> Error {
    use nnue_data::rescore::Error as Rescore;
    let advice = match &error {
        Rescore::NoOutcome { .. } | Rescore::NoColumn { .. } => " by --outcome",
        Rescore::NotBuilt(_) => {
            "; build it with `--features arrow`, as in `cargo run --release -p nnue-cli --features arrow -- rescore --help`"
        }
        Rescore::Begun { .. } => "; --resume continues",
        Rescore::InputChanged { .. } => " by --changed-data",
        Rescore::Record { .. } => "; --keep-going leaves it out",
        _ => "",
    };
    match error {
        Rescore::File(error) => Error::System(error.into()),
        Rescore::StandardOutput(error) => error.into(),
        other => Error::Argument(format!("{other}{advice}")),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::HashMap;
    use std::fs;

    use nnue_format::{Header, Tensors, randomize, write};
    use nnue_spec::NetDesc;

    use super::*;
    use crate::args::{DeclarationArgs, NetArgs};
    use crate::kept::Role::{Contents, Nothing, Value};
    use crate::kept::{Base, Row, check};

    /// A network that is declared. Names of networks begin in the folder of the test.
    const DECLARED: Base = &[
        &["--net", "a.bin"],
        &["--declaration", "a.rs"],
        &["a.binpack", "--output", "out.binpack"],
    ];

    const OPTIONS: &[Row] = &[
        (
            "net",
            Contents,
            &[&["--net", "same.bin"], &["--net", "b.bin"]],
        ),
        (
            "declaration",
            Contents,
            &[&["--declaration", "same.rs"], &["--declaration", "b.rs"]],
        ),
    ];

    /// The network that is built in.
    const KNOWN: Base = &[&["a.binpack"], &["--output", "out.binpack"]];

    const OPTIONS_OF_KNOWN: &[Row] = &[
        // the contents of inputs are compared apart from everything else
        ("inputs", Value, &[&["a.binpack", "b.binpack"]]),
        ("from", Value, &[&["--from", "plain"]]),
        ("part", Value, &[&["--part", "1/2"]]),
        ("output", Nothing, &[&["--output", "b.binpack"]]),
        ("to", Value, &[&["--to", "plain"]]),
        (
            "arch",
            Contents,
            &[
                &["--arch", "default"],
                &["--arch", "default", "--net", "b.nnue"],
            ],
        ),
        ("level", Nothing, &[&["--level", "scalar"]]),
        ("pawn", Value, &[&["--pawn", "7"]]),
        ("limit", Value, &[&["--limit", "7"]]),
        ("in_check", Value, &[&["--in-check", "skip"]]),
        ("unscored", Value, &[&["--unscored", "skip"]]),
        ("outcome", Value, &[&["--outcome", "win"]]),
        // may be asked for after damage was found
        ("keep_going", Nothing, &[&["--keep-going"]]),
        ("resume", Nothing, &[&["--resume"]]),
        ("changed_data", Nothing, &[&["--resume", "--changed-data"]]),
        ("threads", Nothing, &[&["--threads", "3"]]),
    ];

    /// The file of a network with random weights.
    fn random(spec: &NetDesc<'_>, seed: u64) -> Vec<u8> {
        let mut tensors = Tensors::zeroed(spec);
        randomize(spec, &mut tensors.muts(), seed);
        let mut file = Vec::new();
        write(spec, &Header::new(spec, []), &tensors.refs(), &mut file).expect("memory");
        file
    }

    #[test]
    fn every_option_counts_as_the_table_says() {
        let folder = std::env::temp_dir().join(format!("nnue-rescore.{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let put = |name: &str, contents: &[u8]| {
            fs::write(folder.join(name), contents).expect("a file");
        };
        let source = "struct A = (768 -> 32)x2 @ 255 screlu -> 1: i16 { format raw };";
        let plans = nnue_codegen::plan_text(source).expect("it is right");
        let tables = plans[0].tables();
        for (name, seed, source) in [
            ("a", 1, source.to_owned()),
            ("same", 1, source.to_owned()),
            ("b", 2, source.replace("255", "181")),
        ] {
            put(&format!("{name}.bin"), &random(&tables.descriptor(), seed));
            put(&format!("{name}.rs"), source.as_bytes());
        }
        let open = |net: &NetArgs, declared: &DeclarationArgs, level: Option<&str>| {
            let inside = |name: &str| folder.join(name);
            let net = NetArgs {
                net: net.net.as_ref().map(|name| folder.join(name)),
                arch: net.arch.clone(),
            };
            let path = |name: &String| inside(name).display().to_string();
            let declared = DeclarationArgs {
                declaration: declared.declaration.as_ref().map(path),
            };
            open_any(&net, &declared, level)
                .unwrap_or_else(|error| panic!("{error}"))
                .network
        };
        let known = open(&NetArgs::default(), &DeclarationArgs::default(), None);
        put("b.nnue", &random(known.spec(), 2));
        let networks = RefCell::new(HashMap::new());
        check(
            &[(DECLARED, OPTIONS), (KNOWN, OPTIONS_OF_KNOWN)],
            |args: &RescoreArgs| {
                let of = format!("{:?} {:?} {:?}", args.net, args.declared, args.level);
                let network = || {
                    let network = open(&args.net, &args.declared, args.level.as_deref());
                    Kernels::new(&*network).identity()
                };
                let network = *networks.borrow_mut().entry(of).or_insert_with(network);
                job(args).expect("it is right").settings(network)
            },
        );
        fs::remove_dir_all(&folder).expect("it can be removed");
    }
}
