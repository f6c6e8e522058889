//! `nnue cache stats`.

use std::io::{self, Write};
use std::path::Path;

use nnue_backend::cache::{Coding, FileSurvey, Steps, Survey, survey};

use crate::args::backends::{CacheArgs, CacheCommand};
use crate::error::Error;

pub(crate) fn run(args: &CacheArgs, out: &mut dyn Write) -> Result<(), Error> {
    let CacheCommand::Stats(args) = &args.what;
    let found = survey(&args.file).map_err(|error| Error::Argument(error.to_string()))?;
    if found.files.is_empty() {
        return Err(Error::Argument(none(&args.file)));
    }
    files(&found, out)?;
    answers(&found, out)?;
    if found.policies > 0 {
        codings(&found, out)?;
    }
    Ok(())
}

/// Explains why no file was found, for example because the path includes a file number.
fn none(path: &Path) -> String {
    let number = path
        .extension()
        .and_then(|number| number.to_str())
        .filter(|number| number.parse::<u32>().is_ok());
    let hint = match number {
        Some(_) if path.exists() => format!(
            "; `{}` is one file of a cache: leave out its number",
            path.display()
        ),
        _ => String::new(),
    };
    format!(
        "no cache of this name: there is no {}.1, .2, ..{hint}",
        path.display()
    )
}

fn files(survey: &Survey, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "{:<32} {:>12} {:>10}  {:<26} backend",
        "file", "bytes", "answers", "policies in"
    )?;
    for FileSurvey {
        path,
        digest,
        history,
        codec,
        records,
        bytes,
        unfinished,
    } in &survey.files
    {
        let way = format!("{}, {}", codec.steps.name(), codec.coding.name());
        write!(
            out,
            "{:<32} {bytes:>12} {records:>10}  {way:<26} {:08x}",
            path.display().to_string(),
            digest >> 96
        )?;
        if *history > 0 {
            write!(out, "; history={history}")?;
        }
        if *unfinished > 0 {
            write!(out, "; and {unfinished} bytes of an incomplete answer")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn answers(survey: &Survey, out: &mut dyn Write) -> io::Result<()> {
    let Survey {
        positions,
        scores,
        policies,
        moves,
        answer_bytes,
        policy_bytes,
        damaged,
        ..
    } = survey;
    let all: u64 = survey.files.iter().map(|file| file.records).sum();
    let bytes: u64 = survey.files.iter().map(|file| file.bytes).sum();
    writeln!(out, "\npositions  {positions}, in {all} answers")?;
    writeln!(
        out,
        "answers    {:.1} bytes each, {:.1} with key and checksum",
        mean(*answer_bytes, all),
        mean(bytes, all)
    )?;
    writeln!(out, "scores     {scores}")?;
    let (moves, policy_bytes) = (mean(*moves, *policies), mean(*policy_bytes, *policies));
    writeln!(
        out,
        "policies   {policies}, of {moves:.1} moves and {policy_bytes:.1} bytes each"
    )?;
    if *damaged > 0 {
        writeln!(
            out,
            "damaged    {damaged} answers that this program has not written"
        )?;
    }
    Ok(())
}

/// Prints the size of the policies in each encoding.
fn codings(survey: &Survey, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "\nbytes of a policy ")?;
    Steps::ALL
        .iter()
        .try_for_each(|steps| write!(out, " {:>10}", steps.name()))?;
    for (index, coding) in Coding::ALL.into_iter().enumerate() {
        write!(out, "\n  {:<16}", coding.name())?;
        for totals in &survey.policy_bytes_as {
            write!(out, " {:>10.1}", mean(totals[index], survey.policies))?;
        }
    }
    writeln!(out)?;
    let own: Vec<_> = survey.files.iter().map(|file| file.codec.steps).collect();
    if Steps::ALL.iter().any(|steps| !own.contains(steps)) {
        writeln!(
            out,
            "For steps that the files do not use, their rounded probabilities are rounded again."
        )?;
    }
    Ok(())
}

fn mean(total: u64, count: u64) -> f64 {
    total as f64 / count.max(1) as f64
}
