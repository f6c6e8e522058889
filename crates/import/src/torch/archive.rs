//! The archive of a program: a zip of uncompressed files.
//!
//! ```text
//!   NAME/models/model.json                                the graph
//!   NAME/data/weights/model_weights_config.json           the weights: name, file, type, shape
//!   NAME/data/weights/weight_0, ..                        their numbers, little endian
//!   NAME/data/constants/..                                the same for constants
//!   NAME/data/sample_inputs/model.pt                      a pickle, which is not read
//! ```

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::read::{ArchiveOffset, Config, ZipFile};

use crate::error::ImportError;
use crate::name::shown;

const MAX_FILES: usize = 1 << 16;

/// Most bytes of a text file.
const MAX_TEXT: u64 = 1 << 26;

/// Advice for files that are not programs.
const ADVICE: &str = "in Python, `torch.export.save(torch.export.export(model.eval(), inputs), \"model.pt2\")` writes what is read here";

/// Added for files with weights but no graph.
const OF_WEIGHTS: &str = "; weights without a graph are read by `nnue quantize` from safetensors (`safetensors.torch.save_file`); checkpoints of \
    nnue-pytorch become `.nnue` files by its own `serialize.py`";

pub(super) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    /// the places of its files by their paths in the folder of the archive
    files: BTreeMap<String, usize>,
}

impl<'a> Archive<'a> {
    pub(super) fn new(file: &'a [u8]) -> Result<Self, ImportError> {
        refuse_others(file)?;
        let damaged = |error: zip::result::ZipError| {
            ImportError::Damaged(format!(
                "the archive is damaged or cut off: {}",
                shown(&error.to_string())
            ))
        };
        // The archive starts at offset 0. Searching for its start fails where the first entry of the
        // directory is as long as the records that PyTorch writes after the directory: for names of eight
        // letters.
        let config = Config {
            archive_offset: ArchiveOffset::Known(0),
        };
        let zip = ZipArchive::with_config(config, Cursor::new(file)).map_err(damaged)?;
        if zip.len() > MAX_FILES {
            return Err(ImportError::Limit {
                what: "files",
                most: MAX_FILES,
            });
        }
        let mut files = BTreeMap::new();
        for index in 0..zip.len() {
            let name = zip
                .name_for_index(index)
                .transpose()
                .map_err(damaged)?
                .unwrap_or_default();
            let path = name.split_once('/').map_or(&*name, |(_, path)| path);
            files.insert(path.to_owned(), index);
        }
        let archive = Self { zip, files };
        archive.refuse_pickles()?;
        Ok(archive)
    }

    /// Refuses archives of weights, of modules and of compiled programs.
    fn refuse_pickles(&self) -> Result<(), ImportError> {
        let has = |path: &str| self.files.contains_key(path);
        let found = if self
            .files
            .keys()
            .any(|path| path.starts_with("models/") && path.ends_with(".json"))
        {
            return Ok(());
        } else if has("constants.pkl") {
            "the file is a program of TorchScript, which holds pickles"
        } else if has("data.pkl") {
            "the file is a pickle in an archive (`torch.save`), which is a program and is not run"
        } else if has("serialized_exported_program.json") {
            "the file is a program of `torch.export` before PyTorch 2.8, whose weights are pickles"
        } else if self
            .files
            .keys()
            .any(|path| path.starts_with("data/aotinductor"))
        {
            "the file is a compiled program, without a graph"
        } else {
            "the file is an archive without `models/model.json`"
        };
        let of_weights = if has("data.pkl") { OF_WEIGHTS } else { "" };
        Err(ImportError::Kind {
            found: found.into(),
            advice: format!("{ADVICE}{of_weights}"),
        })
    }

    /// The path of the graph.
    pub(super) fn model(&self) -> Result<String, ImportError> {
        let is_model = |path: &&String| path.starts_with("models/") && path.ends_with(".json");
        let models: Vec<&String> = self.files.keys().filter(is_model).collect();
        match models.as_slice() {
            [model] => Ok((*model).clone()),
            _ => Err(ImportError::Kind {
                found: format!("the archive has {} programs", models.len()),
                advice: "save the one that is to be imported alone".into(),
            }),
        }
    }

    pub(super) fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// The contents of a text file.
    pub(super) fn text(&mut self, path: &str) -> Result<Vec<u8>, ImportError> {
        self.contents(path, MAX_TEXT)
    }

    /// Size of a file according to the directory.
    pub(super) fn size(&mut self, path: &str) -> Result<u64, ImportError> {
        self.entry(path).map(|file| file.size())
    }

    /// The contents of a file of at most `most` bytes.
    pub(super) fn contents(&mut self, path: &str, most: u64) -> Result<Vec<u8>, ImportError> {
        let file = self.entry(path)?;
        let size = file.size();
        if size > most {
            return Err(damaged(
                path,
                &format!("has {size} bytes, at most {most} were expected"),
            ));
        }
        let mut contents = Vec::new();
        file.take(most)
            .read_to_end(&mut contents)
            .map_err(|error| damaged(path, &cannot(&error)))?;
        Ok(contents)
    }

    fn entry(&mut self, path: &str) -> Result<ZipFile<'_, Cursor<&'a [u8]>>, ImportError> {
        let index = *self
            .files
            .get(path)
            .ok_or_else(|| damaged(path, "is missing"))?;
        self.zip
            .by_index(index)
            .map_err(|error| damaged(path, &cannot(&error)))
    }
}

fn damaged(path: &str, why: &str) -> ImportError {
    ImportError::Damaged(format!("the archive's file `{}` {why}", shown(path)))
}

fn cannot(error: &dyn std::fmt::Display) -> String {
    format!("cannot be read: {}", shown(&error.to_string()))
}

/// Refuses files that are no archives by their first bytes.
fn refuse_others(file: &[u8]) -> Result<(), ImportError> {
    let kind = |found: &str, advice: &str| {
        Err(ImportError::Kind {
            found: found.into(),
            advice: advice.into(),
        })
    };
    match file {
        [b'P', b'K', 3, 4, ..] => Ok(()),
        [] => kind("the file is empty", ADVICE),
        [0x80, 2..=5, ..] => kind(
            "the file is a pickle, which is a program and is not run",
            &format!("{ADVICE}{OF_WEIGHTS}"),
        ),
        [8, ..] => kind(
            "the file is no archive; it may be a model of ONNX",
            "that is read by `nnue import onnx`",
        ),
        _ => kind("the file is no archive", ADVICE),
    }
}
