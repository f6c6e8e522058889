//! Feature transformers as the accumulator stack and the refresh cache use them: passes over an
//! accumulator.
//!
//! ```text
//!   frame      start        rows of pieces    between                          rows of pairs    end
//!   Step       source       + added           -                                + added          target
//!   Build      bias         - removed         -                                - removed        target
//!   Renew      cached                         cached = sums                                     target
//!   Fill       bias                           cached = sums                                     target
//!   Replace    cached                         cached = sums; += source - left                   target
//! ```
//!
//! Cached accumulators contain pieces only: rows of pairs change with every move, and a cached
//! board is many moves old.

use crate::simd::AvailableLevel;

/// The rows to add to and subtract from an accumulator.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowChanges<'a> {
    /// rows of the set of pieces to add
    pub added: &'a [u32],
    /// rows of the set of pieces to subtract
    pub removed: &'a [u32],
    /// rows of the sets of pairs to add
    pub pairs_added: &'a [u32],
    /// rows of the sets of pairs to subtract
    pub pairs_removed: &'a [u32],
}

impl<'a> RowChanges<'a> {
    /// Changes of pieces only.
    #[inline(always)]
    pub const fn pieces(added: &'a [u32], removed: &'a [u32]) -> Self {
        Self {
            added,
            removed,
            pairs_added: &[],
            pairs_removed: &[],
        }
    }

    /// Prefetches the rows of the set of pieces.
    #[inline(always)]
    pub(crate) fn prefetch(&self, transformer: &impl Transform) {
        for list in [self.added, self.removed] {
            for &row in list {
                transformer.prefetch(row);
            }
        }
    }

    /// Prefetches all rows for a refresh.
    #[inline(always)]
    pub(crate) fn prefetch_refreshed(&self, transformer: &impl Transform) {
        for list in [self.added, self.removed] {
            for &row in list {
                transformer.prefetch_refreshed(row);
            }
        }
        for list in [self.pairs_added, self.pairs_removed] {
            for &row in list {
                transformer.prefetch_pair(row);
            }
        }
    }

    /// Whether nothing changes.
    #[inline(always)]
    pub const fn is_empty(&self) -> bool {
        self.added.is_empty()
            && self.removed.is_empty()
            && self.pairs_added.is_empty()
            && self.pairs_removed.is_empty()
    }
}

/// The first rows that later passes will read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Upcoming<'a> {
    /// rows of the set of pieces
    pub pieces: &'a [u32],
}

/// The start value and the targets of a pass over rows. `R` refers to an accumulator, `M` to one
/// that changes.
pub enum Frame<R, M> {
    /// `target = source` changed by all rows: a move.
    Step {
        /// the accumulator before the move
        source: R,
        /// the accumulator after the move
        target: M,
    },
    /// `target = bias` changed by all rows
    Build {
        /// the result
        target: M,
    },
    /// `cached` is changed by the rows of pieces; `target = cached` changed by the rows of pairs
    Renew {
        /// an entry of the refresh cache
        cached: M,
        /// the result
        target: M,
    },
    /// `cached = bias` changed by the rows of pieces; `target = cached` changed by the rows of
    /// pairs
    Fill {
        /// an entry of the refresh cache
        cached: M,
        /// the result
        target: M,
    },
    /// `cached` is changed by the rows of pieces; `target = source - left + cached` changed by the
    /// rows of pairs
    Replace {
        /// an accumulator that contains the pieces of `left`
        source: R,
        /// the same pieces without pairs: another entry of the refresh cache
        left: R,
        /// the pieces that replace them: an entry of the refresh cache
        cached: M,
        /// the result
        target: M,
    },
}

impl<R, M> Frame<R, M> {
    /// Applies `part` or `part_mut` to each accumulator.
    #[inline(always)]
    pub(crate) fn map<S, N>(self, part: impl Fn(R) -> S, part_mut: impl Fn(M) -> N) -> Frame<S, N> {
        match self {
            Self::Step { source, target } => Frame::Step {
                source: part(source),
                target: part_mut(target),
            },
            Self::Build { target } => Frame::Build {
                target: part_mut(target),
            },
            Self::Renew { cached, target } => Frame::Renew {
                cached: part_mut(cached),
                target: part_mut(target),
            },
            Self::Fill { cached, target } => Frame::Fill {
                cached: part_mut(cached),
                target: part_mut(target),
            },
            Self::Replace {
                source,
                left,
                cached,
                target,
            } => Frame::Replace {
                source: part(source),
                left: part(left),
                cached: part_mut(cached),
                target: part_mut(target),
            },
        }
    }
}

impl<R, S, M, N> Frame<(R, S), (M, N)> {
    /// Splits a frame of pairs into the frame of the first and that of the second components.
    #[inline(always)]
    pub(crate) fn unzip(self) -> (Frame<R, M>, Frame<S, N>) {
        match self {
            Self::Step { source, target } => (
                Frame::Step {
                    source: source.0,
                    target: target.0,
                },
                Frame::Step {
                    source: source.1,
                    target: target.1,
                },
            ),
            Self::Build { target } => (
                Frame::Build { target: target.0 },
                Frame::Build { target: target.1 },
            ),
            Self::Renew { cached, target } => (
                Frame::Renew {
                    cached: cached.0,
                    target: target.0,
                },
                Frame::Renew {
                    cached: cached.1,
                    target: target.1,
                },
            ),
            Self::Fill { cached, target } => (
                Frame::Fill {
                    cached: cached.0,
                    target: target.0,
                },
                Frame::Fill {
                    cached: cached.1,
                    target: target.1,
                },
            ),
            Self::Replace {
                source,
                left,
                cached,
                target,
            } => (
                Frame::Replace {
                    source: source.0,
                    left: left.0,
                    cached: cached.0,
                    target: target.0,
                },
                Frame::Replace {
                    source: source.1,
                    left: left.1,
                    cached: cached.1,
                    target: target.1,
                },
            ),
        }
    }
}

/// A feature transformer: rows of weights whose sum over the active features, plus a bias, is an accumulator.
pub trait Transform: Send + Sync + 'static {
    /// The sums of one perspective.
    type Accumulator: Clone + Send + Sync + 'static;

    /// An accumulator of zeros.
    fn zeroed() -> Self::Accumulator;

    /// The neurons that layers read if the perspective is the first, and if it is the second. They
    /// only differ if the perspectives have separate weights.
    fn values(accumulator: &Self::Accumulator) -> [&[i16]; 2];

    /// The PSQT outputs; empty if the network has none.
    fn psqt(accumulator: &Self::Accumulator) -> &[i32];

    /// Sets the accumulator to the bias.
    fn set_to_bias(&self, accumulator: &mut Self::Accumulator);

    /// Computes the accumulators of a frame.
    ///
    /// # Panics
    ///
    /// If a row does not exist.
    fn pass(
        &self,
        level: AvailableLevel,
        frame: Frame<&Self::Accumulator, &mut Self::Accumulator>,
        rows: RowChanges<'_>,
    );

    /// The ordinary step of both sides: `targets[i] = sources[i]` changed by `rows[i]`.
    ///
    /// # Panics
    ///
    /// If a row does not exist.
    fn pass_both(
        &self,
        level: AvailableLevel,
        sources: [&Self::Accumulator; 2],
        targets: [&mut Self::Accumulator; 2],
        rows: [RowChanges<'_>; 2],
    ) {
        for ((source, target), rows) in sources.into_iter().zip(targets).zip(rows) {
            self.pass(level, Frame::Step { source, target }, rows);
        }
    }

    /// `target = source` (the bias if `None`) changed by `rows`: one of many passes whose rows are
    /// known in advance. Meanwhile it prefetches the rows of `next`; that is only a hint.
    ///
    /// # Panics
    ///
    /// If a row does not exist.
    fn derive(
        &self,
        level: AvailableLevel,
        source: Option<&Self::Accumulator>,
        target: &mut Self::Accumulator,
        rows: RowChanges<'_>,
        next: Upcoming<'_>,
    ) {
        let _ = next;
        match source {
            Some(source) => self.pass(level, Frame::Step { source, target }, rows),
            None => self.pass(level, Frame::Build { target }, rows),
        }
    }

    /// Prefetches a row of the set of pieces: a hint that may do nothing, whatever the row.
    #[inline(always)]
    fn prefetch(&self, row: u32) {
        let _ = row;
    }

    /// [`Self::prefetch`] for a row of a refresh.
    #[inline(always)]
    fn prefetch_refreshed(&self, row: u32) {
        let _ = row;
    }

    /// [`Self::prefetch`] for a row of the sets of pairs.
    #[inline(always)]
    fn prefetch_pair(&self, row: u32) {
        let _ = row;
    }
}
