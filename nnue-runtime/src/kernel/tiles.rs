//! The kernel over the neurons of an accumulator, for any rows.
//!
//! ```text
//!   for each tile t of registers:
//!       ask for tile t of rows that later passes need                       if the pass has such rows
//!       tile = start[t]
//!       for each row r of pieces:   tile +- = row_r[t]                      or widened row_r[t], if they are bytes
//!       cached[t] = tile; tile += source[t] - left[t]                       if the place has these
//!       for each row r of pairs:    tile +- = widened row_r[t]
//!       target[t] = tile
//! ```
//!
//! Techniques:
//! * Storing and reloading an accumulator costs more than adding a row, so nothing is stored in
//!   between: the common numbers of rows have a linear pass (`linear.rs`), and for others a tile
//!   stays in registers.
//! * If the width is not a multiple of the tile, the rest is processed in tiles of half the size,
//!   of a quarter, and so on, down to 64 bytes.
//! * Widening needs registers too, so with rows of bytes a level may choose a smaller tile
//!   ([`Simd::PAIR_TILE`]).
//! * Rows of bytes, of pieces and of pairs, share one loop: with two, the code of every tile would
//!   be half as long again.
//! * Many short rows follow each other, and the processor cannot predict where the next one is. So
//!   rows of networks with pairs are prefetched as soon as they are listed (`prefetching.rs`). Of
//!   rows of pieces of bytes, without pairs, each tile prefetches the next tile; rows of words gain
//!   or lose 7 % by that, depending on the hour.
//! * Larger tiles are not better: rows come from slow memory, and the smaller the part of a row
//!   that is read at a time, the more rows are in flight at once. On AVX-512, tiles of 8 instead of
//!   32 registers refresh 10 % faster (SFNNv5 and v9 on a Xeon, rows from L3), and 16 are in
//!   between; on AVX2, 16 are 3 to 5 % faster than 8. With rows of pairs there is no difference.

use super::ahead::Ahead;
use super::kind::Kind;
use super::place::Place;
use super::unroll::unroll;
use crate::memory::{ListedRows, prefetch_next};
use crate::simd::{Simd, Vector};

/// A place and all rows, as vectors.
pub(super) struct Tiles<'a, S: Simd, P, A> {
    pub(super) simd: S,
    pub(super) place: P,
    /// rows of pieces, if they are words
    pub(super) words: Changes<'a, S::I16>,
    /// rows of pieces, if they are bytes; rows of pairs
    pub(super) bytes: [Changes<'a, S::I8>; 2],
    /// whether each tile prefetches the next one
    pub(super) loads_ahead: bool,
    /// what is prefetched meanwhile
    pub(super) ahead: A,
}

/// Rows to add and rows to remove.
pub(super) struct Changes<'a, V> {
    pub(super) added: ListedRows<'a, V>,
    pub(super) removed: ListedRows<'a, V>,
}

impl<S: Simd, P: Place<S::I16>, A: Ahead> Tiles<'_, S, P, A> {
    /// A pass over all rows for each tile of registers. Tiles have at most `largest` vectors; the
    /// last ones are smaller.
    ///
    /// # Panics
    ///
    /// If slices have other lengths than the target.
    #[inline(always)]
    pub(super) fn sum<K: Kind>(mut self, largest: usize) {
        let width = self.place.target().len();
        let mut first = 0;
        macro_rules! tiles_of {
            ($($len:literal)*) => { $(
                if const { $len <= S::TILE || !K::WORDS && $len <= S::PAIR_TILE } && const { $len * S::BYTES >= 64 } {
                    while $len <= largest && $len <= width - first {
                        self.tile::<K, $len>(first);
                        first += $len;
                    }
                }
            )* };
        }
        tiles_of!(16 8 4 2 1);
    }

    /// Processes a tile of all rows, from vector `first` on.
    #[inline(always)]
    fn tile<K: Kind, const LEN: usize>(&mut self, first: usize) {
        macro_rules! each {
            ($k:ident $body:expr) => {
                unroll!(16, |$k| if const { $k < LEN } {
                    $body
                })
            };
        }
        let (simd, Changes { added, removed }) = (self.simd, &self.words);
        let loads_ahead =
            const { !K::WORDS } && self.loads_ahead && first + LEN < self.place.target().len();
        self.ahead.load::<LEN>(first);
        let mut tile = *chunk::<_, LEN>(self.place.start(), first);
        for row in added.tile::<LEN>(first) {
            load_ahead(row, loads_ahead);
            each!(N tile[N] = simd.add_i16(tile[N], row[N]));
        }
        for row in removed.tile::<LEN>(first) {
            load_ahead(row, loads_ahead);
            each!(N tile[N] = simd.sub_i16(tile[N], row[N]));
        }
        for list in 0..self.bytes.len() {
            if const { !K::WORDS } {
                let Changes { added, removed } = &self.bytes[list];
                for row in added.tile::<LEN>(first) {
                    load_ahead(row, loads_ahead);
                    each!(N tile[N] = simd.add_i16(tile[N], simd.widen_i8(row[N])));
                }
                for row in removed.tile::<LEN>(first) {
                    load_ahead(row, loads_ahead);
                    each!(N tile[N] = simd.sub_i16(tile[N], simd.widen_i8(row[N])));
                }
            }
            if list > 0 {
                continue;
            }
            // All rows of pieces are added at this point.
            if let Some(cached) = self.place.cached() {
                *chunk_mut(cached, first) = tile;
            }
            if let Some([source, left]) = self.place.replaced() {
                let (source, left) = (chunk::<_, LEN>(source, first), chunk::<_, LEN>(left, first));
                each!(N tile[N] = simd.sub_i16(simd.add_i16(tile[N], source[N]), left[N]));
            }
        }
        *chunk_mut(self.place.target(), first) = tile;
    }
}

impl<'a, V: Vector> Changes<'a, V> {
    /// The rows of `width` vectors with these numbers.
    ///
    /// # Panics
    ///
    /// If one of them does not exist.
    #[inline(always)]
    pub(super) fn new(weight: &'a [V], width: usize, added: &'a [u32], removed: &'a [u32]) -> Self {
        Self {
            added: ListedRows::new(weight, width, added),
            removed: ListedRows::new(weight, width, removed),
        }
    }
}

/// Prefetches the next tile of a row.
#[inline(always)]
fn load_ahead<V>(row: &[V], condition: bool) {
    if condition {
        prefetch_next(row);
    }
}

/// `LEN` vectors from vector `first` on.
#[inline(always)]
fn chunk<V: Vector, const LEN: usize>(values: &[V], first: usize) -> &[V; LEN] {
    let Some(chunk) = values[first..].first_chunk() else {
        panic!("slices are as long as rows are wide")
    };
    chunk
}

#[inline(always)]
fn chunk_mut<V: Vector, const LEN: usize>(values: &mut [V], first: usize) -> &mut [V; LEN] {
    let Some(chunk) = values[first..].first_chunk_mut() else {
        panic!("slices are as long as rows are wide")
    };
    chunk
}
