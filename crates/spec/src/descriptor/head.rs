//! Named outputs: additional heads of the same body.

use super::Unit;
use crate::Decimal;

/// A named output: a run of values, as floats.
///
/// Number `k` is `f32(value[start + k]) * (unit.num as f32 / unit.den as f32)`, for the first perspective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeadDesc<'a> {
    /// the name in the declaration
    pub name: &'a str,
    /// kind of its numbers
    pub kind: HeadKind,
    /// source of the values
    pub source: HeadSource,
    /// index of the first value
    pub start: usize,
    /// number of values; 3 for [`HeadKind::Wdl`]
    pub len: usize,
    /// conversion of the values to floats
    pub unit: Unit,
}

/// A chess position and the expected numbers of an output there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeadGoldenDesc<'a> {
    /// the position as a FEN
    pub fen: &'a str,
    /// the output, as an index into [`NetDesc::heads`](super::NetDesc::heads)
    pub head: usize,
    /// the listed rows, for an output of [`HeadKind::Rows`]; otherwise empty
    pub rows: &'a [usize],
    /// the expected numbers: one per listed row; for [`HeadKind::Wdl`] the probabilities of loss, draw and
    /// win
    pub numbers: &'a [Decimal],
}

/// Kind of the numbers of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HeadKind {
    /// plain numbers
    Numbers,
    /// the layer rows that the caller lists, one number each
    Rows,
    /// logits of loss, draw and win, which [`Wdl`](crate::Wdl) turns into probabilities
    Wdl,
}

/// Source of the numbers of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HeadSource {
    /// the sums of a layer, as an index into [`NetDesc::layers`](super::NetDesc::layers); after conversion to
    /// float, if there is one
    Layer(usize),
    /// activated values, as an index into [`NetDesc::buffers`](super::NetDesc::buffers)
    Buffer(usize),
}
