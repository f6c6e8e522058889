//! The description of a job.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::Outcome;
use twox_hash::XxHash3_128;

use crate::rescore::format::FileFormat;
use crate::rescore::rules::Rules;
use crate::rescore::share::Share;

/// Records of a block: enough for sorting to find neighbours.
pub const BLOCK: usize = 1 << 16;

/// A file to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// its path; `-` is standard input
    pub path: PathBuf,
    /// its format
    pub format: FileFormat,
}

/// What to read, score and write.
#[derive(Clone, Debug)]
pub struct Job {
    /// the files to read, one after the other
    pub inputs: Vec<Input>,
    /// the part of the only input to read; `None` reads all inputs whole
    pub share: Option<Share>,
    /// the file to write; `-` is standard output
    pub output: PathBuf,
    /// its format
    pub format: FileFormat,
    /// which positions are scored, and how values become scores
    pub rules: Rules,
    /// the outcome for the side to move of positions whose file does not say how their game ended; without it
    /// such files are refused
    pub outcome: Option<Outcome>,
    /// skip damaged places, and records that the output cannot express
    pub keep_going: bool,
    /// resume earlier work, if there is a state beside the output
    pub resume: bool,
    /// resume even if an input has other contents than when the work began
    pub changed_data: bool,
    /// the number of evaluating threads
    pub threads: NonZeroUsize,
    /// records of a block
    pub block: NonZeroUsize,
    /// the shortest time between two writes of the state
    pub checkpoints: Duration,
}

impl Job {
    /// Scores all positions that have a score, on all cores.
    pub fn new(inputs: Vec<Input>, output: PathBuf, format: FileFormat) -> Self {
        Self {
            inputs,
            share: None,
            output,
            format,
            rules: Rules::default(),
            outcome: None,
            keep_going: false,
            resume: false,
            changed_data: false,
            threads: thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            block: const { NonZeroUsize::new(BLOCK).unwrap() },
            checkpoints: Duration::from_secs(5),
        }
    }

    /// A digest of everything that the bytes of the output depend on, except the contents of the inputs.
    /// `scorer` is the identity of the scorer.
    #[must_use]
    pub fn settings(&self, scorer: u128) -> u128 {
        let Self {
            inputs,
            share,
            output: _, // the bytes do not depend on it
            format,
            rules,
            outcome,
            keep_going: _, // may be enabled after damage was found
            resume: _,
            changed_data: _,
            threads: _,
            block,
            checkpoints: _,
        } = self;
        let version = env!("CARGO_PKG_VERSION");
        let text = format!(
            "{version} {scorer:x} {inputs:?} {share:?} {format:?} {rules:?} {outcome:?} {block}"
        );
        XxHash3_128::oneshot(text.as_bytes())
    }
}

/// Whether a path stands for standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}
