//! The aarch64 backend: 128-bit vectors of NEON, with dot products by widening multiplications, by
//! SDOT or by USDOT.
//!
//! Differences from the other backends:
//! * Without the extension I8MM, multiplications of bytes take two signed or two unsigned operands.
//!   Activations of at most 127 are valid as both; greater ones need the exact dot product, which
//!   costs more ([`Simd::DOT_LIMIT`]).
//! * Narrowing keeps the order of the vectors, and sums of neighbouring lanes are instructions.
//! * The doubling high half (SQDMULH) is one instruction, the plain one three:
//!   [`Simd::mul_high_shl_i16`] shifts by one bit less.
//! * There is no instruction that collects a mask of lanes: it is the sum of one bit per lane.
//!
//! The intrinsics of SDOT and USDOT are not stable, so these instructions are inline assembly.
#![expect(
    unsafe_code,
    reason = "intrinsics and instructions of processor features; a token proves that they exist"
)]

mod bitboard;
mod float;

use core::arch::aarch64::*;
use core::arch::asm;
use core::marker::PhantomData;

use super::intrinsics::{call, intrinsics};
use super::sealed::Token;
use super::set_bits::SetBits;
use super::{Level, Simd, Vector};

/// The token of [`Level::Neon`] or, with another `D`, of [`Level::NeonDotprod`] or [`Level::NeonI8mm`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Neon<D = Widening>(PhantomData<D>);

/// The token of [`Level::NeonDotprod`].
pub(super) type NeonDotprod = Neon<Sdot>;

/// The token of [`Level::NeonI8mm`].
pub(super) type NeonI8mm = Neon<Usdot>;

impl<D> Neon<D> {
    /// # Safety
    ///
    /// The processor has the features of [`Level::Neon`] or, with another `D`, of the level of that
    /// `D`.
    #[inline(always)]
    pub(super) unsafe fn assume() -> Self {
        Self(PhantomData)
    }

    #[inline(always)]
    fn signed(self, a: uint8x16_t) -> int8x16_t {
        call!(vreinterpretq_s8_u8, a)
    }

    #[inline(always)]
    fn low_half(self, a: int8x16_t) -> int8x8_t {
        call!(vget_low_s8, a)
    }
}

// SAFETY: 16 bytes of integers, aligned to 16, every bit pattern valid.
unsafe impl Vector for uint8x16_t {}
// SAFETY: as above.
unsafe impl Vector for int16x8_t {}
// SAFETY: as above.
unsafe impl Vector for int32x4_t {}
// SAFETY: 8 bytes of integers, aligned to 8, every bit pattern valid.
unsafe impl Vector for int8x8_t {}
// SAFETY: as above.
unsafe impl Vector for uint16x4_t {}

/// The dot products of a level.
pub(super) trait Dot: Copy + Send + Sync + 'static {
    const LEVEL: Level;
    const CHAINS: usize;
    const IS_EXACT: bool = false;
    const LIMIT: u8 = 127;
    fn dot(simd: Neon<Self>, acc: int32x4_t, u: uint8x16_t, w: uint8x16_t) -> int32x4_t;
    fn dot_exact(simd: Neon<Self>, acc: int32x4_t, u: uint8x16_t, w: uint8x16_t) -> int32x4_t;

    #[inline(always)]
    fn dot2(simd: Neon<Self>, acc: int32x4_t, u: [uint8x16_t; 2], w: [uint8x16_t; 2]) -> int32x4_t {
        Self::dot(simd, Self::dot(simd, acc, u[0], w[0]), u[1], w[1])
    }
}

/// Products in 16 bits, added in pairs, then accumulated in pairs in 32 bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Widening;

impl Dot for Widening {
    const LEVEL: Level = Level::Neon;
    const CHAINS: usize = 4;

    #[inline(always)]
    fn dot(simd: Neon<Self>, acc: int32x4_t, u: uint8x16_t, w: uint8x16_t) -> int32x4_t {
        let (u, w) = (simd.signed(u), simd.signed(w));
        let low = call!(vmull_s8, simd.low_half(u), simd.low_half(w));
        let high = call!(vmull_high_s8, u, w);
        let pairs = call!(vpaddq_s16, low, high);
        call!(vpadalq_s16, acc, pairs)
    }

    /// A product fits in 16 bits, but the sum of two may not.
    #[inline(always)]
    fn dot_exact(simd: Neon<Self>, acc: int32x4_t, u: uint8x16_t, w: uint8x16_t) -> int32x4_t {
        let (low_u, w) = (call!(vget_low_u8, u), simd.signed(w));
        let (low_u, low_w) = (call!(vmovl_u8, low_u), call!(vmovl_s8, simd.low_half(w)));
        let (high_u, high_w) = (call!(vmovl_high_u8, u), call!(vmovl_high_s8, w));
        let low = simd.mul_low_i16(call!(vreinterpretq_s16_u16, low_u), low_w);
        let high = simd.mul_low_i16(call!(vreinterpretq_s16_u16, high_u), high_w);
        let (low, high) = (call!(vpaddlq_s16, low), call!(vpaddlq_s16, high));
        simd.add_i32(acc, call!(vpaddq_s32, low, high))
    }

    /// Two products of at most 127 * 128 fit in 16 bits, so the products of the second vector are
    /// accumulated onto those of the first.
    #[inline(always)]
    fn dot2(simd: Neon<Self>, acc: int32x4_t, u: [uint8x16_t; 2], w: [uint8x16_t; 2]) -> int32x4_t {
        let (u0, w0, u1, w1) = (
            simd.signed(u[0]),
            simd.signed(w[0]),
            simd.signed(u[1]),
            simd.signed(w[1]),
        );
        let low = call!(vmull_s8, simd.low_half(u0), simd.low_half(w0));
        let low = call!(vmlal_s8, low, simd.low_half(u1), simd.low_half(w1));
        let high = call!(vmull_high_s8, u0, w0);
        let high = call!(vmlal_high_s8, high, u1, w1);
        let pairs = call!(vpaddq_s16, low, high);
        call!(vpadalq_s16, acc, pairs)
    }
}

/// An instruction that multiplies two vectors of bytes and adds the products, four at a time, to a
/// vector of sums. The macro names the extension, because the assembler also sees copies of the
/// methods that are not inlined into a function of the level.
macro_rules! accumulate {
    ($extension:literal $instruction:literal, $acc:expr, $u:expr, $w:expr) => {{
        let mut acc: int32x4_t = $acc;
        // SAFETY: there is a token of a level with this instruction, which reads and writes only
        // these registers.
        unsafe {
            asm!(
                concat!(".arch_extension ", $extension),
                concat!($instruction, " {acc:v}.4s, {u:v}.16b, {w:v}.16b"),
                acc = inout(vreg) acc, u = in(vreg) $u, w = in(vreg) $w,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        acc
    }};
}

/// SDOT: one instruction adds groups of four products of signed bytes in 32 bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sdot;

impl Dot for Sdot {
    const LEVEL: Level = Level::NeonDotprod;
    const CHAINS: usize = 8;

    #[inline(always)]
    fn dot(_: Neon<Self>, acc: int32x4_t, u: uint8x16_t, w: uint8x16_t) -> int32x4_t {
        accumulate!("dotprod" "sdot", acc, u, w)
    }

    /// `u * w = (u - 128) * w - (-128) * w`, and `u - 128`, as i8, is `u` with its highest bit flipped.
    #[inline(always)]
    fn dot_exact(simd: Neon<Self>, acc: int32x4_t, u: uint8x16_t, w: uint8x16_t) -> int32x4_t {
        let middle = simd.splat_u8(128);
        let sums = Self::dot(simd, acc, call!(veorq_u8, u, middle), w);
        let excess = Self::dot(simd, simd.zero_i32(), middle, w);
        call!(vsubq_s32, sums, excess)
    }
}

/// USDOT: one instruction adds groups of four products of an unsigned and a signed byte in 32 bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Usdot;

impl Dot for Usdot {
    const LEVEL: Level = Level::NeonI8mm;
    const CHAINS: usize = 8;
    const IS_EXACT: bool = true;
    const LIMIT: u8 = u8::MAX;

    #[inline(always)]
    fn dot(_: Neon<Self>, acc: int32x4_t, u: uint8x16_t, w: uint8x16_t) -> int32x4_t {
        accumulate!("i8mm" "usdot", acc, u, w)
    }

    #[inline(always)]
    fn dot_exact(simd: Neon<Self>, acc: int32x4_t, u: uint8x16_t, w: uint8x16_t) -> int32x4_t {
        Self::dot(simd, acc, u, w)
    }
}

impl<D: Dot> Token for Neon<D> {}

impl<D: Dot> Simd for Neon<D> {
    type U8 = uint8x16_t;
    type I16 = int16x8_t;
    type I32 = int32x4_t;
    type I8 = int8x8_t;
    type Blocks = uint16x4_t;
    type Narrow = Self;

    const LEVEL: Level = D::LEVEL;
    const BYTES: usize = 16;
    const TILE: usize = 16;
    const PAIR_TILE: usize = 8;
    const CHAINS: usize = D::CHAINS;
    const DOT_IS_EXACT: bool = D::IS_EXACT;
    const DOT_LIMIT: u8 = D::LIMIT;
    const PACK_ORDER: &'static [usize] = &[0, 1];

    intrinsics! {
        widen_i8(a: I8) -> I16 = vmovl_s8;
        add_i16(a: I16, b: I16) -> I16 = vaddq_s16;
        sub_i16(a: I16, b: I16) -> I16 = vsubq_s16;
        min_i16(a: I16, b: I16) -> I16 = vminq_s16;
        max_i16(a: I16, b: I16) -> I16 = vmaxq_s16;
        mul_low_i16(a: I16, b: I16) -> I16 = vmulq_s16;
        min_u8(a: U8, b: U8) -> U8 = vminq_u8;
        add_i32(a: I32, b: I32) -> I32 = vaddq_s32;
        min_i32(a: I32, b: I32) -> I32 = vminq_s32;
        max_i32(a: I32, b: I32) -> I32 = vmaxq_s32;
        mul_low_i32(a: I32, b: I32) -> I32 = vmulq_s32;
        add_blocks(a: Blocks, b: Blocks) -> Blocks = vadd_u16;
    }

    #[inline(always)]
    fn narrow(self) -> Self {
        self
    }

    #[inline(always)]
    fn zero_i32(self) -> Self::I32 {
        self.splat_i32(0)
    }

    #[inline(always)]
    fn splat_i16(self, x: i16) -> Self::I16 {
        call!(vdupq_n_s16, x)
    }

    #[inline(always)]
    fn splat_i16x2(self, [even, odd]: [i16; 2]) -> Self::I16 {
        let both = self.splat_i32(i32::from(odd) << 16 | i32::from(even.cast_unsigned()));
        call!(vreinterpretq_s16_s32, both)
    }

    #[inline(always)]
    fn splat_i32(self, x: i32) -> Self::I32 {
        call!(vdupq_n_s32, x)
    }

    #[inline(always)]
    fn splat_u8(self, x: u8) -> Self::U8 {
        call!(vdupq_n_u8, x)
    }

    #[inline(always)]
    fn splat_u8x4(self, x: u32) -> Self::U8 {
        let words = call!(vdupq_n_u32, x);
        call!(vreinterpretq_u8_u32, words)
    }

    #[inline(always)]
    fn shl_i16(self, a: Self::I16, n: u32) -> Self::I16 {
        let n = self.splat_i16(n as i16);
        call!(vshlq_s16, a, n)
    }

    #[inline(always)]
    fn shr_u16(self, a: Self::I16, n: u32) -> Self::I16 {
        let (a, n) = (call!(vreinterpretq_u16_s16, a), self.splat_i16(-(n as i16)));
        let shifted = call!(vshlq_u16, a, n);
        call!(vreinterpretq_s16_u16, shifted)
    }

    #[inline(always)]
    fn shr_i32(self, a: Self::I32, n: u32) -> Self::I32 {
        let n = self.splat_i32(-n.cast_signed());
        call!(vshlq_s32, a, n)
    }

    #[inline(always)]
    fn mul_high_i16(self, a: Self::I16, b: Self::I16) -> Self::I16 {
        let (low_a, low_b) = (call!(vget_low_s16, a), call!(vget_low_s16, b));
        let (low, high) = (call!(vmull_s16, low_a, low_b), call!(vmull_high_s16, a, b));
        let (low, high) = (
            call!(vreinterpretq_s16_s32, low),
            call!(vreinterpretq_s16_s32, high),
        );
        call!(vuzp2q_s16, low, high)
    }

    /// The doubling high half saturates only for -32768 * -32768, and `a` is not negative.
    #[inline(always)]
    fn mul_high_shl_i16(self, a: Self::I16, n: u32, b: Self::I16) -> Self::I16 {
        match n {
            0 => self.mul_high_i16(a, b),
            _ => {
                let a = self.shl_i16(a, n - 1);
                call!(vqdmulhq_s16, a, b)
            }
        }
    }

    #[inline(always)]
    fn narrow_i16_u8(self, a: Self::I16, b: Self::I16) -> Self::U8 {
        let low = call!(vqmovun_s16, a);
        call!(vqmovun_high_s16, low, b)
    }

    #[inline(always)]
    fn narrow_i32_u8<const PARTS: usize>(self, parts: [Self::I32; 4]) -> Self::U8 {
        let zero = self.zero_i32();
        let part = |i: usize| if i < PARTS { parts[i] } else { zero };
        let (low, high) = (call!(vqmovn_s32, part(0)), call!(vqmovn_s32, part(2)));
        let (low, high) = (
            call!(vqmovn_high_s32, low, part(1)),
            call!(vqmovn_high_s32, high, part(3)),
        );
        let packed = call!(vqmovn_s16, low);
        let packed = call!(vqmovn_high_s16, packed, high);
        let zero = call!(vreinterpretq_s8_s32, zero);
        let clamped = call!(vmaxq_s8, packed, zero);
        call!(vreinterpretq_u8_s8, clamped)
    }

    #[inline(always)]
    fn dot_i16(self, a: Self::I16, b: Self::I16) -> Self::I32 {
        let (low_a, low_b) = (call!(vget_low_s16, a), call!(vget_low_s16, b));
        let (low, high) = (call!(vmull_s16, low_a, low_b), call!(vmull_high_s16, a, b));
        call!(vpaddq_s32, low, high)
    }

    #[inline(always)]
    fn zip_u8(self, a: Self::U8, b: Self::U8) -> [Self::U8; 2] {
        [call!(vzip1q_u8, a, b), call!(vzip2q_u8, a, b)]
    }

    #[inline(always)]
    fn zip_u16(self, a: Self::U8, b: Self::U8) -> [Self::U8; 2] {
        let (a, b) = (
            call!(vreinterpretq_u16_u8, a),
            call!(vreinterpretq_u16_u8, b),
        );
        let (first, last) = (call!(vzip1q_u16, a, b), call!(vzip2q_u16, a, b));
        [
            call!(vreinterpretq_u8_u16, first),
            call!(vreinterpretq_u8_u16, last),
        ]
    }

    #[inline(always)]
    fn zip_i16(self, a: Self::I16, b: Self::I16) -> [Self::I16; 2] {
        [call!(vzip1q_s16, a, b), call!(vzip2q_s16, a, b)]
    }

    #[inline(always)]
    fn reduce_i32(self, a: Self::I32) -> i32 {
        call!(vaddvq_s32, a)
    }

    #[inline(always)]
    fn reduce_each_i32(self, rows: [Self::I32; 16]) -> Self::I32 {
        let [a, b, c, d, ..] = rows;
        let (ab, cd) = (call!(vpaddq_s32, a, b), call!(vpaddq_s32, c, d));
        call!(vpaddq_s32, ab, cd)
    }

    #[inline(always)]
    fn dot_u8i8(self, acc: Self::I32, u: Self::U8, w: Self::U8) -> Self::I32 {
        D::dot(self, acc, u, w)
    }

    #[inline(always)]
    fn dot_exact_u8i8(self, acc: Self::I32, u: Self::U8, w: Self::U8) -> Self::I32 {
        D::dot_exact(self, acc, u, w)
    }

    #[inline(always)]
    fn dot2_u8i8(self, acc: Self::I32, u: [Self::U8; 2], w: [Self::U8; 2]) -> Self::I32 {
        D::dot2(self, acc, u, w)
    }

    #[inline(always)]
    fn positive_i16(self, a: Self::I16) -> u32 {
        const BITS: [u16; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
        // SAFETY: reads eight values, the length of `BITS`.
        let bits = unsafe { vld1q_u16(BITS.as_ptr()) };
        let positive = call!(vcgtzq_s16, a);
        let bits = call!(vandq_u16, positive, bits);
        call!(vaddvq_u16, bits).into()
    }

    #[inline(always)]
    fn positive_i32(self, a: Self::I32) -> u32 {
        const BITS: [u32; 4] = [1, 2, 4, 8];
        // SAFETY: reads four values, the length of `BITS`.
        let bits = unsafe { vld1q_u32(BITS.as_ptr()) };
        let positive = call!(vcgtzq_s32, a);
        let bits = call!(vandq_u32, positive, bits);
        call!(vaddvq_u32, bits)
    }

    #[inline(always)]
    fn add_differing_u8(self, counts: Self::U8, a: Self::U8, b: Self::U8) -> Self::U8 {
        let bits = call!(veorq_u8, a, b);
        let differing = call!(vcntq_u8, bits);
        call!(vaddq_u8, counts, differing)
    }

    #[inline(always)]
    fn splat_blocks(self, x: u16) -> Self::Blocks {
        call!(vdup_n_u16, x)
    }

    #[inline(always)]
    fn nonzero_blocks(self, a: Self::U8, first: Self::Blocks) -> (Self::Blocks, usize) {
        let blocks = call!(vreinterpretq_u32_u8, a);
        let nonzero = call!(vtstq_u32, blocks, blocks);
        // One bit per lane, at the lane's index.
        let nonzero = call!(vmovn_u32, nonzero);
        let bits = call!(vcreate_u16, 0x0008_0004_0002_0001);
        let mask = call!(vand_u16, nonzero, bits);
        let set = SetBits::of_four(call!(vaddv_u16, mask).into());
        (
            self.add_blocks(call!(vcreate_u16, set.numbers), first),
            set.count,
        )
    }
}
