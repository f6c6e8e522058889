//! The typed model of a declared network, its checks, its plan, and the descriptor that the running program uses.
//!
//! * [`descriptor`] is `no_std`, dependency-free and const-constructible: `MyNet::SPEC` is a [`NetDesc`].
//! * [`model`] is what a declaration says; [`check`] judges it; [`plan`] lowers it to a descriptor (feature `compiler`).
//! * [`reference`](mod@reference) evaluates a descriptor slowly and plainly; it shares no code with the kernels (feature `reference`).
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod descriptor;
pub mod tensor;
pub use descriptor::*;
pub use tensor::{TensorMut, TensorRef};

#[cfg(feature = "compiler")]
pub mod diagnostic;
#[cfg(feature = "compiler")]
pub mod loc;
#[cfg(feature = "compiler")]
pub mod model;
#[cfg(feature = "compiler")]
pub mod suggest;
