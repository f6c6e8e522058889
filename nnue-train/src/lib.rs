//! Training of declared networks.
//!
//! * [`batch`]: positions as a trainer reads them.
//!
//! The command `nnue-train` prepares the data.
#![forbid(unsafe_code)]

pub mod batch;
