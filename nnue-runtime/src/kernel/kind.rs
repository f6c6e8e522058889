//! Kinds of transformer weights, for which the kernels over rows are compiled: code for anything
//! else is left out.
//!
//! ```text
//!   Words   rows of pieces of words, none of pairs       no widening, no second list of rows, and what its parameters leave out
//!   Short   any rows, bytes of less than 2 KB            no reading of many rows side by side
//!   Any     any rows
//! ```
//!
//! A program that declares a network compiles the kernels of its kind. Only with the feature
//! `described` (networks that are described at run time) does this crate contain the kernels of
//! [`Any`], which then serve all networks.

/// A kind of weights.
pub trait Kind: Copy + Send + Sync + 'static {
    /// Whether there are only rows of pieces, of words.
    const WORDS: bool;
    /// Whether there may be PSQT values.
    const PSQT: bool;
    /// Whether rows have the common width, which has a separate kernel; `None`: some have.
    const COMMON: Option<bool>;
    /// Whether rows of bytes may be so long that many of them are read side by side.
    const LONG: bool;
}

/// Rows of pieces of 16 bits, and none of pairs; with or without PSQT values, and of the common
/// width or of others.
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
