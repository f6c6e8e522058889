//! Declarations compile in hostile surroundings; each module is one.
#![forbid(unsafe_code)]
#![deny(
    missing_docs,
    warnings,
    clippy::all,
    clippy::pedantic,
    unreachable_pub,
    unused_qualifications
)]

mod captured;
pub mod conditional;
pub mod documented;
mod in_function;
mod in_macro;
mod names;
mod no_prelude;
mod private;
mod reexported;
mod shadowed;

use nnue::{Architecture, Network, Parameters};

/// The network with all weights zero.
fn zero<A: Architecture>() -> Network<A> {
    Network::from_params(A::Params::zeroed())
}
