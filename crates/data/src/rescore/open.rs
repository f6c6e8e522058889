//! Opens an input as a sequence of records.

use crate::text::fens;
use crate::{Reader, Record, compressed};

use crate::rescore::error::Error;
use crate::rescore::format::FileFormat;
use crate::rescore::input::{Records, bytes};
use crate::rescore::job::{Input, Job};
use crate::rescore::tables;
use crate::rescore::watch::Watch;

pub(crate) fn open<'j>(
    input: &'j Input,
    job: &'j Job,
    watch: &'j dyn Watch,
) -> Result<Records<'j>, Error> {
    let no_outcome = || Error::NoOutcome {
        path: input.path.clone(),
        format: input.format,
    };
    Ok(match input.format {
        FileFormat::Data(format) => {
            let (bytes, fate) = compressed::open(bytes(input, job.share, watch)?);
            Box::new(fate.follow(Reader::new(format, bytes)))
        }
        FileFormat::Fens => {
            let outcome = job.outcome.ok_or_else(no_outcome)?;
            let (bytes, fate) = compressed::open(bytes(input, job.share, watch)?);
            let records = fate.follow(fens::Reader::new(bytes, outcome));
            Box::new(records.map(|read| read.map(unrated)))
        }
        FileFormat::Table(format) => tables::open(format, input, job, watch)?,
    })
}

/// Marks a position of a file without scores as scored, so that it gets a score like all others: `NO_SCORE`
/// would mean that its score was left out.
const fn unrated(record: Record) -> Record {
    Record { score: 0, ..record }
}
