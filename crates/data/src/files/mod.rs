//! Files: [written whole or not at all](output), [read up to a limit](bounded), [told apart](Digest), and [what the system says](FileError)
//! where one cannot be read or written.

pub mod bounded;
mod digest;
mod error;
pub mod fnv;
pub mod output;
pub(crate) mod own;
pub mod regular;

pub use digest::Digest;
pub use error::{FileError, plain};
