//! The SIMD operations that the kernels are written in, and the levels that implement them.
//!
//! Kernels are generic over a token `S: Simd`; a token is a zero-sized value that exists only where the processor has the
//! level's features (see [`dispatch`]). Everything here and in the kernels is `#[inline(always)]`, so that a whole
//! evaluation is compiled inside one `#[target_feature]` shell.
//!
//! [`Scalar`] is the specification: its arrays say what each operation means, and in debug builds it checks each
//! operation's range contract. Every other backend is tested against it bit for bit.

/// A plain vector type: any bit pattern is a value, alignment equals size (at most 64).
///
/// # Safety
///
/// Implementors are `repr(C)`/SIMD types without padding for which every bit pattern is valid, so that an aligned slice
/// of bytes may be viewed as a slice of them.
#[expect(unsafe_code, reason = "the contract of the checked casts in `memory`")]
pub unsafe trait Vector: Copy + 'static {}

/// The operations of a level. `BYTES` is the vector width; `I16`, `I32` and `U8` are the same width.
///
/// Lane order is memory order in every operation except [`Simd::narrow_i16_u8`], which packs within 128-bit parts; the
/// order that results is [`Simd::PACK_ORDER`], and the weights that read it are permuted to match when they are prepared.
pub trait Simd: Copy + 'static {
    /// u8 (and i8 weights): `BYTES` lanes
    type U8: Vector;
    /// i16: `BYTES / 2` lanes
    type I16: Vector;
    /// i32: `BYTES / 4` lanes
    type I32: Vector;

    /// The level that this token stands for.
    const LEVEL: Level;
    /// Bytes in a vector.
    const BYTES: usize;
    /// Registers that an i16 row tile may use (accumulators only).
    const TILE: usize;
    /// `PACK_ORDER[i]` is the index of the 8-byte group of `narrow_i16_u8(a, b)`'s ideal, in-order result that stands at
    /// group `i` of the actual result. `BYTES / 8` groups.
    const PACK_ORDER: &'static [usize];

    /// all lanes zero
    fn zero_i16(self) -> Self::I16;
    /// all lanes zero
    fn zero_i32(self) -> Self::I32;
    /// all lanes `x`
    fn splat_i16(self, x: i16) -> Self::I16;
    /// all lanes `x`
    fn splat_i32(self, x: i32) -> Self::I32;
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
    /// shift left by `N` bits, bits lost at the top
    fn shl_i16<const N: i32>(self, a: Self::I16) -> Self::I16;
    /// `(a * b) >> 16` of the signed 32-bit product
    fn mul_high_i16(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// clamps each lane to 0..=255 and packs `a` then `b`, in [`Self::PACK_ORDER`]
    fn narrow_i16_u8(self, a: Self::I16, b: Self::I16) -> Self::U8;

    /// wrapping sum
    fn add_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// wrapping difference
    fn sub_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// arithmetic shift right by `N`
    fn shr_i32<const N: i32>(self, a: Self::I32) -> Self::I32;
    /// `min(127, (y * y) >> N)` per lane with the product in 64 bits
    fn square_shr_i32<const N: i32>(self, y: Self::I32) -> Self::I32;
    /// clamps each lane of four vectors to 0..=127 and packs them in order
    fn narrow_i32_u8(self, parts: [Self::I32; 4]) -> Self::U8;
    /// wrapping sum of all lanes
    fn reduce_i32(self, a: Self::I32) -> i32;

    /// `acc[i] + sum over k < 4 of u[4i + k] * w[4i + k]`, u unsigned, w signed.
    ///
    /// Contract: `u[2i] * w[2i] + u[2i + 1] * w[2i + 1]` fits in i16 for every i. It always does for u <= 127.
    fn dot_u8i8(self, acc: Self::I32, u: Self::U8, w: Self::U8) -> Self::I32;
    /// As [`Self::dot_u8i8`] without the contract.
    fn dot_u8i8_exact(self, acc: Self::I32, u: Self::U8, w: Self::U8) -> Self::I32;
    /// `dot_u8i8(dot_u8i8(acc, u0, w0), u1, w1)`.
    ///
    /// Contract: for every i the four products of the pairs at 2i and 2i + 1 of both operands together fit in i16.
    fn dot2_u8i8(self, acc: Self::I32, u0: Self::U8, w0: Self::U8, u1: Self::U8, w1: Self::U8) -> Self::I32;

    /// Bit i is set if the i-th group of four bytes is not all zero. `BYTES / 4` bits.
    fn nonzero_mask(self, a: Self::U8) -> u32;
    /// Writes `base + i` for each set bit i of `nonzero_mask(a)` in ascending order to `out[at..]` and returns the new
    /// end. May write up to 16 further entries of garbage behind it.
    ///
    /// # Panics
    ///
    /// If `out` is shorter than `at + 16`.
    fn nonzero_blocks(self, a: Self::U8, base: u32, out: &mut [u32], at: usize) -> usize;
}
