//! Activations of integer sums.
//!
//! ```text
//!   crelu:      x[i] = clamp(y[i] >> SHIFT, 0, 127)
//!   sqr_crelu:  x[i] = min(127, (y[i] * y[i]) >> SHIFT)      the product in 64 bits; y of either sign
//!   quantmoid4: x[i] = z > 0 ? 126 - q : q,  z = y[i] >> SHIFT,  q = (127 - min(|z|, 127))^2 >> 8
//!   own:        x[i] = min(f(y[i]), MAX)                     f of the program
//! ```
//!
//! Sixteen sums, one vector of the widest level, give 16 bytes. The buffer is at least one vector
//! of bytes of the widest level long, and is zero after the last vector of sums. `quantmoid4` and
//! user-defined functions may change the zeros that pad that vector; the weights that read them are
//! zero.
//!
//! The square saturates long before it exceeds 32 bits: for a shift up to 23, every |y| above 32767
//! gives 127, so y is first clamped to that range and 32-bit products suffice. Greater shifts (no
//! published network has one) are computed lane by lane.

use nnue_spec::Activation as Known;

use super::numbers::{Most, Shr};
use super::unroll::unroll;
use crate::activation;
use crate::memory::{Bytes, Sums, lanes_mut, view, view_mut};
use crate::simd::{Simd, Task};

/// `clamp(y >> SHIFT, 0, 127)` of each sum.
#[inline(always)]
pub fn crelu<S: Simd, const N: usize, const NB: usize, const SHIFT: u32>(
    simd: S,
    sums: &Sums<N>,
    _: Shr<SHIFT>,
) -> Bytes<NB> {
    const { assert!(SHIFT < 32) }
    activated(simd, Crelu { shift: SHIFT }, sums)
}

/// `min(127, (y * y) >> SHIFT)` of each sum, the product in 64 bits.
#[inline(always)]
pub fn sqr_crelu<S: Simd, const N: usize, const NB: usize, const SHIFT: u32>(
    simd: S,
    sums: &Sums<N>,
    _: Shr<SHIFT>,
) -> Bytes<NB> {
    const { assert!(SHIFT < 64) }
    activated(simd, SqrCrelu { shift: SHIFT }, sums)
}

/// `z > 0 ? 126 - q : q`, `z = y >> SHIFT`, `q = (127 - min(|z|, 127))^2 >> 8`, of each sum.
#[inline(always)]
pub fn quantmoid4<S: Simd, const N: usize, const NB: usize, const SHIFT: u32>(
    simd: S,
    sums: &Sums<N>,
    _: Shr<SHIFT>,
) -> Bytes<NB> {
    const { assert!(SHIFT < 32) }
    activated(simd, Quantmoid4 { shift: SHIFT }, sums)
}

/// `min(f(y), MAX)` of each sum, with a user-defined `f`. `1 <= MAX <= 127`.
#[inline(always)]
pub fn custom_sums<
    S: Simd,
    A: activation::Activation<i32>,
    const N: usize,
    const NB: usize,
    const MAX: u8,
>(
    simd: S,
    sums: &Sums<N>,
    own: A,
    _: Most<MAX>,
) -> Bytes<NB> {
    const { assert!(1 <= MAX && MAX <= 127) }
    activated(simd, Custom::<A, MAX>(own), sums)
}

/// A function of a sum, before it is clamped to 0..=127. Shifts are values that are constant after
/// inlining.
trait Activation: Copy {
    fn apply<S: Simd>(self, simd: S, y: S::I32) -> S::I32;
}

#[derive(Clone, Copy)]
struct Crelu {
    shift: u32,
}

impl Activation for Crelu {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, y: S::I32) -> S::I32 {
        simd.shr_i32(y, self.shift)
    }
}

#[derive(Clone, Copy)]
struct SqrCrelu {
    shift: u32,
}

impl Activation for SqrCrelu {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, mut y: S::I32) -> S::I32 {
        if self.shift <= 23 {
            let limit = i32::from(i16::MAX);
            let y = simd.min_i32(
                simd.max_i32(y, simd.splat_i32(-limit)),
                simd.splat_i32(limit),
            );
            return simd.shr_i32(simd.mul_low_i32(y, y), self.shift);
        }
        for y in lanes_mut::<S::I32, i32>(&mut y) {
            let square = i64::from(*y) * i64::from(*y);
            *y = (square >> self.shift).min(127) as i32;
        }
        y
    }
}

#[derive(Clone, Copy)]
struct Quantmoid4 {
    shift: u32,
}

impl Activation for Quantmoid4 {
    /// The same formula as for accumulators (`activation`). `-(z >> 8)` is `(255 - z) >> 8`, and
    /// `-(a - 127)^2` is a product with the negative.
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, y: S::I32) -> S::I32 {
        let splat = |x| simd.splat_i32(x);
        let z = simd.min_i32(
            simd.max_i32(simd.shr_i32(y, self.shift), splat(-127)),
            splat(127),
        );
        let below = simd.add_i32(simd.min_i32(z, splat(0)), splat(127));
        let above = simd.add_i32(simd.max_i32(z, splat(0)), splat(-127));
        let negative = simd.mul_low_i32(above, splat(-1));
        let below = simd.shr_i32(simd.mul_low_i32(below, below), 8);
        let above = simd.shr_i32(
            simd.add_i32(simd.mul_low_i32(above, negative), splat(255)),
            8,
        );
        simd.add_i32(simd.add_i32(below, above), splat(63))
    }
}

#[derive(Clone, Copy)]
struct Custom<A, const MAX: u8>(A);

impl<A: activation::Activation<i32>, const MAX: u8> Activation for Custom<A, MAX> {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, y: S::I32) -> S::I32 {
        let result = activation::apply(simd, self.0, y);
        if MAX < 127 {
            simd.min_i32(result, simd.splat_i32(MAX.into()))
        } else {
            result
        }
    }
}

#[inline(always)]
fn activated<S: Simd, A: Activation, const N: usize, const NB: usize>(
    simd: S,
    activation: A,
    sums: &Sums<N>,
) -> Bytes<NB> {
    const {
        assert!(
            NB == N.div_ceil(64) * 64,
            "a buffer is whole vectors of the widest level"
        )
    }
    let mut out = Bytes::zeroed();
    activate(simd, activation, &sums.0, &mut out.0);
    out
}

/// Fills the bytes of whole vectors of sums.
#[inline(always)]
fn activate<S: Simd, A: Activation>(simd: S, activation: A, sums: &[i32], out: &mut [u8]) {
    let sums: &[S::I32] = view(sums);
    let bytes: &mut [S::U8] = view_mut(out);
    for at in 0..sums.len().div_ceil(4) {
        let mut y = [simd.zero_i32(); 4];
        unroll!(4, |K| if 4 * at + K < sums.len() {
            y[K] = activation.apply(simd, sums[4 * at + K])
        });
        bytes[at] = match sums.len() - 4 * at {
            1 => simd.narrow_i32_u8::<1>(y),
            2 => simd.narrow_i32_u8::<2>(y),
            3 => simd.narrow_i32_u8::<3>(y),
            _ => simd.narrow_i32_u8::<4>(y),
        };
    }
}

/// Activates all sums, whole vectors of the widest level, into the bytes of a buffer.
///
/// # Panics
///
/// If the activation does not turn sums into bytes, or slices are not whole vectors.
pub(crate) struct ActivateSums<'a> {
    pub(crate) activation: Known,
    pub(crate) shift: u32,
    pub(crate) sums: &'a [i32],
    pub(crate) out: &'a mut [u8],
}

impl Task for ActivateSums<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self {
            activation,
            shift,
            sums,
            out,
        } = self;
        match activation {
            Known::Crelu => activate_any(simd, Crelu { shift }, sums, out),
            Known::SqrCrelu => activate_any(simd, SqrCrelu { shift }, sums, out),
            Known::Quantmoid4 => activate_any(simd, Quantmoid4 { shift }, sums, out),
            _ => panic!("{activation:?} is no activation of sums to bytes"),
        }
    }
}

/// [`activate`] with the usual numbers of sums as constants, which removes the loop.
#[inline(always)]
fn activate_any<S: Simd, A: Activation>(simd: S, activation: A, sums: &[i32], out: &mut [u8]) {
    if let (Ok(sums), Ok(out)) = (
        <&[i32; 16]>::try_from(sums),
        <&mut [u8; 64]>::try_from(&mut *out),
    ) {
        return activate(simd, activation, sums, out);
    }
    if let (Ok(sums), Ok(out)) = (
        <&[i32; 32]>::try_from(sums),
        <&mut [u8; 64]>::try_from(&mut *out),
    ) {
        return activate(simd, activation, sums, out);
    }
    activate(simd, activation, sums, out);
}
