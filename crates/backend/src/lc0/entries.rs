//! Backend kinds for networks of Leela Chess Zero.

use std::path::PathBuf;
use std::sync::Arc;

use nnue_runtime::Choice;
use thiserror::Error as ThisError;

use super::evaluator::Lc0;
use super::network::{Plain, Tower};
use super::settings::{FILL, Settings, TEMPERATURE, TOGETHER};
use super::weights::{Weights, WeightsError};
use crate::backend::Backend;
use crate::chess::Chess;
use crate::error::Error;
use crate::evaluator::Batched;
use crate::options::{Opt, Text};
use crate::registry::Entry;
use crate::workers::THREADS;

const WEIGHTS: Text = Text {
    name: "weights",
    about: "the file of weights, .pb.gz",
};

/// A backend for a network of Leela Chess Zero, with a name for messages. It runs on the kernels of this CPU,
/// in batches.
pub fn backend(name: &str, weights: Weights, settings: Settings) -> Arc<dyn Backend<Chess>> {
    Arc::new(Batched::new(name, Lc0::<Tower>::new(weights, settings)))
}

/// The same network by its formulas in 64-bit floats; the reference for [`backend`], hundreds of times
/// slower.
pub fn reference(name: &str, weights: Weights, settings: Settings) -> Arc<dyn Backend<Chess>> {
    Arc::new(Batched::new(name, Lc0::<Plain>::new(weights, settings)))
}

/// The backend kind `lc0`.
pub fn entry() -> Entry<Chess> {
    entry_of(
        "lc0",
        1,
        "a network of Leela Chess Zero",
        |name, weights, settings| {
            // an explicitly chosen level that is unavailable is an error
            Choice::followed().map_err(|error| Error::failed(name, error))?;
            Ok(backend(name, weights, settings))
        },
    )
}

/// The backend kind `lc0-reference`.
pub fn reference_entry() -> Entry<Chess> {
    entry_of(
        "lc0-reference",
        0,
        "the same by its formulas, hundreds of times slower",
        |name, weights, settings| Ok(reference(name, weights, settings)),
    )
}

type Make = fn(&str, Weights, Settings) -> Result<Arc<dyn Backend<Chess>>, Error>;

fn entry_of(name: &'static str, priority: i32, about: &'static str, make: Make) -> Entry<Chess> {
    let options = vec![
        WEIGHTS.help(),
        THREADS.help(),
        TOGETHER.help(),
        FILL.help(),
        TEMPERATURE.help(),
    ];
    Entry::new(name, priority, about, options, move |builder| {
        let path = builder.require(&WEIGHTS)?;
        let settings = Settings {
            threads: builder.get(&THREADS)? as usize,
            together: builder.get(&TOGETHER)? as usize,
            fill: builder.get(&FILL)?,
            temperature: builder.get(&TEMPERATURE)? as f32,
        };
        let wrong = |source| {
            Error::failed(
                builder.path(),
                Unreadable {
                    path: std::path::absolute(&path).unwrap_or_else(|_| path.clone().into()),
                    source,
                },
            )
        };
        make(
            builder.path(),
            Weights::open(&path).map_err(wrong)?,
            settings,
        )
    })
}

/// The error for an unusable weights file.
#[derive(Debug, ThisError)]
#[error("weights={}: {source}", path.display())]
struct Unreadable {
    path: PathBuf,
    source: WeightsError,
}
