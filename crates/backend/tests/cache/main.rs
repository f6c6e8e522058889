//! Caches: policies as bytes, answers in memory and in files, and what is left of them when processes are killed.

mod backends;
mod bound;
mod codec;
#[path = "../common/mod.rs"]
mod common;
mod crash;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nnue_backend::{Backend, Backends, Chess};

use crate::common::{Game, answers, create};

/// A folder of its own, empty, which is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("cache-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path); // of an earlier run with this number
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn try_create(text: &str) -> Result<Arc<dyn Backend<Chess>>, nnue_backend::Error> {
    Backends::<Chess>::standard().create(text)
}

/// A cache in files of this name.
fn in_files(file: &Path, options: &str) -> Arc<dyn Backend<Chess>> {
    create(&format!(
        "cached(random(seed=3), file='{}'{options})",
        file.display()
    ))
}

/// Found in memory, found in files, computed.
fn counts(backend: &dyn Backend<Chess>) -> [u64; 3] {
    let mut report = String::new();
    backend
        .report(&mut report)
        .expect("a string takes everything");
    let line = report.lines().next().expect("a line");
    let numbers: Vec<u64> = line
        .split([' ', ','])
        .filter_map(|word| word.parse().ok())
        .collect();
    numbers.try_into().unwrap_or_else(|_| panic!("{line}"))
}
