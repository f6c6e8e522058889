//! Accumulator columns: adding and subtracting rows of the feature transformer.
//!
//! ```text
//!   target = start + sum of rows added - sum of rows removed               i16 values and i32 PSQT values, wrapping
//! ```
//!
//! Layout: rows and accumulators are in file order at every level, `W` values each, 64-byte
//! aligned. Rows of pairs, and those of sets of pieces with 8-bit weights, are `W` values of i8,
//! 32-byte aligned, and are widened when they are added.
//!
//! ```text
//!   weight | row 0: W x i16 | row 1: W x i16 | ..         psqt | row 0: P x i32 | row 1 ..
//! ```
//!
//! Widths and numbers of rows are arguments here and in the files below, so that the kernels are
//! compiled once per family of levels and [`Kind`] of weights, and not again for every declared
//! network.
//!
//! ```text
//!   transformer   types with sizes ──► slices
//!   kind          what is not compiled
//!   rows          which kernel
//!   weights       the tensors
//!   place         where sums start and where they go
//!   linear        the kernel over the neurons of a move
//!   streams       that of many long rows of bytes
//!   tiles         the kernel over neurons for any rows
//!   ahead         what it starts loading for later passes
//!   psqt          the kernel over PSQT values
//! ```

use core::marker::PhantomData;
use core::slice::from_mut;

use super::ahead::{Ahead, UpcomingRows};
use super::kind::{Any, Kind};
use super::linear;
use super::place::{Move, Place, Renew, Replace};
use super::psqt;
use super::streams;
use super::tiles::{Changes, Tiles};
use super::weights::{PieceWeights, Weights};
use crate::memory::{prefetch, view, view_mut};
use crate::simd::{AvailableLevel, Simd, Task, dispatch_family};
use crate::transform::{Frame, RowChanges, Upcoming};

/// An accumulator.
#[derive(Clone, Copy)]
pub struct Sums<'a> {
    /// the neurons
    pub values: &'a [i16],
    /// the PSQT values; empty if there are none
    pub psqt: &'a [i32],
}

/// A mutable accumulator.
pub struct SumsMut<'a> {
    /// the neurons
    pub values: &'a mut [i16],
    /// the PSQT values; empty if there are none
    pub psqt: &'a mut [i32],
}

/// One side of a pass: its accumulators, and the rows that change.
pub struct Side<'a> {
    /// the accumulators
    pub frame: Frame<Sums<'a>, SumsMut<'a>>,
    /// the rows
    pub rows: RowChanges<'a>,
}

/// Computes the accumulators of the frames of some sides.
///
/// # Panics
///
/// If a row does not exist, or a slice has the wrong length.
#[cfg_attr(feature = "described", inline(never))]
#[cfg_attr(not(feature = "described"), inline)]
pub fn pass(level: AvailableLevel, weights: &Weights<'_>, sides: &mut [Side<'_>]) {
    pass_of::<Any>(level, weights, sides);
}

/// [`pass()`] of a kind of weights.
///
/// # Panics
///
/// If the weights are not of this kind, a row does not exist, or a slice has the wrong length.
#[inline]
pub fn pass_of<K: Kind>(level: AvailableLevel, weights: &Weights<'_>, sides: &mut [Side<'_>]) {
    check_kind::<K>(weights);
    if const { K::LONG } && streams::may_pay(weights) {
        return pass_each::<K>(level, weights, sides);
    }
    dispatch_family(level, Pass::<K>::new(weights, sides));
}

/// [`pass_of`] for weights whose rows may be read side by side.
#[inline(always)]
fn pass_each<K: Kind>(level: AvailableLevel, weights: &Weights<'_>, sides: &mut [Side<'_>]) {
    for side in sides {
        if streams::pays(&side.rows) {
            dispatch_family(level, Streams { weights, side });
        } else {
            dispatch_family(level, Pass::<K>::new(weights, from_mut(side)));
        }
    }
}

/// # Panics
///
/// If the weights are not of the kind `K`.
#[inline(always)]
fn check_kind<K: Kind>(weights: &Weights<'_>) {
    if const { K::WORDS } {
        let is_of_words = matches!(weights.pieces, PieceWeights::Words(_));
        assert!(is_of_words && weights.pair_rows == 0, "rows of words alone");
    }
    if const { !K::PSQT } {
        assert!(weights.psqt.is_empty(), "no PSQT values");
    }
}

/// One of many passes whose rows are known in advance.
pub struct Derivation<'a> {
    /// where sums start; `None`: the bias
    pub source: Option<Sums<'a>>,
    /// the result
    pub target: SumsMut<'a>,
    /// the rows to add and to subtract
    pub rows: RowChanges<'a>,
    /// the first rows that later passes will read
    pub next: Upcoming<'a>,
}

/// Computes the target of a derivation, and meanwhile prefetches the next rows.
///
/// # Panics
///
/// If a row does not exist, or a slice has the wrong length.
#[cfg_attr(feature = "described", inline(never))]
#[cfg_attr(not(feature = "described"), inline)]
pub fn derive(level: AvailableLevel, weights: &Weights<'_>, derivation: &mut Derivation<'_>) {
    derive_of::<Any>(level, weights, derivation);
}

/// [`derive()`] of a kind of weights.
///
/// # Panics
///
/// If the weights are not of this kind, a row does not exist, or a slice has the wrong length.
#[inline]
pub fn derive_of<K: Kind>(
    level: AvailableLevel,
    weights: &Weights<'_>,
    derivation: &mut Derivation<'_>,
) {
    check_kind::<K>(weights);
    if const { K::LONG } && streams::may_pay(weights) && streams::pays(&derivation.rows) {
        return dispatch_family(
            level,
            Streams {
                weights,
                side: &mut derivation.side(),
            },
        );
    }
    dispatch_family(
        level,
        Derive::<K> {
            weights,
            derivation,
            kind: PhantomData,
        },
    );
}

impl Derivation<'_> {
    /// The derivation without the next rows.
    fn side(&mut self) -> Side<'_> {
        let Self {
            source,
            target,
            rows,
            ..
        } = self;
        let target = SumsMut {
            values: target.values,
            psqt: target.psqt,
        };
        let frame = match *source {
            Some(source) => Frame::Step { source, target },
            None => Frame::Build { target },
        };
        Side { frame, rows: *rows }
    }
}

struct Pass<'a, 'b, K> {
    weights: &'a Weights<'a>,
    sides: &'a mut [Side<'b>],
    kind: PhantomData<K>,
}

impl<'a, 'b, K: Kind> Pass<'a, 'b, K> {
    #[inline(always)]
    fn new(weights: &'a Weights<'a>, sides: &'a mut [Side<'b>]) -> Self {
        Self {
            weights,
            sides,
            kind: PhantomData,
        }
    }
}

impl<K: Kind> Task for Pass<'_, '_, K> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let vectors = Vectors::of(self.weights);
        for side in self.sides {
            side.sum::<S, K, false>(simd, self.weights, vectors);
        }
    }
}

struct Streams<'a, 'b> {
    weights: &'a Weights<'a>,
    side: &'a mut Side<'b>,
}

impl Task for Streams<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        self.side
            .sum::<S, Any, true>(simd, self.weights, Vectors::of(self.weights));
    }
}

struct Derive<'a, 'b, K> {
    weights: &'a Weights<'a>,
    derivation: &'a mut Derivation<'b>,
    kind: PhantomData<K>,
}

impl<K: Kind> Task for Derive<'_, '_, K> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self {
            weights,
            derivation,
            ..
        } = self;
        let Derivation {
            source,
            target,
            rows,
            next,
        } = derivation;
        let vectors = Vectors::<S>::of(weights);
        let ahead =
            UpcomingRows::<S, K>::new(weights, *next, vectors.bias.len(), target.psqt.len());
        let (values, psqt) = vectors.moved(*source, target);
        SidePass {
            simd,
            weights,
            vectors,
            values,
            psqt,
            rows,
            ahead,
        }
        .sum_by_tiles::<K>();
    }
}

/// The weights of neurons, as vectors.
struct Vectors<'a, S: Simd> {
    bias: &'a [S::I16],
    pieces: PieceWeights<'a, S::I16, S::I8>,
    pair_weight: &'a [S::I8],
}

impl<S: Simd> Clone for Vectors<'_, S> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Simd> Copy for Vectors<'_, S> {}

impl<'a, S: Simd> Vectors<'a, S> {
    #[inline(always)]
    fn of(weights: &Weights<'a>) -> Self {
        let (bias, pair_weight) = (view(weights.bias), view(weights.pair_weight));
        Self {
            bias,
            pieces: weights.pieces.vectors::<S>(),
            pair_weight,
        }
    }

    /// The places of a move from `source`, or from the bias, to `target`: of the neurons, and of
    /// the PSQT values.
    #[inline(always)]
    fn moved(
        self,
        source: Option<Sums<'a>>,
        target: &'a mut SumsMut<'_>,
    ) -> (Move<'a, S::I16>, Move<'a, i32>) {
        let (values, psqt) = match source {
            Some(source) => (view(source.values), source.psqt),
            None => (self.bias, &[][..]),
        };
        (
            Move {
                source: values,
                target: view_mut(target.values),
            },
            Move {
                source: psqt,
                target: target.psqt,
            },
        )
    }
}

impl Side<'_> {
    /// Branches once on the kind of frame: the code after it is compiled for each kind of place.
    /// Another kind or a second call of the tiles costs seconds of compile time, so an entry that
    /// is filled shares the path of one that is renewed.
    ///
    /// `STREAMS`: rows are read side by side.
    #[inline(always)]
    fn sum<S: Simd, K: Kind, const STREAMS: bool>(
        &mut self,
        simd: S,
        weights: &Weights<'_>,
        vectors: Vectors<'_, S>,
    ) {
        let Self { frame, rows } = self;
        let source = frame.source();
        let (bias, psqt_bias) = if let Frame::Fill { .. } = frame {
            (Some(vectors.bias), Some(&[][..]))
        } else {
            (None, None)
        };
        match frame {
            Frame::Step { target, .. } | Frame::Build { target } => {
                let (values, psqt) = vectors.moved(source, target);
                SidePass {
                    simd,
                    weights,
                    vectors,
                    values,
                    psqt,
                    rows,
                    ahead: (),
                }
                .sum::<K, STREAMS>();
            }
            Frame::Renew { cached, target } | Frame::Fill { cached, target } => {
                let values = Renew {
                    bias,
                    cached: view_mut(cached.values),
                    target: view_mut(target.values),
                };
                let psqt = Renew {
                    bias: psqt_bias,
                    cached: cached.psqt,
                    target: target.psqt,
                };
                SidePass {
                    simd,
                    weights,
                    vectors,
                    values,
                    psqt,
                    rows,
                    ahead: (),
                }
                .sum::<K, STREAMS>();
            }
            Frame::Replace {
                source,
                left,
                cached,
                target,
            } => {
                if const { K::WORDS } {
                    panic!("only pieces change: an accumulator with pairs is not replaced");
                }
                let values = Replace {
                    source: view(source.values),
                    left: view(left.values),
                    cached: view_mut(cached.values),
                    target: view_mut(target.values),
                };
                let psqt = Replace {
                    source: source.psqt,
                    left: left.psqt,
                    cached: cached.psqt,
                    target: target.psqt,
                };
                let pass = SidePass {
                    simd,
                    weights,
                    vectors,
                    values,
                    psqt,
                    rows,
                    ahead: (),
                };
                if STREAMS {
                    pass.sum_side_by_side::<K>()
                } else {
                    pass.sum_by_tiles::<K>()
                }
            }
        }
    }
}

impl<R: Copy, M> Frame<R, M> {
    #[inline(always)]
    fn source(&self) -> Option<R> {
        if let Self::Step { source, .. } = self {
            Some(*source)
        } else {
            None
        }
    }
}

/// The pass over one side.
struct SidePass<'a, S: Simd, V, P, A> {
    simd: S,
    weights: &'a Weights<'a>,
    vectors: Vectors<'a, S>,
    /// of the neurons
    values: V,
    /// of the PSQT values
    psqt: P,
    rows: &'a RowChanges<'a>,
    /// what is prefetched meanwhile
    ahead: A,
}

impl<S: Simd, V: Place<S::I16>, P: Place<i32>> SidePass<'_, S, V, P, ()> {
    /// One linear pass for the numbers of rows of ordinary moves, of words and without rows of
    /// pairs; tiles for others.
    ///
    /// The number of rows of a move is not predictable, so there is one branch on it, and the code
    /// after it is compiled for each number. The tiles are called in only one place, because they
    /// are compiled for each call.
    #[inline(always)]
    fn sum<K: Kind, const STREAMS: bool>(self) {
        if STREAMS {
            return self.sum_side_by_side::<K>();
        }
        let RowChanges {
            added,
            removed,
            pairs_added,
            pairs_removed,
        } = *self.rows;
        let words = match self.vectors.pieces {
            PieceWeights::Words(words) if pairs_added.is_empty() && pairs_removed.is_empty() => {
                Some(words)
            }
            PieceWeights::Words(_) | PieceWeights::Bytes(_) => None,
        };
        match (words, added, removed) {
            (Some(words), &[], &[a]) => self.sum_linearly::<K, _, _>(words, [], [a]), // a piece is lifted
            (Some(words), &[a], &[]) => self.sum_linearly::<K, _, _>(words, [a], []), // and put down
            (Some(words), &[a], &[b]) => self.sum_linearly::<K, _, _>(words, [a], [b]), // a move
            (Some(words), &[a], &[b, c]) => self.sum_linearly::<K, _, _>(words, [a], [b, c]), // a capture
            (Some(words), &[a, b], &[c, d]) => self.sum_linearly::<K, _, _>(words, [a, b], [c, d]), // castling
            _ => self.sum_by_tiles::<K>(),
        }
    }

    /// Many long rows of bytes, side by side.
    #[inline(always)]
    fn sum_side_by_side<K: Kind>(mut self) {
        let Self {
            simd,
            weights,
            vectors,
            rows,
            ..
        } = self;
        let width = vectors.bias.len();
        let ((_, added), (_, removed)) = (
            vectors.pieces.listed(width, rows.added),
            vectors.pieces.listed(width, rows.removed),
        );
        let pieces = Changes { added, removed };
        let pairs = Changes::new(
            vectors.pair_weight,
            width,
            rows.pairs_added,
            rows.pairs_removed,
        );
        streams::sum(simd, &mut self.values, &pieces, &pairs);
        psqt::sum::<K>(weights, &mut self.psqt, rows);
    }

    /// One linear pass. The PSQT rows come first, because they are not prefetched.
    #[inline(always)]
    fn sum_linearly<K: Kind, const ADDED: usize, const REMOVED: usize>(
        mut self,
        words: &[S::I16],
        added: [u32; ADDED],
        removed: [u32; REMOVED],
    ) {
        let rows = RowChanges::pieces(&added, &removed);
        self.weights.check(&rows);
        psqt::sum::<K>(self.weights, &mut self.psqt, &rows);
        linear::sum::<_, K, _, _>(self.simd, words, &mut self.values, added, removed);
    }
}

impl<S: Simd, V: Place<S::I16>, P: Place<i32>, A: Ahead> SidePass<'_, S, V, P, A> {
    /// Any rows: one pass over all of them for each tile of registers.
    #[inline(always)]
    fn sum_by_tiles<K: Kind>(mut self) {
        let Self {
            simd,
            weights,
            vectors,
            rows,
            ahead,
            ..
        } = self;
        let has_pairs = weights.pair_rows > 0;
        let width = vectors.bias.len();
        let (added_words, added_bytes) = vectors.pieces.listed(width, rows.added);
        let (removed_words, removed_bytes) = vectors.pieces.listed(width, rows.removed);
        let words = Changes {
            added: added_words,
            removed: removed_words,
        };
        let pieces = Changes {
            added: added_bytes,
            removed: removed_bytes,
        };
        let pairs = Changes::new(
            vectors.pair_weight,
            width,
            rows.pairs_added,
            rows.pairs_removed,
        );
        let has_bytes =
            const { !K::WORDS } && (has_pairs || matches!(vectors.pieces, PieceWeights::Bytes(_)));
        if const { K::PSQT } && !has_pairs {
            let width = self.psqt.target().len();
            for &row in rows.added.iter().chain(rows.removed) {
                prefetch(&weights.psqt[row as usize * width..][..width], 1);
            }
        }
        let tiles = Tiles {
            simd,
            place: self.values,
            words,
            bytes: [pieces, pairs],
            loads_ahead: has_bytes && !has_pairs,
            ahead,
        };
        tiles.sum::<K>(if has_bytes { S::PAIR_TILE } else { S::TILE });
        psqt::sum::<K>(weights, &mut self.psqt, rows);
    }
}
