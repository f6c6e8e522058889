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
//! The text has the same steps as the CPU ([`network`](crate::network)), with every width, offset and scale
//! of the declaration as a constant. Writing it needs no GPU and no library, so it is tested everywhere: the
//! tests compile it as C++, run it thread after thread, and compare the results with the CPU.
//!
//! Sums over positions use `atomicAdd` from many threads, in an undefined order: unlike on the CPU, two runs
//! differ in the last bits.

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
