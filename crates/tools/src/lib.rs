//! Tools for declared networks and their files.
//!
//! * [`quantize`](fn@quantize::quantize) makes a network from the floats of a trainer.
//! * [`calibrate`] finds the scale of every activation from what flows through these floats.
//! * [`permute`](fn@permute::permute) changes the order of the neurons of an accumulator.
//! * [`order`] finds one in which a layer has less to do.
//! * [`golden_clauses`] writes golden values for a declaration.
//! * [`plot`] draws networks, and charts.
#![forbid(unsafe_code)]

pub mod calibrate;
mod golden;
pub mod order;
pub mod permute;
pub mod plot;
pub mod quantize;

pub use golden::golden_clauses;
