//! Files: [atomic output](output), [reads up to a limit](bounded), [digests](Digest), [names that say a hash](named), and
//! [errors in one line](FileError).

pub mod bounded;
mod digest;
mod error;
pub mod fnv;
pub mod named;
pub mod output;
pub(crate) mod own;
pub mod regular;
pub mod sha256;

pub use digest::Digest;
pub use error::{FileError, plain};
