//! Runs: a training as a file says it.
//!
//! ```no_run
//! use nnue_train::run::{Options, Run};
//!
//! # fn main() -> Result<(), nnue_train::run::Error> {
//! let run = Run::open("first.toml".as_ref())?;
//! run.train(&Options::default(), &mut ())
//! # }
//! ```
//!
//! [`Run::of_text`] takes the text of such a file, whose keys are in `docs/training.md`; an [`Observer`] hears how the run goes on.
//!
//! ```text
//!   run.toml ──► Config ──► Training ──► superbatch after superbatch:
//!                              │           batches ──► gradient ──► optimiser        (training)
//!                              │           held-out games ──► verdict                (validation)
//!                              │           checkpoint, log, plots, network           (output)
//!                              ▼
//!                           Export: the network's file and its declaration with golden values
//! ```

mod checkpoint;
mod config;
mod dense;
mod device;
mod error;
mod export;
mod floats;
mod history;
mod identity;
mod load;
mod neurons;
mod observer;
mod output;
mod records;
mod report;
mod table;
mod training;
mod validation;

use std::path::{Path, PathBuf};

use config::Config;
use table::Source;

pub use error::Error;
pub use observer::Observer;

/// A training as a file says it.
#[derive(Clone, Debug)]
pub struct Run {
    source: Source,
    /// where relative paths begin
    folder: PathBuf,
}

/// Choices of whoever starts a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Go on from the last checkpoint, if there is one. Without it, a folder that has a checkpoint is refused.
    pub resume: bool,
    /// Resume also if a file of data has changed since the checkpoint.
    pub changed_data: bool,
    /// Used instead of the device that the file names.
    pub device: Option<Device>,
}

/// Computes gradients and steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// The cores of this machine. A run gives the same bytes each time.
    Cpu,
    /// The first GPU of NVIDIA (feature `cuda`). Sums have no fixed order: two runs differ in their last bits.
    Cuda,
}

impl Run {
    /// Reads the file of a run. Relative paths in it begin at its folder.
    ///
    /// # Errors
    ///
    /// [`Error::File`]: it cannot be read.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Ok(Self {
            source: Source::read(path)?,
            folder: path.parent().unwrap_or(Path::new("")).to_owned(),
        })
    }

    /// The run in `text`, which errors call `name`. Relative paths in it begin at `folder`.
    pub fn of_text(
        name: impl Into<String>,
        text: impl Into<String>,
        folder: impl Into<PathBuf>,
    ) -> Self {
        Self {
            source: Source {
                name: name.into(),
                text: text.into(),
            },
            folder: folder.into(),
        }
    }

    /// Trains until the last superbatch. After each, a checkpoint, the quantised network, its declaration and the log are written to the
    /// folder that the run names.
    ///
    /// # Errors
    ///
    /// [`Error`]: the run's file is wrong, data are damaged or missing, a file cannot be written, or the loss is not finite. The last
    /// checkpoint stays.
    pub fn train(&self, options: &Options, observer: &mut dyn Observer) -> Result<(), Error> {
        let source = self.source.clone();
        if dense::is_dense(&source, &self.folder)? {
            if options.device == Some(Device::Cuda) {
                return Err(Error::Run(
                    "--device cuda: a network over a dense input is trained on the CPU".into(),
                ));
            }
            let config = dense::Config::parse(source, &self.folder)?;
            return dense::run(&config, options, observer);
        }
        let mut config = Config::parse(source, &self.folder)?;
        config.device = options.device.unwrap_or(config.device);
        training::run(&config, options, observer)
    }
}
