//! Activations of the accumulators with the list of blocks that are not zero.
//!
//! ```text
//!   bytes    | 0 0 0 0 | 9 0 0 3 | 0 0 0 0 | 0 7 0 0 | ..      N bytes
//!   blocks   1  3  ..                                          ascending, `count` of them
//! ```
//!
//! Both are filled by appending vectors and read only as far as they were filled: nothing is zeroed first (a kilobyte
//! of zeros costs as much as the activation itself), and an index list is stored by whole vectors, the lanes behind its
//! end overwritten by the next one.
#![expect(unsafe_code, reason = "arrays that are initialised as far as they are filled")]

use core::fmt;
use core::mem::MaybeUninit;

use super::Bytes;
use crate::simd::Vector;

/// `N` u8 activations and the indices of the blocks of four among them that are not all zero.
///
/// `CAP` is `N / 4 + 16`: one entry per block and room for the end of the last vector.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Sparse<const N: usize, const CAP: usize> {
    /// initialised if `is_full`
    bytes: MaybeUninit<Bytes<N>>,
    /// initialised up to `count`
    blocks: [MaybeUninit<u16>; CAP],
    is_full: bool,
    listed: bool,
    count: usize,
}

impl<const N: usize, const CAP: usize> Sparse<N, CAP> {
    /// Nothing appended yet.
    #[inline(always)]
    pub fn new() -> Self {
        const { assert!(N.is_multiple_of(64), "a buffer is whole vectors of the widest level") }
        const { assert!(CAP == N / 4 + 16, "one entry per block and room for a vector") }
        const { assert!(N / 4 <= 1 << 16, "blocks are numbered in 16 bits") }
        Self {
            bytes: MaybeUninit::uninit(),
            blocks: [MaybeUninit::uninit(); CAP],
            is_full: false,
            listed: false,
            count: 0,
        }
    }

    /// Starts filling, from the first value on.
    #[inline(always)]
    pub(crate) fn fill(&mut self) -> Filler<'_, N, CAP> {
        (self.is_full, self.listed, self.count) = (false, false, 0);
        Filler { filled: 0, count: 0, sparse: self }
    }

    /// The activations.
    ///
    /// # Panics
    ///
    /// If they are not complete.
    #[inline(always)]
    pub fn bytes(&self) -> &Bytes<N> {
        assert!(self.is_full, "activations are incomplete");
        // SAFETY: `Filler::finish` sets `is_full` when all `N` bytes are written.
        unsafe { self.bytes.assume_init_ref() }
    }

    /// Whether there is a list of blocks. A level that reads a buffer of this length whole makes none.
    #[inline(always)]
    pub fn is_listed(&self) -> bool {
        self.listed
    }

    /// The indices of the non-zero blocks, ascending; nothing if they are not listed.
    #[inline(always)]
    pub fn blocks(&self) -> &[u16] {
        let filled = &self.blocks[..self.count];
        // SAFETY: `Filler` wrote whole vectors of indices, of which it counted only lanes that it wrote.
        unsafe { core::slice::from_raw_parts(filled.as_ptr().cast(), filled.len()) }
    }
}

/// Fills a [`Sparse`]; what was appended counts once it is [finished](Self::finish).
///
/// The two lengths live here and not in the `Sparse`, so that they stay in registers.
pub(crate) struct Filler<'a, const N: usize, const CAP: usize> {
    sparse: &'a mut Sparse<N, CAP>,
    filled: usize,
    count: usize,
}

impl<const N: usize, const CAP: usize> Filler<'_, N, CAP> {
    /// The index of the next block that is appended.
    #[inline(always)]
    pub(crate) fn next_block(&self) -> u16 {
        (self.filled / 4) as u16
    }

    /// Appends activations without listing their blocks.
    ///
    /// # Panics
    ///
    /// If there is no room.
    #[inline(always)]
    pub(crate) fn append_bytes<V: Vector>(&mut self, bytes: V) {
        assert!(self.filled + size_of::<V>() <= N && self.filled.is_multiple_of(align_of::<V>()));
        let end = self.sparse.bytes.as_mut_ptr().cast::<u8>().wrapping_add(self.filled).cast::<V>();
        // SAFETY: the vector lies within `bytes` (asserted), which is 64-byte aligned, at a multiple of its alignment.
        unsafe { end.write(bytes) }
        self.filled += size_of::<V>();
    }

    /// Lists blocks that are not zero: the first `count` lanes of `blocks`.
    ///
    /// # Panics
    ///
    /// If there is no room, or `count` is more than the lanes of `blocks`.
    #[inline(always)]
    pub(crate) fn append_blocks<I: Vector>(&mut self, blocks: I, count: usize) {
        assert!(count <= size_of::<I>() / 2 && self.count + size_of::<I>() / 2 <= CAP);
        let end = self.sparse.blocks.as_mut_ptr().wrapping_add(self.count).cast::<I>();
        // SAFETY: the vector lies within `blocks` (asserted); no alignment is assumed.
        unsafe { end.write_unaligned(blocks) }
        self.count += count;
    }

    /// Ends filling, after `filled` activations, a constant: the rest is zero. `listed`: every non-zero block was listed.
    ///
    /// # Panics
    ///
    /// If another number of activations was appended.
    #[inline(always)]
    pub(crate) fn finish(self, filled: usize, listed: bool) {
        assert!(self.filled == filled && filled <= N);
        // A constant number of bytes: a call of memset with nothing to do costs as much as a small layer.
        let end = self.sparse.bytes.as_mut_ptr().cast::<u8>().wrapping_add(filled);
        // SAFETY: the `N - filled` bytes from there are the rest of `bytes`.
        unsafe { end.write_bytes(0, N - filled) }
        (self.sparse.is_full, self.sparse.listed, self.sparse.count) = (true, listed, self.count);
    }
}

impl<const N: usize, const CAP: usize> Default for Sparse<N, CAP> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize, const CAP: usize> fmt::Debug for Sparse<N, CAP> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sparse").field("is_full", &self.is_full).field("blocks", &self.blocks()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Scalar, Simd};

    #[test]
    fn what_is_appended_is_read() {
        let mut sparse = Sparse::<64, 32>::new();
        let vectors = [Scalar.splat_u8(0), Scalar.splat_u8x4(0x0100_0000), Scalar.splat_u8(9)];
        let mut filler = sparse.fill();
        for vector in vectors {
            let first = Scalar.splat_blocks(filler.next_block());
            let (blocks, count) = Scalar.nonzero_blocks(vector, first);
            filler.append_bytes(vector);
            filler.append_blocks(blocks, count);
        }
        filler.finish(48, true);
        assert_eq!(sparse.blocks(), [4, 5, 6, 7, 8, 9, 10, 11]);
        assert_eq!(sparse.bytes().values()[15..20], [0, 0, 0, 0, 1]);
        assert_eq!(sparse.bytes().values()[47..], [[9].as_slice(), &[0; 16]].concat());
    }

    #[test]
    #[should_panic(expected = "incomplete")]
    fn incomplete_activations_are_not_read() {
        Sparse::<64, 32>::new().bytes();
    }
}
