//! Networks of subnets: policies whose logit of a move sums products of small networks, one per square or
//! kind of move.
//!
//! ```text
//!                  ┌─ subnet 0 of `from` ─ relu ─┐
//!   active rows ───┤        ..                   ├─► h_from[a] ─┐
//!                  └─ subnet 63 of `from` ───────┘              ├─► sum over k of h_from[a][k] * h_to[b][k]  +  terms  =  logit of a move
//!                  ┌─ subnet 0 of `to` ─── relu ─┐              │      that the program gives as (a, b) and the numbers of its terms
//!                  │        ..                   ├─► h_to[b] ───┘
//!                  └─ subnet 63 of `to` ─────────┘
//! ```
//!
//! A subnet is a feature transformer of a few neurons with an activation. All subnets read the rows of the
//! side to move, each with its own weights. There are no incremental accumulators, layers or stacks; the
//! descriptor is [`SubnetsDesc`] instead of [`NetDesc`](crate::NetDesc).
//!
//! # The order of operations
//!
//! * A neuron starts with its bias and adds the weights of the active rows in ascending order: in `f32` with
//!   rounding, for `i16` weights in 32-bit integers that cannot wrap.
//! * A logit starts at zero. The products follow in the order of the declaration, each neuron by neuron: in
//!   floats, every product is rounded, then added or subtracted and rounded again. Integer products are
//!   summed in 64 bits, which cannot wrap; the sum is rounded to f32 once and multiplied by
//!   `1 / (one * one)`, the f32 quotient of the scales of both sides (squared after `screlu`).
//! * Then the terms are added, in the order of the program's list.

#[cfg(feature = "compiler")]
mod check;
mod desc;
#[cfg(feature = "compiler")]
pub mod model;
mod parameters;
#[cfg(feature = "reference")]
pub mod reference;
#[cfg(all(test, feature = "compiler", feature = "reference"))]
mod tests;
mod text;
#[cfg(feature = "compiler")]
mod walk;

#[cfg(feature = "compiler")]
pub use check::{SubnetsGraph, check};
pub use desc::{SubnetGroup, SubnetProduct, SubnetsDesc};
pub use parameters::{Numbers, Parameters};
