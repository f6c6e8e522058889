//! Backends of declared networks: `nnue` on the kernels, compiled or described at run time; `reference` with
//! the interpreter.
//!
//! ```
//! # use std::sync::Arc;
//! # use nnue_backend::{Backends, Chess, nnue};
//! # use nnue_runtime::{Architecture, Network};
//! # fn f<MyNet: Architecture>(network: Network<MyNet>) -> Result<(), nnue_backend::Error> {
//! let network = Arc::new(network);
//! let mut backends = Backends::<Chess>::standard();
//! backends.add(nnue::entry(Arc::clone(&network)));
//! backends.add(nnue::reference_entry(network));
//! let backend = backends.create("check(nnue, reference, freq=0.01, exact=true)")?;
//! # Ok(())
//! # }
//! ```

mod board;
mod dynamic;
mod evaluator;
mod identity;
mod policy;
mod reference;
mod scale;
#[cfg(feature = "rescore")]
mod scorer;

pub use crate::workers::THREADS;
pub use board::{Board, ReadBy};
pub use dynamic::NnueAtRunTime;
pub use evaluator::{Nnue, entry};
pub use identity::{Described, identity};
pub use policy::{NnuePolicy, Outlook};
pub use reference::{Reference, reference_entry};
pub use scale::SCALE;
#[cfg(feature = "rescore")]
pub use scorer::{InBatches, NetworkScorer};
