//! Operations on bitboards and lists of numbers, used to find the threats that a move changes.

use super::Vector;
use super::lists;
use super::scalar::{Lanes, Scalar};
use super::sealed::Token;
use crate::memory::lanes_mut;

/// The operations of [`super::Simd`] on bitboards, one per 64-bit lane, and on lists of numbers,
/// one per 32-bit lane.
///
/// The lane-by-lane defaults are the specification, and serve levels without the instructions.
/// Threats are found with vectors only on levels with [`Self::GATHERS`] or [`Self::LINES`].
pub trait BitboardLanes: Token {
    /// the same vectors as [`super::Simd::I32`], of 32-bit or 64-bit lanes
    type Words: Vector;

    /// True if vectors ([`Self::gather_u16`], [`Self::compress_i32`]) make and look up lists of
    /// numbers faster than scalar code. False on AVX2: its gathers save a tenth of that work on one
    /// processor and are slow on others, and QEMU 7.2, which runs tests as an older processor,
    /// computes some of their indices wrongly.
    const GATHERS: bool = false;
    /// True if the eight lines through a square are one vector of bitboards and
    /// [`Self::nearest_u64`] takes a few instructions.
    const LINES: bool = false;

    /// bit i: lane i is negative
    #[inline(always)]
    fn negative_i32(self, a: Self::Words) -> u32 {
        lists::mask_of(a, |lane: i32| lane < 0)
    }
    /// The lanes whose bit of `keep` is set, in order, in the first lanes of the result. The other
    /// lanes are unspecified.
    #[inline(always)]
    fn compress_i32(self, a: Self::Words, keep: u32) -> Self::Words {
        lists::compress(a, keep)
    }
    /// `table[index[i]]`
    ///
    /// Contract: every `index[i]` is below the length of `table` minus 1.
    #[inline(always)]
    fn gather_u16(self, table: &[u16], index: Self::Words) -> Self::Words {
        lists::gather(index, table.len() - 1, |at| table[at].into())
    }
    /// `table[index[i]]`
    ///
    /// Contract: every `index[i]` is below the length of `table`.
    #[inline(always)]
    fn gather_i32(self, table: &[i32], index: Self::Words) -> Self::Words {
        lists::gather(index, table.len(), |at| table[at])
    }
    /// Byte i of the result has bit b where bit i of `planes[b]` is set.
    #[inline(always)]
    fn bytes_of_planes(self, planes: [u64; 4]) -> [u8; 64] {
        lists::bytes_of_planes(planes)
    }

    /// all 64-bit lanes `x`
    fn splat_u64(self, x: u64) -> Self::Words;
    /// bit i: the 64-bit lanes i of `a` and `b` have a bit in common
    #[inline(always)]
    fn meet_u64(self, a: Self::Words, b: Self::Words) -> u32 {
        lists::mask_of(lists::zip(a, b, |a, b| a & b), |lane: u64| lane != 0)
    }
    /// The lowest set bit of each 64-bit lane in the first half, the highest set bit in the second
    /// half; 0 if there is none.
    #[inline(always)]
    fn nearest_u64(self, a: Self::Words) -> Self::Words {
        lists::nearest(a)
    }
    /// the second half of the vector, then the first
    #[inline(always)]
    fn swap_halves(self, mut a: Self::Words) -> Self::Words {
        let lanes = lanes_mut::<_, i32>(&mut a);
        lanes.rotate_left(lanes.len() / 2);
        a
    }
    /// The index (0..64) of the highest set bit of each 64-bit lane, of `a`, then of `b`; for a
    /// lane of 0 any index in 0..64.
    #[inline(always)]
    fn numbers_u64(self, a: Self::Words, b: Self::Words) -> Self::Words {
        lists::numbers(a, b)
    }
    /// `table[index[i]]`
    ///
    /// Contract: every `index[i]` is in 0..64.
    #[inline(always)]
    fn gather_u8(self, table: &[u8; 64], index: Self::Words) -> Self::Words {
        lists::gather(index, table.len(), |at| table[at].into())
    }
}

/// The specification: the defaults.
impl BitboardLanes for Scalar {
    type Words = Lanes<i32, 4>;

    #[inline]
    fn splat_u64(self, x: u64) -> Self::Words {
        let mut words = Lanes([0; 4]);
        lanes_mut::<_, u64>(&mut words).fill(x);
        words
    }
}
