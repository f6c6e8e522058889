//! The SIMD operations that kernels use, and the levels that implement them.
//!
//! Kernels are generic over a token `S: Simd`, a zero-sized value that exists only if the processor
//! has the features of the level (see [`dispatch`]). Everything here and in the kernels is
//! `#[inline(always)]`, so that a whole evaluation is compiled inside one `#[target_feature]`
//! function (the shell).
//!
//! [`Scalar`] is the specification: it implements each operation on arrays, and debug builds check
//! its range contract. Tests compare every other level with it bit for bit. `docs/numerics.md` has
//! the table of operations and instructions.
#![cfg_attr(
    nnue_some_levels,
    allow(dead_code, unused_imports, reason = "what only the other levels use")
)]

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod aarch64;
mod available;
mod bitboard;
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
mod vector;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use available::{AvailableLevel, UnavailableLevel, UnknownLevel};
pub use bitboard::BitboardLanes;
pub use choice::{Choice, NotFollowed, Reason};
pub use float::FloatLanes;
pub(crate) use level::Facts;
pub(crate) use level::dispatch_counting;
pub use level::{Level, Task, dispatch, dispatch_family};
pub use scalar::Scalar;
pub use vector::Vector;

/// The fastest LEB128 decoder for this processor. All decoders return the same numbers.
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

mod sealed {
    /// A token: exists only if the processor has the features of its level.
    pub trait Token: Copy + Send + Sync + 'static {}
}

/// The arithmetic of a level; floats are in [`FloatLanes`], bitboards and lists in
/// [`BitboardLanes`]. `BYTES` is the vector width; `I16`, `I32` and `U8` all have this width.
///
/// Lane order is memory order in every operation except [`Simd::narrow_i16_u8`], which packs within
/// 128-bit parts. The resulting order is [`Simd::PACK_ORDER`]; the weights that read it are
/// permuted to match when they are prepared.
///
/// Shift counts are ordinary arguments, which are constant in every kernel after inlining.
///
/// The trait is sealed: a token of another crate could claim a level that the processor lacks.
pub trait Simd: FloatLanes + BitboardLanes<Words = <Self as Simd>::I32> {
    /// u8 (and i8 weights): `BYTES` lanes
    type U8: Vector;
    /// i16: `BYTES / 2` lanes
    type I16: Vector;
    /// i32: `BYTES / 4` lanes
    type I32: Vector;
    /// i8, half a vector: `BYTES / 2` lanes
    type I8: Vector;
    /// u16, half a vector: `BYTES / 4` lanes, each the number of a group of four bytes
    type Blocks: Vector;
    /// The level of half this width, for lengths that are not whole vectors; `Self` if there is
    /// none.
    type Narrow: Simd;

    /// The level of this token.
    const LEVEL: Level;
    /// Bytes in a vector.
    const BYTES: usize;
    /// Registers of i16 sums that a pass over rows of pieces keeps while it adds row after row; at
    /// most 16.
    const TILE: usize;
    /// [`Self::TILE`] for rows of pairs, which need registers for widening; at most 16.
    const PAIR_TILE: usize;
    /// The number of independent sums of a dot kernel: enough dot products in flight to hide the
    /// latency of one.
    const CHAINS: usize;
    /// True if [`Simd::dot_u8i8`] has no contract, so that it costs the same as
    /// [`Simd::dot_exact_u8i8`] and as half of [`Simd::dot2_u8i8`].
    const DOT_IS_EXACT: bool;
    /// True if [`Simd::add_differing_i32`] takes only an instruction or two.
    const COUNTS_WORDS: bool = false;
    /// True if table look-ups count bits, so that [`Simd::add_looked_up_u8`] is less work than
    /// [`Simd::add_differing_u8`].
    const LOOKS_UP: bool = false;
    /// True if [`Simd::mul_high_i16`] is about as fast as [`Simd::mul_low_i16`].
    const HAS_MUL_HIGH: bool = true;
    /// The greatest `u` that [`Simd::dot_u8i8`] and [`Simd::dot2_u8i8`] support: 127 if they
    /// multiply signed bytes.
    const DOT_LIMIT: u8 = u8::MAX;
    /// `PACK_ORDER[i]` is the in-order index of 8-byte group `i` of the result of
    /// `narrow_i16_u8(a, b)`; there are `BYTES / 8` groups.
    const PACK_ORDER: &'static [usize];

    /// The token of the narrower level.
    fn narrow(self) -> Self::Narrow;

    /// Runs `task` as a separate function with the level's features: for code that is called from
    /// several places or rarely, and would only bloat its callers.
    #[inline(always)]
    fn outline<T: Task>(self, task: T) -> T::Output {
        dispatch(AvailableLevel::of(self), task)
    }

    /// all lanes zero
    fn zero_i32(self) -> Self::I32;
    /// all lanes `x`
    fn splat_i16(self, x: i16) -> Self::I16;
    /// `even` in lanes 0, 2, .., `odd` in the others
    #[inline(always)]
    fn splat_i16x2(self, [even, odd]: [i16; 2]) -> Self::I16 {
        self.zip_i16(self.splat_i16(even), self.splat_i16(odd))[0]
    }
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
    /// minimum
    fn min_i16(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// maximum
    fn max_i16(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// shift left by `n < 16` bits; high bits are lost
    fn shl_i16(self, a: Self::I16, n: u32) -> Self::I16;
    /// sign-extends each i8 lane to i16
    fn widen_i8(self, a: Self::I8) -> Self::I16;
    /// logical shift right by `n < 16` bits: lanes count as u16
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
        for ((sum, a), b) in lanes_mut(&mut sums)
            .iter_mut()
            .zip(a.chunks_exact(2))
            .zip(b.chunks_exact(2))
        {
            let product = |i: usize| i32::from(a[i]) * i32::from(b[i]);
            *sum = product(0).wrapping_add(product(1));
        }
        sums
    }
    /// clamps each lane to 0..=255 and packs `a` then `b`, in [`Self::PACK_ORDER`]
    fn narrow_i16_u8(self, a: Self::I16, b: Self::I16) -> Self::U8;

    /// minimum
    fn min_u8(self, a: Self::U8, b: Self::U8) -> Self::U8;

    /// In each 16 bytes: interleaves the bytes of `a` and `b`; first the first eight bytes of both,
    /// then the last eight.
    #[inline(always)]
    fn zip_u8(self, a: Self::U8, b: Self::U8) -> [Self::U8; 2] {
        lists::zip_parts::<_, 1>(a, b)
    }
    /// [`Self::zip_u8`] with pairs of bytes.
    #[inline(always)]
    fn zip_u16(self, a: Self::U8, b: Self::U8) -> [Self::U8; 2] {
        lists::zip_parts::<_, 2>(a, b)
    }
    /// In each 16 bytes: interleaves the lanes of `a` and `b`; first the first four lanes of both,
    /// then the last four.
    #[inline(always)]
    fn zip_i16(self, a: Self::I16, b: Self::I16) -> [Self::I16; 2] {
        lists::zip_parts::<_, 2>(a, b)
    }

    /// wrapping sum
    fn add_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// minimum
    fn min_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// maximum
    fn max_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// the low 32 bits of the product
    fn mul_low_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// arithmetic shift right by `n < 32`
    fn shr_i32(self, a: Self::I32, n: u32) -> Self::I32;
    /// clamps each lane of the first `PARTS` vectors to 0..=127 and packs them in order; the rest
    /// of the result is zero
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
    /// Contract: `u[2i] * w[2i] + u[2i + 1] * w[2i + 1]` fits in i16 for every i (always true for u
    /// <= 127), and no u is above [`Self::DOT_LIMIT`].
    fn dot_u8i8(self, acc: Self::I32, u: Self::U8, w: Self::U8) -> Self::I32;
    /// [`Self::dot_u8i8`] without the contract.
    fn dot_exact_u8i8(self, acc: Self::I32, u: Self::U8, w: Self::U8) -> Self::I32;
    /// `dot_u8i8(dot_u8i8(acc, u[0], w[0]), u[1], w[1])`.
    ///
    /// Contract: that of [`Self::dot_u8i8`] for both, and for every i the sum of the two pair sums
    /// fits in i16.
    fn dot2_u8i8(self, acc: Self::I32, u: [Self::U8; 2], w: [Self::U8; 2]) -> Self::I32;

    /// bitwise and
    #[inline(always)]
    fn and_i32(self, a: Self::I32, b: Self::I32) -> Self::I32 {
        lists::zip(a, b, |a, b| a & b)
    }
    /// bitwise or
    #[inline(always)]
    fn or_i32(self, a: Self::I32, b: Self::I32) -> Self::I32 {
        lists::zip(a, b, |a, b| a | b)
    }
    /// bitwise exclusive or
    #[inline(always)]
    fn xor_i32(self, a: Self::I32, b: Self::I32) -> Self::I32 {
        lists::zip(a, b, |a, b| a ^ b)
    }
    /// shift left by `n < 32` bits; high bits are lost
    #[inline(always)]
    fn shl_i32(self, a: Self::I32, n: u32) -> Self::I32 {
        lists::zip(a, a, |a, _| a << n)
    }
    /// bit i: lane i is greater than 0
    #[inline(always)]
    fn positive_i16(self, a: Self::I16) -> u32 {
        lists::mask_of(a, |lane: i16| lane > 0)
    }
    /// bit i: lane i is greater than 0
    #[inline(always)]
    fn positive_i32(self, a: Self::I32) -> u32 {
        lists::mask_of(a, |lane: i32| lane > 0)
    }
    /// bit i: lane i is not 0
    #[inline(always)]
    fn nonzero_u8(self, mut a: Self::U8) -> u64 {
        let lanes = lanes_mut::<_, u8>(&mut a).iter().enumerate();
        lanes.fold(0, |mask, (i, lane)| mask | u64::from(*lane != 0) << i)
    }
    /// `counts[i]` plus the number of bits in which bytes i of `a` and `b` differ
    ///
    /// Contract: the result fits in u8.
    #[inline(always)]
    fn add_differing_u8(self, counts: Self::U8, a: Self::U8, b: Self::U8) -> Self::U8 {
        lists::add_differing_bytes(counts, a, b)
    }
    /// `counts[i] + low[w[i] % 16] + high[w[i] / 16]`, where `low` and `high` are the tables of the
    /// 16-byte part that contains byte i.
    ///
    /// Contract: the result fits in u8.
    #[inline(always)]
    fn add_looked_up_u8(
        self,
        counts: Self::U8,
        w: Self::U8,
        low: Self::U8,
        high: Self::U8,
    ) -> Self::U8 {
        lists::add_looked_up_bytes(counts, w, low, high)
    }
    /// `counts[i]` plus the number of bits in which the 32-bit lanes i of `a` and `b` differ,
    /// wrapping. An instruction or two on levels with [`Self::COUNTS_WORDS`], slow on others.
    #[inline(always)]
    fn add_differing_i32(self, counts: Self::I32, a: Self::I32, b: Self::I32) -> Self::I32 {
        let differing = lists::zip(a, b, |a, b| (a ^ b).count_ones().cast_signed());
        self.add_i32(counts, differing)
    }
    /// all lanes `x`
    fn splat_blocks(self, x: u16) -> Self::Blocks;
    /// sum
    ///
    /// Contract: the result fits in u16.
    fn add_blocks(self, a: Self::Blocks, b: Self::Blocks) -> Self::Blocks;
    /// Finds the groups of four bytes of `a` that are not all zero. Returns `first[0] + i` for each
    /// such group i, ascending, in the first lanes (the other lanes are unspecified), and the
    /// number of these groups.
    ///
    /// Contract: the lanes of `first` are all the same, and `first[0] + i` fits in u16 for every
    /// group i.
    fn nonzero_blocks(self, a: Self::U8, first: Self::Blocks) -> (Self::Blocks, usize);
}

/// The order of the 8-byte groups in a u8 buffer whose runs of `len` values are packed by
/// [`Simd::narrow_i16_u8`]: the [`Simd::PACK_ORDER`] of the widest vectors that divide `len`.
/// `kernel::activation` follows the same rule.
fn pack_order<S: Simd>(len: usize) -> &'static [usize] {
    if len.is_multiple_of(S::BYTES) || S::BYTES <= 16 {
        S::PACK_ORDER
    } else {
        pack_order::<S::Narrow>(len)
    }
}
