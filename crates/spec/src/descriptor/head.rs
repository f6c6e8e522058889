//! Outputs beside the one that gives the value, each with a name: heads of the same body.

use super::Unit;
use crate::Decimal;

/// An output with a name of its own: a run of values, as real numbers.
///
/// Number `k` is `f32(value[start + k]) * (unit.num as f32 / unit.den as f32)`, from the point of view of the first perspective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeadDesc<'a> {
    /// the name in the declaration
    pub name: &'a str,
    /// what its numbers are
    pub kind: HeadKind,
    /// where they come from
    pub source: HeadSource,
    /// the first of the values
    pub start: usize,
    /// how many; 3 of [`HeadKind::Wdl`]
    pub len: usize,
    /// what 1 of the values is
    pub unit: Unit,
}

/// A position of chess, and the numbers of an output there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeadGoldenDesc<'a> {
    /// the position as a FEN
    pub fen: &'a str,
    /// the output, as an index into [`NetDesc::heads`](super::NetDesc::heads)
    pub head: usize,
    /// the listed rows, of an output of [`HeadKind::Rows`]; otherwise empty
    pub rows: &'a [usize],
    /// its numbers; one for each listed row; of [`HeadKind::Wdl`] the probabilities of a loss, a draw and a win
    pub numbers: &'a [Decimal],
}

/// What the numbers of an output are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HeadKind {
    /// nothing but numbers
    Numbers,
    /// the rows of a layer that the caller lists, each a number
    Rows,
    /// outputs for a loss, a draw and a win, of which [`Wdl`](crate::Wdl) makes probabilities
    Wdl,
}

/// Where the numbers of an output come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HeadSource {
    /// the sums of a layer, as an index into [`NetDesc::layers`](super::NetDesc::layers); those of floats after they have become floats
    Layer(usize),
    /// an activation, as an index into [`NetDesc::buffers`](super::NetDesc::buffers)
    Buffer(usize),
}
