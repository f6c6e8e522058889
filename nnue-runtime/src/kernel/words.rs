//! Activated accumulators that stay in 16 bits, for layers that need more than the seven bits of a
//! byte.
//!
//! ```text
//!   crelu:               x[j] = clamp(a[j], 0, ONE)
//!   sqr_crelu, screlu:   x[j] = clamp(a[j], 0, ONE)^2 >> SHIFT
//!   pairwise:            x[j] = (clamp(a[j], 0, ONE) * clamp(a[j + W/2], 0, ONE)) >> SHIFT        j < W/2
//! ```
//!
//! Layout: one run of values for each perspective, in the order of the accumulators. Nothing is
//! packed, so weights stay in file order.
//!
//! ```text
//!   | run of the side to move: W or W/2 x i16 | run of the other side |
//! ```

use nnue_spec::Activation as Known;

use crate::memory::{Words, view, view_mut};
use crate::simd::{Simd, Task};

/// `clamp(a[j], 0, ONE)` of each perspective's accumulator.
#[inline(always)]
pub fn words_crelu<
    S: Simd,
    const W: usize,
    const PERSPECTIVES: usize,
    const N: usize,
    const ONE: i16,
>(
    simd: S,
    accumulators: [&[i16; W]; PERSPECTIVES],
    out: &mut Words<N>,
) {
    activate::<S, _, W, PERSPECTIVES, N>(simd, const { Clipped::new(ONE) }, accumulators, out);
}

/// `clamp(a[j], 0, ONE)^2 >> SHIFT` of each perspective's accumulator. `ONE^2 >> SHIFT <= 32767`,
/// `SHIFT <= 16`.
#[inline(always)]
pub fn words_sqr_crelu<
    S: Simd,
    const W: usize,
    const PERSPECTIVES: usize,
    const N: usize,
    const ONE: i16,
    const SHIFT: u32,
>(
    simd: S,
    accumulators: [&[i16; W]; PERSPECTIVES],
    out: &mut Words<N>,
) {
    activate::<S, _, W, PERSPECTIVES, N>(
        simd,
        Squares(const { Factors::new(ONE, SHIFT) }),
        accumulators,
        out,
    );
}

/// `(clamp(a[j], 0, ONE) * clamp(a[j + W/2], 0, ONE)) >> SHIFT` of each perspective's accumulator.
/// `ONE^2 >> SHIFT <= 32767`, `SHIFT <= 16`.
#[inline(always)]
pub fn words_pairwise<
    S: Simd,
    const W: usize,
    const PERSPECTIVES: usize,
    const N: usize,
    const ONE: i16,
    const SHIFT: u32,
>(
    simd: S,
    accumulators: [&[i16; W]; PERSPECTIVES],
    out: &mut Words<N>,
) {
    activate::<S, _, W, PERSPECTIVES, N>(
        simd,
        Products(const { Factors::new(ONE, SHIFT) }),
        accumulators,
        out,
    );
}

/// Parts of buffers, one after the other.
///
/// # Panics
///
/// If they are more than `N` values.
#[inline(always)]
pub fn words_join<const N: usize>(parts: &[&[i16]]) -> Words<N> {
    let mut out = Words::zeroed();
    let mut at = 0;
    for part in parts {
        out.0[at..at + part.len()].copy_from_slice(part);
        at += part.len();
    }
    out
}

/// A function of accumulators: of one neuron or of the two halves. Scales and shifts are values
/// that are constant after inlining.
trait Function: Copy {
    /// Accumulator values per result.
    const INPUTS: usize;
    /// The results of one vector of first inputs and one of last inputs.
    fn apply<S: Simd>(self, simd: S, a: S::I16, b: S::I16) -> S::I16;
}

#[derive(Clone, Copy)]
struct Clipped {
    one: i16,
}

impl Clipped {
    const fn new(one: i16) -> Self {
        assert!(one > 0);
        Self { one }
    }

    #[inline(always)]
    fn clamp<S: Simd>(self, simd: S, a: S::I16) -> S::I16 {
        simd.min_i16(simd.max_i16(a, simd.splat_i16(0)), simd.splat_i16(self.one))
    }
}

impl Function for Clipped {
    const INPUTS: usize = 1;

    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, a: S::I16, _: S::I16) -> S::I16 {
        self.clamp(simd, a)
    }
}

#[derive(Clone, Copy)]
struct Squares(Factors);

impl Function for Squares {
    const INPUTS: usize = 1;

    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, a: S::I16, _: S::I16) -> S::I16 {
        let a = self.0.clipped.clamp(simd, a);
        self.0.product(simd, a, a)
    }
}

#[derive(Clone, Copy)]
struct Products(Factors);

impl Function for Products {
    const INPUTS: usize = 2;

    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, a: S::I16, b: S::I16) -> S::I16 {
        let clipped = self.0.clipped;
        self.0
            .product(simd, clipped.clamp(simd, a), clipped.clamp(simd, b))
    }
}

/// Clipped factors, and the right shift of their product.
#[derive(Clone, Copy)]
struct Factors {
    clipped: Clipped,
    shift: u32,
}

impl Factors {
    /// # Panics
    ///
    /// If products do not fit.
    const fn new(one: i16, shift: u32) -> Self {
        assert!(shift <= 16 && (one as i32 * one as i32) >> shift <= i16::MAX as i32);
        Self {
            clipped: Clipped::new(one),
            shift,
        }
    }

    /// `(a * b) >> shift` of factors of `0..=one`.
    ///
    /// A 16-bit product is shifted directly. For a longer one, the two halves are shifted and
    /// joined:
    ///
    /// ```text
    ///   high = a * b >> 16      low = a * b & 0xFFFF      result = (high << 16 - shift) + (low >> shift)
    /// ```
    #[inline(always)]
    fn product<S: Simd>(self, simd: S, a: S::I16, b: S::I16) -> S::I16 {
        let Self {
            clipped: Clipped { one },
            shift,
        } = self;
        if one <= 255 && shift < 16 {
            return simd.shr_u16(simd.mul_low_i16(a, b), shift);
        }
        let high = simd.mul_high_i16(a, b);
        if shift == 16 {
            return high;
        }
        let low = simd.shr_u16(simd.mul_low_i16(a, b), shift);
        simd.add_i16(simd.shl_i16(high, 16 - shift), low)
    }
}

#[inline(always)]
fn activate<S: Simd, F: Function, const W: usize, const PERSPECTIVES: usize, const N: usize>(
    simd: S,
    function: F,
    accumulators: [&[i16; W]; PERSPECTIVES],
    out: &mut Words<N>,
) {
    const { assert!(W.is_multiple_of(32) && N == W / F::INPUTS * PERSPECTIVES) }
    let each = const { W / F::INPUTS };
    let mut start = 0;
    for accumulator in accumulators {
        append(simd, function, accumulator, &mut out.0[start..][..each]);
        start += each;
    }
}

/// The activation of accumulators of any width, scale and shift.
pub(crate) struct ActivateWords<'a> {
    pub(crate) activation: Known,
    pub(crate) one: i16,
    pub(crate) shift: u32,
    pub(crate) accumulators: &'a [&'a [i16]],
    pub(crate) out: &'a mut [i16],
}

impl Task for ActivateWords<'_> {
    type Output = ();

    /// # Panics
    ///
    /// If the activation does not turn accumulators into 16-bit values, if products do not fit, or
    /// if there is no room.
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let (one, shift) = (self.one, self.shift);
        match self.activation {
            Known::Crelu => self.all(simd, Clipped::new(one)),
            // Squares without a shift are those of `sqr_crelu >> 0`.
            Known::SqrCrelu | Known::Screlu => self.all(simd, Squares(Factors::new(one, shift))),
            Known::Pairwise => self.all(simd, Products(Factors::new(one, shift))),
            other => panic!("{other:?} is no activation of accumulators to 16 bits"),
        }
    }
}

impl ActivateWords<'_> {
    #[inline(always)]
    fn all<S: Simd, F: Function>(self, simd: S, function: F) {
        let mut out = self.out;
        for accumulator in self.accumulators {
            let (own, rest) = out.split_at_mut(accumulator.len() / F::INPUTS);
            append(simd, function, accumulator, own);
            out = rest;
        }
    }
}

/// The results of one perspective, with the widest vectors that divide their number.
#[inline(always)]
fn append<S: Simd, F: Function>(simd: S, function: F, accumulator: &[i16], out: &mut [i16]) {
    if const { S::BYTES > 16 } && !out.len().is_multiple_of(S::BYTES / 2) {
        return append(simd.narrow(), function, accumulator, out);
    }
    let (first, last) = (
        &accumulator[..out.len()],
        &accumulator[accumulator.len() - out.len()..],
    );
    let (first, last): (&[S::I16], &[S::I16]) = (view(first), view(last));
    let out: &mut [S::I16] = view_mut(out);
    for at in 0..out.len() {
        out[at] = function.apply(simd, first[at], last[at]);
    }
}
