//! Activations whose number is known only at run time.

use alloc::vec;
use alloc::vec::Vec;
use core::mem::MaybeUninit;

use bytemuck::Zeroable;

use super::super::Line;
use super::{BlockList, Filler, MOST_LANES, State};

/// [`super::Sparse`] on the heap. Bytes that are not filled are zero.
#[derive(Clone, Debug)]
pub(crate) struct SparseLines {
    bytes: Vec<Line>,
    blocks: Vec<u16>,
    state: State,
}

impl SparseLines {
    /// Room for `len` activations, a multiple of 64.
    ///
    /// # Panics
    ///
    /// If it is not, or if a block number does not fit in 16 bits.
    pub(crate) fn zeroed(len: usize) -> Self {
        assert!(
            len.is_multiple_of(64) && len / 4 <= 1 << 16,
            "whole lines, and blocks are numbered in 16 bits"
        );
        Self {
            bytes: vec![Line::zeroed(); len / 64],
            blocks: vec![0; len / 4 + MOST_LANES],
            state: State::default(),
        }
    }

    /// Starts filling with `len` activations, the same number each time.
    ///
    /// # Panics
    ///
    /// If there is not enough room.
    #[inline(always)]
    pub(crate) fn filler(&mut self, len: usize) -> Filler<'_> {
        self.state = State::default();
        let (bytes, blocks) = (
            bytemuck::cast_slice_mut::<_, u8>(&mut self.bytes),
            self.blocks.as_mut_slice(),
        );
        let bytes = &mut bytes[..len];
        // SAFETY: `MaybeUninit<u8>` has the layout of `u8`. A `Filler` only writes initialised vectors, so
        // these bytes stay initialised.
        let bytes = unsafe { &mut *(core::ptr::from_mut(bytes) as *mut [MaybeUninit<u8>]) };
        // SAFETY: as above, for `u16`.
        let blocks = unsafe { &mut *(core::ptr::from_mut(blocks) as *mut [MaybeUninit<u16>]) };
        Filler {
            bytes,
            blocks,
            filled: 0,
            count: 0,
            state: &mut self.state,
        }
    }

    #[inline(always)]
    pub(crate) fn lines(&self) -> &[Line] {
        &self.bytes
    }

    /// The activations in blocks of four.
    #[inline(always)]
    pub(crate) fn blocks(&self) -> &[[u8; 4]] {
        bytemuck::cast_slice(&self.bytes)
    }

    /// The nonzero blocks; empty if they are not listed.
    #[inline(always)]
    pub(crate) fn list(&self) -> BlockList<'_> {
        BlockList {
            indices: &self.blocks[..self.state.count],
            inputs: self.blocks(),
        }
    }
}
