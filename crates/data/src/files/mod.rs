//! Files: [written whole or not at all](output), and [what the system says](FileError) where one cannot be read or written.

mod error;
pub mod output;

pub use error::{FileError, plain};
