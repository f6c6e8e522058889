//! `nnue train` of a network over a dense input.
//!
//! ```text
//!   run.toml ──► Config ──► Examples ──► Training ──► epoch after epoch, shuffled and moved
//!                                           │           gradient of a batch, by threads ──► optimiser ──► batch norms follow
//!                                           │           held-out examples, exactly ──► verdict
//!                                           ▼
//!                                        net.bin, net.rs, log, report, checkpoint
//! ```

mod config;
mod examples;
mod loss;
mod training;

pub(super) use config::{Config, is_dense};
pub(super) use training::run;
