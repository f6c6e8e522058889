//! What is known of the weights of a transformer where the kernels over its rows are compiled: for what they have not, nothing is compiled.
//!
//! ```text
//!   Words   rows of pieces of words, none of pairs       no widening, no second list of rows, and what its parameters leave out
//!   Short   any rows, bytes of less than 2 KB            no reading of many rows side by side
//!   Any     any rows
//! ```
//!
//! A declared network gets the kernels of its kind in the program that declares it. Only where networks are described while the program runs
//! (the feature `described`) are those of [`Any`] in this crate, for all networks.

/// A kind of weights.
pub trait Kind: Copy + Send + Sync + 'static {
    /// Rows are of pieces and of words.
    const WORDS: bool;
    /// There may be PSQT values.
    const PSQT: bool;
    /// Whether rows have the common width, which has a kernel of its own; `None`: some have.
    const COMMON: Option<bool>;
    /// Rows of bytes may be so long that many of them are read side by side.
    const LONG: bool;
}

/// Rows of pieces of 16 bits, and none of pairs; with PSQT values, and of the common width, or without.
#[derive(Clone, Copy, Debug)]
pub enum Words<const PSQT: bool, const COMMON: bool> {}

/// Any rows, but none so long that many are read side by side.
#[derive(Clone, Copy, Debug)]
pub enum Short {}

/// Any rows.
#[derive(Clone, Copy, Debug)]
pub enum Any {}

impl<const PSQT: bool, const COMMON: bool> Kind for Words<PSQT, COMMON> {
    const WORDS: bool = true;
    const PSQT: bool = PSQT;
    const COMMON: Option<bool> = Some(COMMON);
    const LONG: bool = false;
}

impl Kind for Short {
    const WORDS: bool = false;
    const PSQT: bool = true;
    const COMMON: Option<bool> = None;
    const LONG: bool = false;
}

impl Kind for Any {
    const WORDS: bool = false;
    const PSQT: bool = true;
    const COMMON: Option<bool> = None;
    const LONG: bool = true;
}
