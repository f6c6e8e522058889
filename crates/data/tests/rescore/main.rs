//! Files of random games, rescored by a small network with random weights.

mod common;
mod formats;
mod resume;
mod rules;
#[cfg(feature = "arrow")]
mod tables;
