//! Tools for declared networks and their files: all that is done with them besides evaluating, which no engine needs to compile.
//!
//! * [`read`] reads a file, and says of one that does not fit which declaration would ([`fits`]).
//! * [`recognise`](fn@recognise) finds out which of several known networks a file holds.
//! * [`bounds::prove`] finds out from the weights what can overflow.
//!
//! With the feature `golden`:
//!
//! * [`golden`] finds readings of a file that give golden values, and writes such values for a declaration.
//!
//! With the feature `quantize`:
//!
//! * [`quantize`](fn@quantize::quantize) makes a network from the floats of a trainer.
//! * [`calibrate`] finds the scale of every activation from what flows through these floats.
//! * [`permute`](fn@permute::permute) changes the order of the neurons of an accumulator.
//! * [`order`] finds one in which a layer has less to do.
//!
//! With the features `plot` (charts), `networks` (pictures of networks) and `png`:
//!
//! * [`plot`] draws networks, and charts.
#![forbid(unsafe_code)]

pub mod bounds;
#[cfg(feature = "quantize")]
pub mod calibrate;
pub mod fits;
#[cfg(feature = "golden")]
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
#[cfg(feature = "golden")]
pub use golden::golden_clauses;
pub use recognise::{Recognition, Rule, recognise};
