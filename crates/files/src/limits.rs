//! Limits of reading and writing.

/// The longest description that is read or written, in bytes. Published networks have about 80.
pub const MAX_DESCRIPTION: usize = 1 << 22;
