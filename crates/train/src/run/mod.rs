//! Runs: trainings described by a file.
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
//! [`Run::of_text`] takes the text of such a file (`docs/training.md` lists all keys). An [`Observer`]
//! receives the progress.
//!
//! ```text
//!   run.toml ──► Config ──► Training ──► superbatch after superbatch:
//!                              │           batches ──► gradient ──► optimiser        (training)
//!                              │           held-out games ──► verdict                (validation)
//!                              │           checkpoint, log, plots, network           (output)
//!                              ▼
//!                           Export: the network's file and its declaration with golden values
//! ```

mod begin;
mod checkpoint;
mod config;
mod dense;
mod device;
mod epochs;
mod error;
mod export;
mod floats;
mod history;
pub mod identity;
mod listed;
mod load;
mod neurons;
mod observer;
mod options;
mod output;
mod records;
mod report;
mod rows;
mod survey;
mod table;
mod training;
mod validation;
mod words;

use std::path::{Path, PathBuf};

use config::Config;
use nnue_runtime::Choice;
use table::Source;

pub use error::Error;
pub use listed::{ListedData, ListedValidation};
pub use observer::Observer;
pub use options::{Device, Options};

/// A training described by a file.
#[derive(Clone, Debug)]
pub struct Run {
    source: Source,
    /// base of relative paths
    folder: PathBuf,
}

impl Run {
    /// Reads the file of a run. Relative paths start at its folder.
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

    /// A run from `text`, which errors call `name`. Relative paths start at `folder`.
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

    /// Trains until the last superbatch. After each, writes a checkpoint, the quantised network, its
    /// declaration and the log to the output folder.
    ///
    /// # Errors
    ///
    /// [`Error`]: `NNUE_LEVEL` names no level of this processor, the file of the run is wrong, data are damaged
    /// or missing, a file cannot be written, or the loss is not finite. The last checkpoint is kept.
    pub fn train(&self, options: &Options, observer: &mut dyn Observer) -> Result<(), Error> {
        Choice::followed()?;
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
        self.begin(None, options, observer)
    }

    /// Trains a network over lists of rows on records in memory, as [`train`](Self::train) does on files. The file of the run has no
    /// `data.files`, no `data.shuffle` (all records are shuffled for each epoch), and `validation.held_out` only if
    /// the records do not say which validate. Without `batches` a superbatch is about one epoch.
    ///
    /// ```
    /// use nnue_data::rows::RowsRecord;
    /// use nnue_train::run::{ListedData, ListedValidation, Options, Run};
    ///
    /// # fn main() -> Result<(), nnue_train::run::Error> {
    /// # let folder = std::env::temp_dir().join(format!("nnue-train-listed.{}", std::process::id()));
    /// let text = "output = \"likes\"\nbatch = 64\nsuperbatches = 2\n\
    ///     network.declaration = \"pub struct Likes = rows[40, active 4] -> 32 -> 8 -> 1;\"";
    /// let like = |id: u32| RowsRecord::new(vec![id % 20, 20 + id % 7], if id % 3 == 0 { 1.0 } else { 0.0 });
    /// let data = ListedData {
    ///     records: (0..500).map(like).collect(),
    ///     validation: ListedValidation::Drawn,
    /// };
    /// Run::of_text("likes", text, &folder).train_listed(data, &Options::default(), &mut ())?;
    /// assert!(folder.join("likes/net.nnue").exists());
    /// # std::fs::remove_dir_all(folder).unwrap();
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`train`](Self::train), and [`Error::Record`]: a record is refused.
    pub fn train_listed(
        &self,
        data: ListedData,
        options: &Options,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        Choice::followed()?;
        self.begin(Some(data), options, observer)
    }

    fn begin(
        &self,
        data: Option<ListedData>,
        options: &Options,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        let mut config = Config::parse(self.source.clone(), &self.folder, data.as_ref())?;
        config.device = options.device.unwrap_or(config.device);
        begin::run(&config, data, options, observer)
    }
}
