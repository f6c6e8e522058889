//! What is to be done.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::Outcome;
use twox_hash::XxHash3_128;

use crate::rescore::format::FileFormat;
use crate::rescore::rules::Rules;
use crate::rescore::share::Share;

/// Records of a block: enough that sorting finds neighbours.
pub const BLOCK: usize = 1 << 16;

/// A file that is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// where it is; `-` is standard input
    pub path: PathBuf,
    /// its format
    pub format: FileFormat,
}

/// What is to be done.
#[derive(Clone, Debug)]
pub struct Job {
    /// the files that are read, one after the other
    pub inputs: Vec<Input>,
    /// the part of the only input that is read; without it all inputs are read whole
    pub share: Option<Share>,
    /// the file that is written; `-` is standard output
    pub output: PathBuf,
    /// its format
    pub format: FileFormat,
    /// which positions get a score, and which
    pub rules: Rules,
    /// the outcome for the side to move of positions whose file does not say how their game ended; without it such files are refused
    pub outcome: Option<Outcome>,
    /// leave out what is damaged, and records that the output has no room for, and go on
    pub keep_going: bool,
    /// go on with what was begun, if there is a state beside the output
    pub resume: bool,
    /// resume also where an input has other contents than when the work was begun
    pub changed_data: bool,
    /// threads that evaluate
    pub threads: NonZeroUsize,
    /// records of a block
    pub block: NonZeroUsize,
    /// how often the state is written, at most
    pub checkpoints: Duration,
}

impl Job {
    /// Everything that has a score gets one, on all cores.
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

    /// A digest of all that the bytes of the output depend on, but for the contents of the inputs. `scorer` is the identity of what gives scores.
    #[must_use]
    pub fn settings(&self, scorer: u128) -> u128 {
        let Self {
            inputs,
            share,
            output: _, // the same bytes, wherever they are
            format,
            rules,
            outcome,
            keep_going: _, // may be asked for after damage was found
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
