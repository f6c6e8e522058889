//! Activations of the accumulators, with a list of the nonzero blocks.
//!
//! ```text
//!   bytes    | 0 0 0 0 | 9 0 0 3 | 0 0 0 0 | 0 7 0 0 | ..      N bytes
//!   blocks   1  3  ..                                          ascending, `count` of them
//! ```
//!
//! Both are filled by appending vectors and are read only as far as they are filled. Nothing is
//! zeroed first: zeroing a kilobyte costs as much as the activation itself. The list of blocks is
//! stored in whole vectors; the next vector overwrites the lanes after its end.
//!
//! A layer that reads the list does not check the indices again: only the code of this module
//! appends activations and lists their blocks, so every index is that of a block. That saves 5 to
//! 11 % of a forward pass on a Zen 3.
#![expect(
    unsafe_code,
    reason = "arrays that are initialised as far as they are filled"
)]

mod lines;

use core::fmt;
use core::mem::MaybeUninit;

use nnue_spec::DEFAULT_NONZERO;

use super::Bytes;
use crate::simd::{Simd, Vector};

pub(crate) use lines::SparseLines;

/// `N` u8 activations and the indices of their nonzero blocks of four.
///
/// `CAP` is `N / 4 + 16`: one entry per block and room for the end of the last vector. `NONZERO` is
/// the expected percentage of nonzero values; it decides the forms of the layers that read them,
/// and so whether blocks are listed.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Sparse<const N: usize, const CAP: usize, const NONZERO: usize = DEFAULT_NONZERO> {
    /// initialised if `state.is_full`
    bytes: MaybeUninit<Bytes<N>>,
    /// initialised up to `state.count`; each is less than `N / 4`
    blocks: [MaybeUninit<u16>; CAP],
    state: State,
}

/// How far a [`Sparse`] is filled.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    is_full: bool,
    listed: bool,
    count: usize,
}

impl<const N: usize, const CAP: usize, const NONZERO: usize> Sparse<N, CAP, NONZERO> {
    /// An empty buffer.
    #[inline(always)]
    pub fn new() -> Self {
        const {
            assert!(
                N.is_multiple_of(64),
                "a buffer is whole vectors of the widest level"
            )
        }
        const {
            assert!(
                CAP == N / 4 + MOST_LANES,
                "one entry per block and room for a vector"
            )
        }
        const { assert!(N / 4 <= 1 << 16, "blocks are numbered in 16 bits") }
        Self {
            bytes: MaybeUninit::uninit(),
            blocks: [MaybeUninit::uninit(); CAP],
            state: State {
                is_full: false,
                listed: false,
                count: 0,
            },
        }
    }

    /// Starts filling with `len` activations, a constant; the rest is set to zero.
    ///
    /// # Panics
    ///
    /// If `len` is more than `N`.
    #[inline(always)]
    pub(crate) fn filler(&mut self, len: usize) -> Filler<'_> {
        self.state = State::default();
        let bytes = self.bytes.as_mut_ptr().cast::<MaybeUninit<u8>>();
        // SAFETY: these are the `N` bytes of `Bytes<N>`; as such they need not be initialised.
        let bytes = unsafe { core::slice::from_raw_parts_mut(bytes, N) };
        let (bytes, rest) = bytes.split_at_mut(len);
        // The number of bytes is constant, because an empty call of memset costs as much as a small
        // layer.
        rest.fill(MaybeUninit::new(0));
        Filler {
            bytes,
            blocks: &mut self.blocks,
            filled: 0,
            count: 0,
            state: &mut self.state,
        }
    }

    /// The activations.
    ///
    /// # Panics
    ///
    /// If they are not complete.
    #[inline(always)]
    pub fn bytes(&self) -> &Bytes<N> {
        assert!(self.state.is_full, "activations are incomplete");
        // SAFETY: all `N` bytes are written: those after the activations by `filler`, and
        // `Filler::finish`, which sets `is_full`, has asserted that the others are.
        unsafe { self.bytes.assume_init_ref() }
    }

    /// Whether blocks are listed. A level that reads buffers of this length as a whole lists none.
    #[inline(always)]
    pub fn is_listed(&self) -> bool {
        self.state.listed
    }

    /// The indices of the nonzero blocks, ascending; empty if they are not listed.
    #[inline(always)]
    pub fn blocks(&self) -> &[u16] {
        let filled = &self.blocks[..self.state.count];
        // SAFETY: `Filler` wrote whole vectors of indices, and its count only includes lanes that it wrote.
        unsafe { core::slice::from_raw_parts(filled.as_ptr().cast(), filled.len()) }
    }

    /// The nonzero blocks.
    ///
    /// # Panics
    ///
    /// If the activations are not complete.
    #[inline(always)]
    pub(crate) fn list(&self) -> BlockList<'_> {
        BlockList {
            indices: self.blocks(),
            inputs: self.bytes().blocks(),
        }
    }
}

/// The most lanes of a vector of block indices.
const MOST_LANES: usize = 16;

/// A sequence of vectors of activations.
pub(crate) trait Activations<S: Simd> {
    fn len(&self) -> usize;
    fn vector(&self, index: usize) -> S::U8;
}

/// Activations in memory.
pub(crate) struct Stored<'a, S: Simd>(pub(crate) &'a [S::U8]);

impl<S: Simd> Activations<S> for Stored<'_, S> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn vector(&self, index: usize) -> S::U8 {
        self.0[index]
    }
}

/// Fills a [`Sparse`] of any size; the activations are complete after [`Self::finish`].
pub(crate) struct Filler<'a> {
    /// 64-byte aligned, initialised up to `filled`
    bytes: &'a mut [MaybeUninit<u8>],
    /// room for an index of each block and one more vector
    blocks: &'a mut [MaybeUninit<u16>],
    filled: usize,
    count: usize,
    state: &'a mut State,
}

impl Filler<'_> {
    /// Appends activations. With `LIST` it also lists their nonzero blocks.
    ///
    /// # Panics
    ///
    /// If there is no room.
    #[inline(always)]
    pub(crate) fn append<S: Simd, const LIST: bool>(
        &mut self,
        simd: S,
        activations: impl Activations<S>,
    ) {
        const { assert!(size_of::<S::U8>() == S::BYTES && size_of::<S::Blocks>() <= 2 * MOST_LANES) }
        let (len, filled) = (activations.len(), self.filled);
        assert!(
            len <= (self.bytes.len() - filled) / S::BYTES
                && filled.is_multiple_of(align_of::<S::U8>())
        );
        let bytes = self.bytes.as_mut_ptr().wrapping_add(filled).cast::<S::U8>();
        let (blocks, mut count) = (self.blocks.as_mut_ptr(), self.count);
        let mut first_block = simd.splat_blocks((filled / 4) as u16);
        for index in 0..len {
            let vector = activations.vector(index);
            // SAFETY: `len` vectors fit in `bytes` after `filled` (asserted), which is a multiple of
            // their alignment (asserted); `bytes` is 64-byte aligned.
            unsafe { bytes.wrapping_add(index).write(vector) }
            if LIST {
                let (numbers, found) = simd.nonzero_blocks(vector, first_block);
                // SAFETY: at most as many indices are listed as there are blocks before this vector.
                // After them there is room for 16 more, even if every block is listed. The write
                // assumes no alignment.
                unsafe {
                    blocks
                        .wrapping_add(count)
                        .cast::<S::Blocks>()
                        .write_unaligned(numbers)
                }
                count += found;
                first_block = simd.add_blocks(
                    first_block,
                    simd.splat_blocks(const { S::BYTES as u16 / 4 }),
                );
            }
        }
        (self.filled, self.count) = (filled + len * S::BYTES, count);
    }

    /// Ends filling. `listed`: every nonzero block was listed.
    ///
    /// # Panics
    ///
    /// If activations are missing.
    #[inline(always)]
    pub(crate) fn finish(&mut self, listed: bool) {
        assert!(self.filled == self.bytes.len(), "activations are missing");
        *self.state = State {
            is_full: true,
            listed,
            count: self.count,
        };
    }
}

/// The nonzero blocks of activations, and all activations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockList<'a> {
    /// each is less than `inputs.len()`: [`Filler`] lists only blocks that it has written
    indices: &'a [u16],
    inputs: &'a [[u8; 4]],
}

impl<'a> BlockList<'a> {
    #[inline(always)]
    pub(crate) fn len(self) -> usize {
        self.indices.len()
    }

    /// The index of entry `block` of the list, and the inputs of that block.
    ///
    /// # Panics
    ///
    /// If there are fewer entries.
    #[inline(always)]
    pub(crate) fn get(self, block: usize) -> (u16, [u8; 4]) {
        let index = self.indices[block];
        (index, self.inputs[usize::from(index)])
    }

    /// Adds the weights of each block: `weights[stride * block..][..stride]`.
    ///
    /// # Panics
    ///
    /// If some block has no weights.
    #[inline(always)]
    pub(crate) fn with_weights<V: Vector>(
        self,
        weights: &'a [V],
        stride: usize,
    ) -> ListedBlocks<'a, V> {
        let Self { indices, inputs } = self;
        assert!(
            inputs.len() * stride <= weights.len(),
            "a block has no weights"
        );
        ListedBlocks {
            indices,
            inputs,
            weights,
            stride,
        }
    }
}

/// Blocks of inputs with their weights. Blocks, and the vectors of weights in a block, are numbered
/// from 0.
pub(crate) trait WeightedBlocks<V>: Copy {
    fn len(self) -> usize;
    /// Blocks `start..start + len`. Panics if they do not exist.
    fn part(self, start: usize, len: usize) -> Self;
    /// The inputs of a block. Panics if it does not exist.
    fn input(self, block: usize) -> [u8; 4];
    /// A vector of the weights of a block. Panics if it does not exist.
    fn weight(self, block: usize, vector: usize) -> V;
}

/// The nonzero blocks of activations with their weights, `stride` vectors each. Blocks are numbered
/// by list position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListedBlocks<'a, V> {
    /// for each `i` in the list, `inputs[i]` and `weights[stride * i..][..stride]` exist
    indices: &'a [u16],
    inputs: &'a [[u8; 4]],
    weights: &'a [V],
    stride: usize,
}

impl<V: Vector> WeightedBlocks<V> for ListedBlocks<'_, V> {
    #[inline(always)]
    fn len(self) -> usize {
        self.indices.len()
    }

    #[inline(always)]
    fn part(self, start: usize, len: usize) -> Self {
        Self {
            indices: &self.indices[start..][..len],
            ..self
        }
    }

    #[inline(always)]
    fn input(self, block: usize) -> [u8; 4] {
        let index = usize::from(self.indices[block]);
        debug_assert!(index < self.inputs.len());
        // SAFETY: `inputs[i]` exists for every listed `i` (invariant of `indices`).
        unsafe { *self.inputs.get_unchecked(index) }
    }

    #[inline(always)]
    fn weight(self, block: usize, vector: usize) -> V {
        assert!(vector < self.stride);
        let index = usize::from(self.indices[block]) * self.stride + vector;
        debug_assert!(index < self.weights.len());
        // SAFETY: `weights[stride * i..][..stride]` exists for every listed `i` (invariant of
        // `indices`), and `vector < stride`.
        unsafe { *self.weights.get_unchecked(index) }
    }
}

impl<const N: usize, const CAP: usize, const NONZERO: usize> Default for Sparse<N, CAP, NONZERO> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize, const CAP: usize, const NONZERO: usize> fmt::Debug
    for Sparse<N, CAP, NONZERO>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sparse")
            .field("is_full", &self.state.is_full)
            .field("blocks", &self.blocks())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Scalar;

    struct Vectors<'a, S: Simd>(&'a [S::U8]);

    impl<S: Simd> Activations<S> for Vectors<'_, S> {
        fn len(&self) -> usize {
            self.0.len()
        }

        fn vector(&self, index: usize) -> S::U8 {
            self.0[index]
        }
    }

    #[test]
    fn what_is_appended_is_read() {
        let mut sparse = Sparse::<64, 32>::new();
        let vectors = [
            Scalar.splat_u8(0),
            Scalar.splat_u8x4(0x0100_0000),
            Scalar.splat_u8(9),
        ];
        let mut filler = sparse.filler(48);
        filler.append::<_, true>(Scalar, Vectors(&vectors[..1]));
        filler.append::<_, true>(Scalar, Vectors(&vectors[1..]));
        filler.finish(true);
        assert_eq!(sparse.blocks(), [4, 5, 6, 7, 8, 9, 10, 11]);
        assert_eq!(sparse.bytes().values()[15..20], [0, 0, 0, 0, 1]);
        assert_eq!(
            sparse.bytes().values()[47..],
            [[9].as_slice(), &[0; 16]].concat()
        );
    }

    #[test]
    fn listed_blocks_come_with_their_inputs_and_weights() {
        let mut sparse = Sparse::<64, 32>::new();
        let vectors = [
            Scalar.splat_u8(0),
            Scalar.splat_u8x4(0x0100_0000),
            Scalar.splat_u8(0),
            Scalar.splat_u8(9),
        ];
        let mut filler = sparse.filler(64);
        filler.append::<_, true>(Scalar, Vectors(&vectors));
        filler.finish(true);
        let weights: Vec<_> = (0..32).map(|k| Scalar.splat_u8(k)).collect();
        let listed = sparse.list().with_weights(&weights, 2);
        assert_eq!(listed.len(), 8);
        assert_eq!((listed.input(0), listed.input(4)), ([0, 0, 0, 1], [9; 4]));
        let last = listed.part(7, 1);
        assert_eq!(
            (last.len(), last.weight(0, 0), last.weight(0, 1)),
            (1, weights[30], weights[31])
        );
    }

    #[test]
    #[should_panic(expected = "no weights")]
    fn every_block_needs_weights() {
        let mut sparse = Sparse::<64, 32>::new();
        let mut filler = sparse.filler(64);
        filler.append::<_, true>(Scalar, Vectors(&[Scalar.splat_u8(1); 4]));
        filler.finish(true);
        sparse.list().with_weights(&[Scalar.splat_u8(0); 31], 2);
    }

    #[test]
    #[should_panic(expected = "missing")]
    fn activations_that_are_missing_are_noticed() {
        let mut sparse = Sparse::<64, 32>::new();
        let mut filler = sparse.filler(48);
        filler.append::<_, false>(Scalar, Vectors(&[Scalar.splat_u8(9)]));
        filler.finish(false);
    }

    #[test]
    #[should_panic(expected = "len <=")]
    fn activations_that_are_too_many_are_noticed() {
        Sparse::<64, 32>::new()
            .filler(16)
            .append::<_, true>(Scalar, Vectors(&[Scalar.splat_u8(9); 2]));
    }

    #[test]
    #[should_panic(expected = "incomplete")]
    fn incomplete_activations_are_not_read() {
        Sparse::<64, 32>::new().bytes();
    }
}
