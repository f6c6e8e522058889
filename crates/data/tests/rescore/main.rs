//! Files of random games, rescored by a small network with random weights.

mod common;
mod formats;
#[cfg(feature = "arrow")]
mod hostile;
mod resume;
mod rules;
#[cfg(feature = "arrow")]
mod tables;
