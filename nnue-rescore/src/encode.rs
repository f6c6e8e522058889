//! Blocks as bytes.

use nnue_data::{Format, Record, WriteError, Writer};

use crate::error::Error;
use crate::format::FileFormat;
use crate::job::Job;
use crate::rules::Counts;

/// A block as bytes that can stand after any others.
pub(crate) struct Encoded {
    pub(crate) bytes: Vec<u8>,
    pub(crate) counts: Counts,
}

/// Encodes the records of a block but for those whose indices are `skipped`, ascending. `first` records were read before the block.
pub(crate) fn encode(job: &Job, first: u64, records: &[Record], skipped: &[usize]) -> Result<Encoded, Error> {
    let (mut left_out, mut failed) = (skipped.iter().copied().peekable(), None);
    let kept = records.iter().enumerate().filter(|(index, _)| left_out.next_if_eq(index).is_none());
    let mut refused = |index: usize, reason: WriteError| {
        if !job.keep_going && failed.is_none() {
            failed = Some(Error::Record { number: first + index as u64 + 1, path: job.output.clone(), reason });
        }
        job.keep_going
    };
    let encoded = match job.format {
        FileFormat::Data(format) => data(job, format, kept, &mut refused)?,
        FileFormat::Fens => unreachable!("a job that writes them is refused"),
    };
    match failed {
        Some(error) => Err(error),
        None => Ok(encoded),
    }
}

/// Records in a format of training data. `refused` is told what cannot be written, and says whether to go on.
fn data<'r>(
    job: &Job,
    format: Format,
    records: impl Iterator<Item = (usize, &'r Record)>,
    refused: &mut dyn FnMut(usize, WriteError) -> bool,
) -> Result<Encoded, Error> {
    let (mut writer, mut counts) = (Writer::new(format, Vec::new()), Counts::default());
    let failed = |error| match error {
        WriteError::Io(source) => Error::write(&job.output, source),
        other => Error::write(&job.output, std::io::Error::other(other)),
    };
    for (index, record) in records {
        match writer.write(record) {
            Ok(()) => counts.written += 1,
            Err(WriteError::NoScore(_)) => counts.no_score += 1,
            Err(WriteError::NoMove(_)) => counts.no_move += 1,
            Err(error @ WriteError::Io(_)) => return Err(failed(error)),
            Err(reason) => {
                counts.refused += 1;
                if !refused(index, reason) {
                    break;
                }
            }
        }
    }
    Ok(Encoded { bytes: writer.finish().map_err(failed)?, counts })
}
