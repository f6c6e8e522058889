//! What the files of a cache hold, read without changing them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::coding::{Coding, PolicyCodec};
use super::error::{CacheError, Damaged};
use super::record;
use super::segment::{Kind, Segment};
use super::steps::Steps;
use super::store;

/// One file of a cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileSurvey {
    /// the file
    pub path: PathBuf,
    /// the digest of the backend whose answers it has
    pub digest: u128,
    /// the last so many positions count; 0 for all that the backend reads
    pub history: u64,
    /// how policies are written in it
    pub codec: PolicyCodec,
    /// whole records
    pub records: u64,
    /// bytes up to the end of the last whole record, the head of the file included
    pub bytes: u64,
    /// bytes after it: of a record that is being written, or whose writer was killed
    pub unfinished: u64,
}

/// All files of a cache.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// the files, by their numbers
    pub files: Vec<FileSurvey>,
    /// different positions; records of a position that was written again are not counted twice
    pub positions: u64,
    /// records with a whole number as value
    pub scores: u64,
    /// records with a policy
    pub policies: u64,
    /// moves of all these policies
    pub moves: u64,
    /// bytes of all answers as they are written, without keys and checksums
    pub answer_bytes: u64,
    /// bytes of all policies as they are written
    pub policy_bytes: u64,
    /// bytes that all policies would take in each way: by the index in [`Steps::ALL`], then by that in [`Coding::ALL`]
    pub policy_bytes_as: [[u64; Coding::ALL.len()]; Steps::ALL.len()],
    /// records whose checksum is right and whose contents are no answer: they were not written by this program
    pub damaged: u64,
}

/// Reads all files of the cache of this name: what is in them, and what each way to write policies would take. Records of all files together are
/// counted, also where the same position is in several.
///
/// Other processes may write meanwhile; what they write after a file was read does not count. 16 bytes of memory for each position.
///
/// # Errors
///
/// If a file of this name and a number is none of a cache, or if the system refuses. That there are no files is none: see
/// [`Survey::files`].
pub fn survey(path: &Path) -> Result<Survey, CacheError> {
    let (mut survey, mut keys) = (Survey::default(), HashSet::new());
    for number in store::numbers(path)? {
        let Some(mut segment) = Segment::open_to_read(&store::file(path, number))? else {
            continue;
        };
        let Kind {
            codec,
            digest,
            history,
        } = segment.kind;
        let mut records = 0;
        segment.scan_answers(|key, answer| {
            records += 1;
            keys.insert(key);
            let is_answer = survey.add(answer, codec);
            survey.damaged += u64::from(is_answer.is_err());
        })?;
        let (path, bytes, unfinished) = (
            segment.path().to_owned(),
            segment.end,
            segment.unfinished()?,
        );
        survey.files.push(FileSurvey {
            path,
            digest,
            history,
            codec,
            records,
            bytes,
            unfinished,
        });
    }
    survey.positions = keys.len() as u64;
    Ok(survey)
}

impl Survey {
    /// Counts an answer.
    fn add(&mut self, answer: &[u8], codec: PolicyCodec) -> Result<(), Damaged> {
        let (parts, _, coded) = record::split(answer)?;
        if let Some((count, bytes)) = coded {
            let (mut numbers, mut policy) = (Vec::new(), Vec::new());
            codec.coding.decode(bytes, count, &mut numbers)?;
            codec.decode(bytes, count, &mut policy)?;
            self.policies += 1;
            self.moves += count as u64;
            self.policy_bytes += bytes.len() as u64;
            for (steps, totals) in Steps::ALL.into_iter().zip(&mut self.policy_bytes_as) {
                // those of its own steps are as they were, others are made of what is left of the probabilities
                let others: Vec<u16> = policy.iter().map(|&p| steps.number(p)).collect();
                let numbers = if steps == codec.steps {
                    &numbers
                } else {
                    &others
                };
                for (coding, total) in Coding::ALL.into_iter().zip(totals) {
                    let mut bytes = Vec::new();
                    coding.encode(numbers, &mut bytes);
                    *total += bytes.len() as u64;
                }
            }
        }
        self.scores += u64::from(parts.score.is_some());
        self.answer_bytes += answer.len() as u64;
        Ok(())
    }
}
