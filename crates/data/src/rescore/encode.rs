//! Encodes blocks.

use crate::{Record, WriteError, Writer};

use crate::rescore::error::Error;
use crate::rescore::format::FileFormat;
use crate::rescore::job::Job;
use crate::rescore::rules::Counts;
use crate::rescore::tables::Table;

/// A block as bytes that may follow any others.
pub(crate) struct Encoded {
    pub(crate) bytes: Vec<u8>,
    pub(crate) counts: Counts,
}

/// Encodes the records of a block, except those with the ascending indices `skipped`. `first` records were
/// read before the block.
pub(crate) fn encode(
    job: &Job,
    first: u64,
    records: &[Record],
    skipped: &[usize],
) -> Result<Encoded, Error> {
    let (mut left_out, mut failed) = (skipped.iter().copied().peekable(), None);
    let kept = records
        .iter()
        .enumerate()
        .filter(|(index, _)| left_out.next_if_eq(index).is_none());
    let mut refused = |index: usize, reason: WriteError| {
        if !job.keep_going && failed.is_none() {
            failed = Some(Error::Record {
                number: first + index as u64 + 1,
                path: job.output.clone(),
                reason,
            });
        }
        job.keep_going
    };
    let wrong = |source| Error::write(&job.output, source);
    let as_io = |error| match error {
        WriteError::Io(source) => source,
        other => std::io::Error::other(other),
    };
    let mut counts = Counts::default();
    let bytes = match job.format {
        FileFormat::Data(format) => {
            let mut writer = Writer::new(format, Vec::new());
            write(
                kept,
                |record| writer.write(record),
                &mut counts,
                &mut refused,
            )
            .map_err(wrong)?;
            writer.finish().map_err(as_io)
        }
        FileFormat::Table(format) => {
            let mut table = Table::new(format)?;
            write(kept, |record| table.push(record), &mut counts, &mut refused).map_err(wrong)?;
            table.finish()
        }
        FileFormat::Fens => unreachable!("a job that writes them is refused"),
    };
    match failed {
        Some(error) => Err(error),
        None => Ok(Encoded {
            bytes: bytes.map_err(wrong)?,
            counts,
        }),
    }
}

/// Writes and counts records. `refused` receives those that cannot be written, and returns whether to go on.
fn write<'r>(
    records: impl Iterator<Item = (usize, &'r Record)>,
    mut write: impl FnMut(&Record) -> Result<(), WriteError>,
    counts: &mut Counts,
    refused: &mut dyn FnMut(usize, WriteError) -> bool,
) -> std::io::Result<()> {
    for (index, record) in records {
        match write(record) {
            Ok(()) => counts.written += 1,
            Err(WriteError::NoScore(_)) => counts.no_score += 1,
            Err(WriteError::NoMove(_)) => counts.no_move += 1,
            Err(WriteError::Io(error)) => return Err(error),
            Err(reason) => {
                counts.refused += 1;
                if !refused(index, reason) {
                    break;
                }
            }
        }
    }
    Ok(())
}
