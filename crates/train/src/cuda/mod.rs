//! Training on a GPU: kernels for a declared network.
//!
//! ```text
//!   Network ──► Program: CUDA C, one kernel for each step forward, and one or more for each backward
//!                  │
//!                  ▼        rows, scores, results            totals, parameters
//!               Machine ◄────────────────────────── Device ◄──────────────────── a training
//!               compiles and runs them              memory of a network, batch after batch
//! ```
//!
//! The text is made of the same steps that the CPU takes ([`network`](crate::network)), with every width, offset and scale of the declaration as
//! a constant. It needs no GPU and no library, so it is made, and compared with the CPU, wherever the tests run: they compile it as C++ and run
//! it thread after thread.
//!
//! Sums over positions are made by many threads at once (`atomicAdd`), in an order that nobody knows: two runs differ in the last bits, unlike
//! on the CPU.

mod additions;
mod curves;
mod device;
#[cfg(feature = "cuda")]
mod driver;
mod elementwise;
mod factors;
mod kernel;
mod layers;
mod layout;
mod lists;
mod machine;
mod memory;
mod objective;
mod others;
mod program;
mod transformer;
mod unsupported;
mod updates;
mod whole;

pub use device::Device;
#[cfg(feature = "cuda")]
pub use driver::{GpuError, OnGpu, compile, open};
pub use machine::{Argument, Launch, Machine};
pub use program::Program;
pub use unsupported::Unsupported;
