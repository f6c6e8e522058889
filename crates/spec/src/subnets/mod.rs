//! Networks of subnets: policies whose logit of a move is made of products of small networks, one for each square or each kind of move.
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
//! A subnet is a feature transformer of a few neurons and an activation. All of them read the same rows, those of the side to move, and each
//! has weights of its own. They have no accumulators that follow moves, no layers and no stacks, so [`NetDesc`](crate::NetDesc) does not
//! describe them; [`SubnetsDesc`] does.
//!
//! # The order of operations
//!
//! * A neuron starts with its bias and adds the weights of the active rows, in ascending order. In `f32` each sum is rounded; `i16`
//!   weights are added in whole numbers of 32 bits, which cannot wrap.
//! * A logit starts at zero. The products of the declaration follow each other, and in each its neurons: every product is rounded, then
//!   added or subtracted and rounded again. In whole numbers the products are added in 64 bits, which cannot wrap, and the sum is rounded
//!   to f32 once and multiplied by `1 / (one * one)`, the quotient in f32 of what 1.0 is on both sides (its square after `screlu`).
//! * Then the terms are added, in the order in which the program lists them.

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
