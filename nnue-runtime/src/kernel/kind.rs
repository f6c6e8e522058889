//! What is known of the weights of a transformer where the kernels over its rows are compiled: for what they have not, nothing is compiled.
//!
//! ```text
//!   Words<false>   rows of pieces of words, none of pairs, no PSQT values    nothing but sums of words
//!   Words<true>    the same with PSQT values                                 no widening, no second list of rows
//!   Short          any rows, bytes of less than 2 KB                         no reading of many rows side by side
//!   Any            any rows
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
    /// Rows of bytes may be so long that many of them are read side by side.
    const LONG: bool;
}

/// Rows of pieces of 16 bits, and none of pairs.
#[derive(Clone, Copy, Debug)]
pub enum Words<const PSQT: bool> {}

/// Any rows, but none so long that many are read side by side.
#[derive(Clone, Copy, Debug)]
pub enum Short {}

/// Any rows.
#[derive(Clone, Copy, Debug)]
pub enum Any {}

impl<const PSQT: bool> Kind for Words<PSQT> {
    const WORDS: bool = true;
    const PSQT: bool = PSQT;
    const LONG: bool = false;
}

impl Kind for Short {
    const WORDS: bool = false;
    const PSQT: bool = true;
    const LONG: bool = false;
}

impl Kind for Any {
    const WORDS: bool = false;
    const PSQT: bool = true;
    const LONG: bool = true;
}
