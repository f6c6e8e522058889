//! Pools: combine pairs of values.
//!
//! ```text
//!   values of layers       out[j] = f(x[FIRST + STRIDE * j], y[SECOND + STRIDE * j])
//!
//!                          halves of n values        FIRST = 0, SECOND = n/2, STRIDE = 1
//!                          neighbours                FIRST = 0, SECOND = 1,   STRIDE = 2
//!                          two values                x and y are two buffers, STRIDE = 1
//!
//!   accumulators           out[j] = f(clamp(a[j], 0, ONE), clamp(a[j + W/2], 0, ONE))
//!                          out[j] = f(clamp(a[2j], 0, ONE), clamp(a[2j + 1], 0, ONE))
//!
//!   f of bytes             add: min(x + y, 127)    average: (x + y + 1) >> 1    maximum: max(x, y)       product: (x * y) >> 7
//!   f of floats            x + y                   (x + y) * 0.5                x > y ? x : y            x * y
//! ```
//!
//! There are few values of layers: plain loops of constant length, which the compiler vectorises.
//! Accumulators are activated and listed in one pass, as in `activation`. Halves are packed from
//! i16, in the order of the level. Neighbours are the two halves of an i32, so their results are
//! packed from i32, which keeps their order (`value_order`).

use core::marker::PhantomData;

use nnue_spec::Pool as Known;
use nnue_spec::op::Reduce;

use super::activation::{Activation, Pass, activate};
use super::numbers::{One, Readers, Shr};
use crate::memory::{Activations, Bytes, Filler, Floats, Sparse, view};
use crate::simd::Simd;

/// Combines two values of layers.
pub trait Pool {
    /// For bytes up to 127.
    fn bytes(x: u8, y: u8) -> u8;
    /// For floats.
    fn floats(x: f32, y: f32) -> f32;
}

/// A pool of accumulators.
pub trait AccumulatorPool: Pool + Copy {
    /// Combines clamped accumulator values; the product is shifted right by `shift`.
    fn words<S: Simd>(simd: S, x: S::I32, y: S::I32, shift: u32) -> S::I32;
}

/// A pool of the halves of an accumulator. For products, use
/// [`activate_pairwise`](super::activate_pairwise).
pub trait HalvesPool: AccumulatorPool {
    /// Combines clamped accumulator values.
    fn halfwords<S: Simd>(simd: S, x: S::I16, y: S::I16) -> S::I16;
}

/// The sum.
#[derive(Clone, Copy, Debug)]
pub struct Add;

impl Pool for Add {
    #[inline(always)]
    fn bytes(x: u8, y: u8) -> u8 {
        x.wrapping_add(y).min(127)
    }

    #[inline(always)]
    fn floats(x: f32, y: f32) -> f32 {
        x + y
    }
}

/// The average; for integers rounded up.
#[derive(Clone, Copy, Debug)]
pub struct Average;

impl Pool for Average {
    #[inline(always)]
    fn bytes(x: u8, y: u8) -> u8 {
        (x.wrapping_add(y).wrapping_add(1)) >> 1
    }

    #[inline(always)]
    fn floats(x: f32, y: f32) -> f32 {
        (x + y) * 0.5
    }
}

impl AccumulatorPool for Average {
    #[inline(always)]
    fn words<S: Simd>(simd: S, x: S::I32, y: S::I32, _: u32) -> S::I32 {
        simd.shr_i32(simd.add_i32(simd.add_i32(x, y), simd.splat_i32(1)), 1)
    }
}

impl HalvesPool for Average {
    #[inline(always)]
    fn halfwords<S: Simd>(simd: S, x: S::I16, y: S::I16) -> S::I16 {
        simd.shr_u16(simd.add_i16(simd.add_i16(x, y), simd.splat_i16(1)), 1)
    }
}

/// The maximum.
#[derive(Clone, Copy, Debug)]
pub struct Maximum;

impl Pool for Maximum {
    #[inline(always)]
    fn bytes(x: u8, y: u8) -> u8 {
        x.max(y)
    }

    #[inline(always)]
    fn floats(x: f32, y: f32) -> f32 {
        if x > y { x } else { y }
    }
}

impl AccumulatorPool for Maximum {
    #[inline(always)]
    fn words<S: Simd>(simd: S, x: S::I32, y: S::I32, _: u32) -> S::I32 {
        simd.max_i32(x, y)
    }
}

impl HalvesPool for Maximum {
    #[inline(always)]
    fn halfwords<S: Simd>(simd: S, x: S::I16, y: S::I16) -> S::I16 {
        simd.max_i16(x, y)
    }
}

/// The product.
#[derive(Clone, Copy, Debug)]
pub struct Product;

impl Pool for Product {
    #[inline(always)]
    fn bytes(x: u8, y: u8) -> u8 {
        (u16::from(x).wrapping_mul(y.into()) >> 7) as u8
    }

    #[inline(always)]
    fn floats(x: f32, y: f32) -> f32 {
        x * y
    }
}

impl AccumulatorPool for Product {
    #[inline(always)]
    fn words<S: Simd>(simd: S, x: S::I32, y: S::I32, shift: u32) -> S::I32 {
        simd.shr_i32(simd.mul_low_i32(x, y), shift)
    }
}

/// Pools `LEN` pairs of bytes, each at most 127, and fills the rest with zeros.
#[inline(always)]
pub fn pool_bytes<
    P: Pool,
    const FIRST: usize,
    const SECOND: usize,
    const STRIDE: usize,
    const LEN: usize,
    const N: usize,
    const X: usize,
    const Y: usize,
>(
    x: &Bytes<X>,
    y: &Bytes<Y>,
) -> Bytes<N> {
    const { assert!(LEN <= N && FIRST + STRIDE * (LEN - 1) < X && SECOND + STRIDE * (LEN - 1) < Y) }
    let mut out = Bytes::zeroed();
    for j in 0..LEN {
        out.0[j] = P::bytes(x.0[FIRST + STRIDE * j], y.0[SECOND + STRIDE * j]);
    }
    out
}

/// Checks the sizes of `LEN` runs of `SIZE` values from `START` on, in a buffer of `X` values, with
/// `N` results.
const fn check_runs(start: usize, size: usize, len: usize, [x, n]: [usize; 2]) {
    assert!(size > 0 && size <= 1 << 20 && start + size * len <= x && len <= n);
}

/// The means of `LEN` runs of `SIZE` bytes each, `(2 * sum + size) / (2 * size)`, from byte `START`
/// on, followed by zeros.
#[inline(always)]
pub fn mean_bytes<
    const START: usize,
    const SIZE: usize,
    const LEN: usize,
    const N: usize,
    const X: usize,
>(
    x: &Bytes<X>,
) -> Bytes<N> {
    const { check_runs(START, SIZE, LEN, [X, N]) }
    let mut out = Bytes::zeroed();
    for j in 0..LEN {
        out.0[j] = mean_of_bytes(&x.0[START + SIZE * j..][..SIZE]);
    }
    out
}

/// The means of `LEN` runs of `SIZE` floats each, summed in order, from value `START` on, followed
/// by zeros.
#[inline(always)]
pub fn mean_floats<
    const START: usize,
    const SIZE: usize,
    const LEN: usize,
    const N: usize,
    const X: usize,
>(
    x: &Floats<X>,
) -> Floats<N> {
    const { check_runs(START, SIZE, LEN, [X, N]) }
    let mut out = Floats::zeroed();
    for j in 0..LEN {
        out.0[j] = mean_of_floats(&x.0[START + SIZE * j..][..SIZE]);
    }
    out
}

/// The maxima of `LEN` runs of `SIZE` bytes each, from byte `START` on, followed by zeros.
#[inline(always)]
pub fn max_bytes<
    const START: usize,
    const SIZE: usize,
    const LEN: usize,
    const N: usize,
    const X: usize,
>(
    x: &Bytes<X>,
) -> Bytes<N> {
    const { check_runs(START, SIZE, LEN, [X, N]) }
    let mut out = Bytes::zeroed();
    for j in 0..LEN {
        out.0[j] = max_of_bytes(&x.0[START + SIZE * j..][..SIZE]);
    }
    out
}

/// The maxima of `LEN` runs of `SIZE` floats each, compared in order, from value `START` on,
/// followed by zeros.
#[inline(always)]
pub fn max_floats<
    const START: usize,
    const SIZE: usize,
    const LEN: usize,
    const N: usize,
    const X: usize,
>(
    x: &Floats<X>,
) -> Floats<N> {
    const { check_runs(START, SIZE, LEN, [X, N]) }
    let mut out = Floats::zeroed();
    for j in 0..LEN {
        out.0[j] = max_of_floats(&x.0[START + SIZE * j..][..SIZE]);
    }
    out
}

/// The mean of 1 to 2^20 bytes.
#[inline(always)]
fn mean_of_bytes(values: &[u8]) -> u8 {
    let (mut sum, len) = (0_u32, values.len() as u32);
    for &value in values {
        sum += u32::from(value);
    }
    ((2 * sum + len) / (2 * len)) as u8
}

/// The mean of at least one float, summed in order.
#[inline(always)]
fn mean_of_floats(values: &[f32]) -> f32 {
    let mut sum = values[0];
    for &value in &values[1..] {
        sum += value;
    }
    sum / values.len() as f32
}

/// The greatest byte; 0 if there is none.
#[inline(always)]
fn max_of_bytes(values: &[u8]) -> u8 {
    values
        .iter()
        .fold(0, |greatest, &value| Maximum::bytes(greatest, value))
}

/// The maximum of at least one float, compared in order.
#[inline(always)]
fn max_of_floats(values: &[f32]) -> f32 {
    values[1..].iter().fold(values[0], |greatest, &value| {
        Maximum::floats(greatest, value)
    })
}

/// Selects the functions for values of layers at run time.
pub(crate) trait Pooled: Copy + 'static {
    /// The pool of two values.
    fn of_two(pool: Known) -> fn(Self, Self) -> Self;

    /// The reduction of a run of 1 to 2^20 values.
    fn of_run(reduce: Reduce) -> fn(&[Self]) -> Self;
}

/// Bytes are at most 127.
impl Pooled for u8 {
    fn of_two(pool: Known) -> fn(u8, u8) -> u8 {
        match pool {
            Known::Add => Add::bytes,
            Known::Average => Average::bytes,
            Known::Maximum => Maximum::bytes,
            Known::Product => Product::bytes,
        }
    }

    fn of_run(reduce: Reduce) -> fn(&[u8]) -> u8 {
        match reduce {
            Reduce::Mean => mean_of_bytes,
            Reduce::Maximum => max_of_bytes,
        }
    }
}

impl Pooled for f32 {
    fn of_two(pool: Known) -> fn(f32, f32) -> f32 {
        match pool {
            Known::Add => Add::floats,
            Known::Average => Average::floats,
            Known::Maximum => Maximum::floats,
            Known::Product => Product::floats,
        }
    }

    fn of_run(reduce: Reduce) -> fn(&[f32]) -> f32 {
        match reduce {
            Reduce::Mean => mean_of_floats,
            Reduce::Maximum => max_of_floats,
        }
    }
}

/// Pools `LEN` pairs of floats and fills the rest with zeros.
#[inline(always)]
pub fn pool_floats<
    P: Pool,
    const FIRST: usize,
    const SECOND: usize,
    const STRIDE: usize,
    const LEN: usize,
    const N: usize,
    const X: usize,
    const Y: usize,
>(
    x: &Floats<X>,
    y: &Floats<Y>,
) -> Floats<N> {
    const { assert!(LEN <= N && FIRST + STRIDE * (LEN - 1) < X && SECOND + STRIDE * (LEN - 1) < Y) }
    let mut out = Floats::zeroed();
    for j in 0..LEN {
        out.0[j] = P::floats(x.0[FIRST + STRIDE * j], y.0[SECOND + STRIDE * j]);
    }
    out
}

/// A pool of the two clamped halves of each perspective's accumulator. `ONE <= 127`.
#[inline(always)]
pub fn activate_halves<
    S: Simd,
    P: HalvesPool,
    const W: usize,
    const PERSPECTIVES: usize,
    const N: usize,
    const CAP: usize,
    const OUTP: usize,
    const NONZERO: usize,
    const ONE: i16,
>(
    simd: S,
    _: P,
    accumulators: [&[i16; W]; PERSPECTIVES],
    out: &mut Sparse<N, CAP, NONZERO>,
    _: One<ONE>,
    _: Readers<OUTP>,
) {
    const { assert!(0 < ONE && ONE <= 127) }
    activate::<S, _, W, PERSPECTIVES, N, CAP, OUTP, NONZERO>(
        simd,
        Halves::<P> {
            one: ONE,
            pool: PhantomData,
        },
        accumulators,
        out,
    );
}

/// `0 < one <= 127`
#[derive(Clone, Copy)]
pub(super) struct Halves<P> {
    pub(super) one: i16,
    pub(super) pool: PhantomData<P>,
}

impl<P: HalvesPool> Activation for Halves<P> {
    const INPUTS: usize = 2;

    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, a: S::I16, b: S::I16) -> S::I16 {
        let (zero, one) = (simd.splat_i16(0), simd.splat_i16(self.one));
        let a = simd.min_i16(simd.max_i16(a, zero), one);
        let b = simd.min_i16(simd.max_i16(b, zero), one);
        P::halfwords(simd, a, b)
    }
}

/// A pool of the clamped neighbours in each perspective's accumulator; the product is shifted right
/// by `SHIFT`. No result exceeds 127.
#[inline(always)]
pub fn activate_neighbours<
    S: Simd,
    P: AccumulatorPool,
    const W: usize,
    const PERSPECTIVES: usize,
    const N: usize,
    const CAP: usize,
    const OUTP: usize,
    const NONZERO: usize,
    const ONE: i16,
    const SHIFT: u32,
>(
    simd: S,
    _: P,
    accumulators: [&[i16; W]; PERSPECTIVES],
    out: &mut Sparse<N, CAP, NONZERO>,
    _: One<ONE>,
    _: Shr<SHIFT>,
    _: Readers<OUTP>,
) {
    const { assert!(0 < ONE && ONE < 1 << 12 && SHIFT <= 16) }
    let neighbours = Neighbours::<P> {
        one: ONE,
        shift: SHIFT,
        pool: PhantomData,
    };
    activate::<S, _, W, PERSPECTIVES, N, CAP, OUTP, NONZERO>(simd, neighbours, accumulators, out);
}

/// `0 < one < 2^12`, `shift <= 16`
#[derive(Clone, Copy)]
pub(super) struct Neighbours<P> {
    pub(super) one: i16,
    pub(super) shift: u32,
    pub(super) pool: PhantomData<P>,
}

impl<P: AccumulatorPool> Pass for Neighbours<P> {
    const INPUTS: usize = 2;

    #[inline(always)]
    fn append<S: Simd, const LIST: bool>(self, simd: S, accumulator: &[i16], out: &mut Filler<'_>) {
        if const { S::BYTES > 16 } && !(accumulator.len() / 2).is_multiple_of(S::BYTES) {
            return self.append::<S::Narrow, LIST>(simd.narrow(), accumulator, out);
        }
        let pairs: &[S::I32] = view(accumulator);
        out.append::<S, LIST>(
            simd,
            Results {
                simd,
                pool: self,
                pairs: pairs.as_chunks().0,
            },
        );
    }
}

/// The results for one perspective, from pairs of neighbours.
struct Results<'a, S: Simd, P> {
    simd: S,
    pool: P,
    pairs: &'a [[S::I32; 4]],
}

impl<S: Simd, P: AccumulatorPool> Activations<S> for Results<'_, S, Neighbours<P>> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.pairs.len()
    }

    #[inline(always)]
    fn vector(&self, index: usize) -> S::U8 {
        let (simd, [a, b, c, d]) = (self.simd, self.pairs[index]);
        let of = self.pool;
        simd.narrow_i32_u8::<4>([
            of.apply(simd, a),
            of.apply(simd, b),
            of.apply(simd, c),
            of.apply(simd, d),
        ])
    }
}

impl<P: AccumulatorPool> Neighbours<P> {
    /// One result per lane. The product moves the lower half of an i32 to the upper one, and the
    /// shift moves it back with its sign.
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, pair: S::I32) -> S::I32 {
        let (zero, one) = (simd.splat_i32(0), simd.splat_i32(self.one.into()));
        let first = simd.shr_i32(simd.mul_low_i32(pair, simd.splat_i32(1 << 16)), 16);
        let second = simd.shr_i32(pair, 16);
        let first = simd.min_i32(simd.max_i32(first, zero), one);
        let second = simd.min_i32(simd.max_i32(second, zero), one);
        P::words(simd, first, second, self.shift)
    }
}
