//! Files: [atomic output](output), [reads up to a limit](bounded), [digests](Digest), and [errors in one line](FileError).

pub mod bounded;
mod digest;
mod error;
pub mod fnv;
pub mod output;
pub(crate) mod own;
pub mod regular;

pub use digest::Digest;
pub use error::{FileError, plain};
