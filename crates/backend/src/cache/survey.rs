//! Reads the files of a cache without changing them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::coding::{Coding, PolicyCodec};
use super::error::{CacheError, Damaged};
use super::record;
use super::segment::{Kind, Segment};
use super::steps::Steps;
use super::store;

/// Statistics of one cache file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileSurvey {
    /// path
    pub path: PathBuf,
    /// digest of the backend
    pub digest: u128,
    /// number of positions of the history that count; 0: all that the backend reads
    pub history: u64,
    /// encoding of policies
    pub codec: PolicyCodec,
    /// number of complete records
    pub records: u64,
    /// bytes up to the end of the last complete record, with the header
    pub bytes: u64,
    /// bytes after that: a record that is being written, or from a killed writer
    pub unfinished: u64,
}

/// Statistics of all files of a cache.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// the files, by number
    pub files: Vec<FileSurvey>,
    /// number of distinct positions
    pub positions: u64,
    /// number of records with an integer value
    pub scores: u64,
    /// number of records with a policy
    pub policies: u64,
    /// number of moves in all policies
    pub moves: u64,
    /// bytes of all encoded answers, without keys and checksums
    pub answer_bytes: u64,
    /// bytes of all encoded policies
    pub policy_bytes: u64,
    /// bytes of all policies in each encoding, indexed as [`Steps::ALL`], then [`Coding::ALL`]
    pub policy_bytes_as: [[u64; Coding::ALL.len()]; Steps::ALL.len()],
    /// number of records with a valid checksum but invalid contents, not written by this program
    pub damaged: u64,
}

/// Reads all files of a cache: their contents, and the size of all policies in each encoding. Records are
/// counted over all files, even if the same position is in several.
///
/// Other processes may write meanwhile; what they append after a file was read does not count. Needs 16 bytes
/// of memory per position.
///
/// # Errors
///
/// If a file with this name and a number is not a cache file, and I/O errors. No files at all is not an
/// error: see [`Survey::files`].
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
                // requantise the decoded policy; its own steps are exact
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
