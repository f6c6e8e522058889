//! The output folder of a run.
//!
//! | file | |
//! |---|---|
//! | `net.nnue`, or `net.bin` without a header | the network, in the declared types |
//! | `net.rs` | its declaration, with golden values |
//! | `net.safetensors` | the network in floats, before rounding |
//! | `log.csv`, `log.jsonl` | the metrics of each superbatch |
//! | `report.html` | charts of the metrics; at the end also as `*.svg` |
//! | `checkpoint` | the state for `--resume` |
//!
//! Every file is replaced atomically.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::network::Parameters;
use crate::quantized::{self, Quantized};
use nnue_data::files::FileError;
use nnue_data::files::bounded;
use nnue_format::{Header, to_bytes};
use nnue_spec::{NetDesc, TensorMut};
use nnue_tools::permute::permute;

use super::checkpoint;
use super::config::Config;
use super::export;
use super::floats;
use super::history::History;
use super::report::{self, About};
use super::validation::HeldOut;
use crate::run::{Error, Observer};

pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Creates the folder. A folder with a checkpoint is an error unless the run resumes.
    pub(crate) fn open(path: &Path, resume: bool) -> Result<Self, Error> {
        fs::create_dir_all(path).map_err(|source| FileError::write(path, source))?;
        let folder = Self(path.to_owned());
        let checkpoint = folder.path("checkpoint");
        if !resume && checkpoint.exists() {
            return Err(Error::Run(format!(
                "{} belongs to an earlier run: continue with --resume, or name another `output`",
                checkpoint.display()
            )));
        }
        Ok(folder)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The bytes of the last checkpoint, if there is one.
    pub(crate) fn checkpoint(&self) -> Result<Option<Vec<u8>>, Error> {
        let path = self.path("checkpoint");
        match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(FileError::read(path, error).into()),
            Ok(_) => bounded::read(&path, checkpoint::MOST)
                .map(Some)
                .map_err(Error::from),
        }
    }

    /// Writes the network, its declaration, the log and the report. With `optimize`, the neurons of the last
    /// network are reordered so that inference skips most blocks of zeros in the held-out positions.
    pub(crate) fn write(
        &self,
        config: &Config,
        net: &NetDesc<'_>,
        parameters: &Parameters<f32>,
        held_out: &HeldOut,
        history: &History,
    ) -> Result<(), Error> {
        let refuse = |error: &dyn std::error::Error| Error::Run(format!("`{}`: {error}", net.name));
        let quantize = |parameters| {
            Quantized::new(net, parameters).map_err(|error| Error::Run(error.to_string()))
        };
        let (mut parameters, mut quantized) = (parameters.clone(), quantize(parameters)?);
        let is_last = history.rows().count() as u64 == config.length.superbatches;
        if is_last
            && config.optimize
            && let Some(order) = held_out.order(net, &quantized)
        {
            let mut tensors: Vec<_> = parameters
                .tensors
                .iter_mut()
                .map(|tensor| TensorMut::F32(tensor))
                .collect();
            permute(net, &mut tensors, &order).map_err(|error| refuse(&error))?;
            quantized = quantize(&parameters)?;
        }
        let tensors = quantized.tensors().refs();
        let description: &[u8] = if net.raw.is_some() {
            b""
        } else {
            b"trained by nnue-train"
        };
        let network = to_bytes(net, &Header::new(net, description), &tensors)
            .map_err(|error| refuse(&error))?;
        self.put(network_name(net), &network)?;
        self.put(
            "net.safetensors",
            &floats::file(&quantized::floats(net, &parameters)),
        )?;
        let declaration =
            export::declaration(&config.network.declaration.text, net, &tensors, held_out);
        self.put("net.rs", declaration.as_bytes())?;
        let about = About {
            name: net.name,
            notation: net.notation,
            run: &config.source.text,
        };
        self.put_log(history, about, is_last)
    }

    /// Writes the metrics as tables and charts.
    pub(super) fn put_log(
        &self,
        history: &History,
        about: About<'_>,
        is_last: bool,
    ) -> Result<(), Error> {
        self.put("log.csv", history.csv().as_bytes())?;
        self.put("log.jsonl", history.json_lines().as_bytes())?;
        let charts = report::charts(history);
        if is_last {
            charts.iter().try_for_each(|(name, chart)| {
                self.put(&format!("{name}.svg"), chart.svg().as_bytes())
            })?;
        }
        self.put(
            "report.html",
            report::page(about, history, &charts).as_bytes(),
        )
    }

    pub(super) fn put(&self, name: &str, contents: &[u8]) -> Result<(), Error> {
        let path = self.path(name);
        nnue_data::files::output::write(&path, contents)
            .map_err(|source| FileError::write(path, source).into())
    }

    /// Reports the files at the end.
    pub(crate) fn tell(&self, observer: &mut dyn Observer, network: &str, superbatches: u64) {
        observer.line(format_args!(
            "{superbatches} superbatches are done: {} is the network, {} declares it, {} shows how it went",
            self.path(network).display(),
            self.path("net.rs").display(),
            self.path("report.html").display()
        ));
    }
}

pub(super) const fn network_name(net: &NetDesc<'_>) -> &'static str {
    if net.raw.is_some() {
        "net.bin"
    } else {
        "net.nnue"
    }
}
