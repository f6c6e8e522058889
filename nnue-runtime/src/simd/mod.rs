//! The SIMD operations that the kernels are written in, and the levels that implement them.
//!
//! Kernels are generic over a token `S: Simd`; a token is a zero-sized value that exists only where the processor has the
//! level's features (see [`dispatch`]). Everything here and in the kernels is `#[inline(always)]`, so that a whole
//! evaluation is compiled inside one `#[target_feature]` shell.
//!
//! [`Scalar`] is the specification: its arrays say what each operation means, and in debug builds it checks each
//! operation's range contract. Every other backend is tested against it bit for bit. `docs/numerics.md` has the table of
//! operations and instructions.

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod aarch64;
mod choice;
mod float;
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod intrinsics;
mod level;
mod lists;
mod scalar;
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod set_bits;
#[cfg(test)]
mod tests;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use choice::{Choice, Reason};
pub use float::FloatLanes;
pub use level::{AvailableLevel, Level, Task, UnavailableLevel, UnknownLevel, dispatch};
pub use scalar::Scalar;

/// The fastest decoder of LEB128 numbers that this processor has. All give the same numbers, whatever the level.
pub(crate) fn leb128_decoder() -> &'static dyn nnue_format::leb128::Decoder {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    {
        static COMPRESSING: std::sync::LazyLock<Option<x86::Compressing>> =
            std::sync::LazyLock::new(x86::Compressing::detect);
        if let Some(decoder) = &*COMPRESSING {
            return decoder;
        }
    }
    &nnue_format::leb128::Portable
}

use crate::memory::lanes_mut;

/// A plain vector type: any bit pattern is a value, alignment equals size (at most 64).
///
/// # Safety
///
/// Implementors are `repr(C)`/SIMD types without padding for which every bit pattern is valid, so that an aligned slice
/// of bytes may be viewed as a slice of them.
#[expect(unsafe_code, reason = "the contract of the checked casts in `memory`")]
pub unsafe trait Vector: Copy + 'static {}

// SAFETY: an integer: half a vector of levels of 128 bits, aligned to 8 on their processors.
#[cfg(any(target_arch = "x86_64", target_arch = "wasm32"))]
#[expect(unsafe_code, reason = "the contract of the checked casts in `memory`")]
unsafe impl Vector for i64 {}

mod sealed {
    /// A token: it exists only where the processor has the features of its level.
    pub trait Token: Copy + Send + Sync + 'static {}
}

/// The operations of a level; those on floats are in [`FloatLanes`]. `BYTES` is the vector width; `I16`, `I32` and `U8` are the same width.
///
/// Lane order is memory order in every operation except [`Simd::narrow_i16_u8`], which packs within 128-bit parts; the
/// order that results is [`Simd::PACK_ORDER`], and the weights that read it are permuted to match when they are prepared.
///
/// Shift counts are ordinary arguments; they are constants in every kernel, and the compiler sees that.
///
/// The trait is sealed: a token of another crate could claim a level that the processor lacks.
pub trait Simd: FloatLanes {
    /// u8 (and i8 weights): `BYTES` lanes
    type U8: Vector;
    /// i16: `BYTES / 2` lanes
    type I16: Vector;
    /// i32: `BYTES / 4` lanes
    type I32: Vector;
    /// i8, half a vector: `BYTES / 2` lanes
    type I8: Vector;
    /// u16, for the numbers of groups of four bytes: `BYTES / 4` lanes, half a vector
    type Blocks: Vector;
    /// A level of half this width, or this one if there is none: for lengths that are not whole vectors.
    type Narrow: Simd;

    /// The level that this token stands for.
    const LEVEL: Level;
    /// Bytes in a vector.
    const BYTES: usize;
    /// Registers of i16 values that a pass over rows of pieces keeps while it adds row after row: 16 at most.
    const TILE: usize;
    /// The same where rows of pairs take part, which need registers to be widened in: 16 at most.
    const PAIR_TILE: usize;
    /// Dot products that must be in flight to hide the latency of one: accumulators that a dot kernel spreads over.
    const CHAINS: usize;
    /// Whether [`Simd::dot_u8i8`] has no contract: it, [`Simd::dot_exact_u8i8`] and two of it are equally fast.
    const DOT_IS_EXACT: bool;
    /// A layer that reads accumulators' activations and has at most so many weights reads them whole, row by row, rather
    /// than by the non-zero blocks of the activations.
    ///
    /// Only for levels with [`Self::DOT_IS_EXACT`], and 16 rows must fit in the registers.
    const DENSE_WEIGHTS: usize = 0;
    /// Whether [`Simd::mul_high_i16`] is about as fast as [`Simd::mul_low_i16`].
    const HAS_MUL_HIGH: bool = true;
    /// Whether lists of numbers are quicker made and looked up by vectors ([`Simd::gather_u16`], [`Simd::compress_i32`]) than
    /// one by one. Not on AVX2: its gathers save a tenth of that work on one processor and are slow on others, and QEMU 7.2, on
    /// which tests run as on an older processor, mistakes some of their indices.
    const GATHERS: bool = false;
    /// Whether the eight lines through a square are one vector of bitboards, and [`Simd::nearest_u64`] takes a few instructions.
    const LINES: bool = false;
    /// The greatest `u` that [`Simd::dot_u8i8`] and [`Simd::dot2_u8i8`] take: 127 where they multiply signed bytes.
    const DOT_LIMIT: u8 = u8::MAX;
    /// `PACK_ORDER[i]` is the index of the 8-byte group of `narrow_i16_u8(a, b)`'s ideal, in-order result that stands at
    /// group `i` of the actual result. `BYTES / 8` groups.
    const PACK_ORDER: &'static [usize];

    /// The token of the narrower level.
    fn narrow(self) -> Self::Narrow;

    /// Runs `task` as a function of its own, with the level's features: for what is called from several places, or is
    /// rarely needed, and would only make its callers long.
    #[inline(always)]
    fn outline<T: Task>(self, task: T) -> T::Output {
        dispatch(AvailableLevel::of(self), task)
    }

    /// all lanes zero
    fn zero_i32(self) -> Self::I32;
    /// all lanes `x`
    fn splat_i16(self, x: i16) -> Self::I16;
    /// all lanes `x`
    fn splat_i32(self, x: i32) -> Self::I32;
    /// all lanes `x`
    fn splat_u8(self, x: u8) -> Self::U8;
    /// the four bytes of `x` (little endian) in every group of four lanes
    fn splat_u8x4(self, x: u32) -> Self::U8;

    /// wrapping sum
    fn add_i16(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// wrapping difference
    fn sub_i16(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// lesser of two
    fn min_i16(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// greater of two
    fn max_i16(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// shift left by `n < 16` bits, bits lost at the top
    fn shl_i16(self, a: Self::I16, n: u32) -> Self::I16;
    /// each i8 lane as i16
    fn widen_i8(self, a: Self::I8) -> Self::I16;
    /// logical shift right by `n < 16` bits: the lanes are taken as u16
    fn shr_u16(self, a: Self::I16, n: u32) -> Self::I16;
    /// the low 16 bits of the product
    fn mul_low_i16(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// `(a * b) >> 16` of the signed 32-bit product
    fn mul_high_i16(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// `((a << n) * b) >> 16` of the signed 32-bit product.
    ///
    /// Contract: `a` is not negative, and `a << n` fits in i16.
    #[inline(always)]
    fn mul_high_shl_i16(self, a: Self::I16, n: u32, b: Self::I16) -> Self::I16 {
        self.mul_high_i16(self.shl_i16(a, n), b)
    }
    /// lane i is `a[2i] * b[2i] + a[2i + 1] * b[2i + 1]`, the sum wrapping
    #[inline(always)]
    fn dot_i16(self, mut a: Self::I16, mut b: Self::I16) -> Self::I32 {
        let mut sums = self.zero_i32();
        let (a, b) = (lanes_mut::<_, i16>(&mut a), lanes_mut::<_, i16>(&mut b));
        for ((sum, a), b) in lanes_mut(&mut sums).iter_mut().zip(a.chunks_exact(2)).zip(b.chunks_exact(2)) {
            let product = |i: usize| i32::from(a[i]) * i32::from(b[i]);
            *sum = product(0).wrapping_add(product(1));
        }
        sums
    }
    /// clamps each lane to 0..=255 and packs `a` then `b`, in [`Self::PACK_ORDER`]
    fn narrow_i16_u8(self, a: Self::I16, b: Self::I16) -> Self::U8;

    /// lesser of two
    fn min_u8(self, a: Self::U8, b: Self::U8) -> Self::U8;

    /// wrapping sum
    fn add_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// lesser of two
    fn min_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// greater of two
    fn max_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// the low 32 bits of the product
    fn mul_low_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// arithmetic shift right by `n < 32`
    fn shr_i32(self, a: Self::I32, n: u32) -> Self::I32;
    /// clamps each lane of the first `PARTS` vectors to 0..=127 and packs them in order; the rest of the result is zero
    fn narrow_i32_u8<const PARTS: usize>(self, parts: [Self::I32; 4]) -> Self::U8;
    /// wrapping sum of all lanes
    fn reduce_i32(self, a: Self::I32) -> i32;

    /// Lane i is the wrapping sum of all lanes of `rows[i]`, for each lane i < `BYTES / 4`.
    #[inline(always)]
    fn reduce_each_i32(self, rows: [Self::I32; 16]) -> Self::I32 {
        let mut sums = self.zero_i32();
        for (sum, row) in lanes_mut(&mut sums).iter_mut().zip(rows) {
            *sum = self.reduce_i32(row);
        }
        sums
    }

    /// `acc[i] + sum over k < 4 of u[4i + k] * w[4i + k]`, u unsigned, w signed; wrapping.
    ///
    /// Contract: `u[2i] * w[2i] + u[2i + 1] * w[2i + 1]` fits in i16 for every i, as it always does for u <= 127; no u is
    /// above [`Self::DOT_LIMIT`].
    fn dot_u8i8(self, acc: Self::I32, u: Self::U8, w: Self::U8) -> Self::I32;
    /// As [`Self::dot_u8i8`] without the contract.
    fn dot_exact_u8i8(self, acc: Self::I32, u: Self::U8, w: Self::U8) -> Self::I32;
    /// `dot_u8i8(dot_u8i8(acc, u[0], w[0]), u[1], w[1])`.
    ///
    /// Contract: that of [`Self::dot_u8i8`] for both, and for every i the sum of the two sums of pairs fits in i16.
    fn dot2_u8i8(self, acc: Self::I32, u: [Self::U8; 2], w: [Self::U8; 2]) -> Self::I32;

    /// the bits that are set in both
    #[inline(always)]
    fn and_i32(self, a: Self::I32, b: Self::I32) -> Self::I32 {
        lists::zip(a, b, |a, b| a & b)
    }
    /// the bits that are set in either
    #[inline(always)]
    fn or_i32(self, a: Self::I32, b: Self::I32) -> Self::I32 {
        lists::zip(a, b, |a, b| a | b)
    }
    /// the bits that differ
    #[inline(always)]
    fn xor_i32(self, a: Self::I32, b: Self::I32) -> Self::I32 {
        lists::zip(a, b, |a, b| a ^ b)
    }
    /// shift left by `n < 32` bits, bits lost at the top
    #[inline(always)]
    fn shl_i32(self, a: Self::I32, n: u32) -> Self::I32 {
        lists::zip(a, a, |a, _| a << n)
    }
    /// bit i: lane i is negative
    #[inline(always)]
    fn negative_i32(self, a: Self::I32) -> u32 {
        lists::mask_of(a, |lane: i32| lane < 0)
    }
    /// The lanes whose bits of `keep` are set, in order, in the first lanes of the result; the other lanes hold anything.
    #[inline(always)]
    fn compress_i32(self, a: Self::I32, keep: u32) -> Self::I32 {
        lists::compress(a, keep)
    }
    /// `table[index[i]]`
    ///
    /// Contract: every `index[i]` is below the length of `table`, less one.
    #[inline(always)]
    fn gather_u16(self, table: &[u16], index: Self::I32) -> Self::I32 {
        lists::gather(index, table.len() - 1, |at| table[at].into())
    }
    /// `table[index[i]]`
    ///
    /// Contract: every `index[i]` is below the length of `table`.
    #[inline(always)]
    fn gather_i32(self, table: &[i32], index: Self::I32) -> Self::I32 {
        lists::gather(index, table.len(), |at| table[at])
    }
    /// Byte i of the result has bit b where bit i of `planes[b]` is set.
    #[inline(always)]
    fn bytes_of_planes(self, planes: [u64; 4]) -> [u8; 64] {
        lists::bytes_of_planes(planes)
    }

    /// all lanes of 64 bits `x`
    #[inline(always)]
    fn splat_u64(self, x: u64) -> Self::I32 {
        let mut result = self.zero_i32();
        lanes_mut::<_, u64>(&mut result).fill(x);
        result
    }
    /// bit i: lane i of 64 bits of `a` of `b` have a bit in common
    #[inline(always)]
    fn meet_u64(self, a: Self::I32, b: Self::I32) -> u32 {
        lists::mask_of(self.and_i32(a, b), |lane: u64| lane != 0)
    }
    /// Of the lanes of 64 bits, the lowest bit in those of the first half, and the highest bit in those of the second half;
    /// nothing of 0.
    #[inline(always)]
    fn nearest_u64(self, a: Self::I32) -> Self::I32 {
        lists::nearest(a)
    }
    /// the second half of the vector, then the first
    #[inline(always)]
    fn swap_halves(self, mut a: Self::I32) -> Self::I32 {
        let lanes = lanes_mut::<_, i32>(&mut a);
        lanes.rotate_left(lanes.len() / 2);
        a
    }
    /// The number (0..64) of the highest bit of each lane of 64 bits, of `a`, then of `b`; of those that are 0 any such
    /// number.
    #[inline(always)]
    fn numbers_u64(self, a: Self::I32, b: Self::I32) -> Self::I32 {
        lists::numbers(a, b)
    }
    /// `table[index[i]]`
    ///
    /// Contract: every `index[i]` is in 0..64.
    #[inline(always)]
    fn gather_u8(self, table: &[u8; 64], index: Self::I32) -> Self::I32 {
        lists::gather(index, table.len(), |at| table[at].into())
    }

    /// all lanes `x`
    fn splat_blocks(self, x: u16) -> Self::Blocks;
    /// sum
    ///
    /// Contract: it fits in u16.
    fn add_blocks(self, a: Self::Blocks, b: Self::Blocks) -> Self::Blocks;
    /// The groups of four bytes of `a` that are not all zero: `first[0] + i` for each such group i, ascending, in the first
    /// lanes of the result (the other lanes hold anything), and how many there are.
    ///
    /// Contract: the lanes of `first` are all the same, and `first[0] + i` fits in u16 for every group i.
    fn nonzero_blocks(self, a: Self::U8, first: Self::Blocks) -> (Self::Blocks, usize);
}

/// Whether a layer of `outputs` sums (0: no layer) that reads a buffer of `bytes` activations of accumulators reads it whole.
pub(crate) const fn reads_whole<S: Simd>(bytes: usize, outputs: usize) -> bool {
    bytes * outputs <= S::DENSE_WEIGHTS
}

/// The order of the 8-byte groups in a u8 buffer whose runs of `len` values are packed by [`Simd::narrow_i16_u8`]: the
/// [`Simd::PACK_ORDER`] of the widest vectors that divide `len`. The same rule as in `kernel::activation`.
fn pack_order<S: Simd>(len: usize) -> &'static [usize] {
    if len.is_multiple_of(S::BYTES) || S::BYTES <= 16 { S::PACK_ORDER } else { pack_order::<S::Narrow>(len) }
}
