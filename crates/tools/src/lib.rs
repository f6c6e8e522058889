//! Tools for declared networks and their files.
//!
//! * [`quantize`](fn@quantize::quantize) makes a network from the floats of a trainer.
//! * [`calibrate`] finds the scale of every activation from what flows through these floats.
//! * [`permute`](fn@permute::permute) changes the order of the neurons of an accumulator.
//! * [`order`] finds one in which a layer has less to do.
//! * [`golden_clauses`] writes golden values for a declaration.
//! * [`plot`] draws networks, and charts.
#![forbid(unsafe_code)]

pub mod bounds;
#[cfg(feature = "quantize")]
pub mod calibrate;
pub mod fits;
pub mod golden;
#[cfg(feature = "quantize")]
pub mod order;
#[cfg(feature = "quantize")]
pub mod permute;
#[cfg(feature = "plot")]
pub mod plot;
#[cfg(feature = "quantize")]
pub mod quantize;
mod recognise;

pub use fits::read;
pub use golden::golden_clauses;
pub use recognise::{Recognition, Rule, recognise};
