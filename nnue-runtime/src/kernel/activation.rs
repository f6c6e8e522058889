//! Activates accumulators and lists the nonzero blocks of four activations, in one pass.
//!
//! ```text
//!   crelu:      x[j] = clamp(a[j], 0, ONE)
//!   sqr_crelu:  x[j] = clamp(a[j], 0, ONE)^2 >> SHIFT
//!   pairwise:   x[j] = (clamp(a[j], 0, ONE) * clamp(a[j + W/2], 0, ONE)) >> SHIFT        j < W/2
//!   quantmoid4: x[j] = a[j] > 0 ? 126 - q : q,  q = (127 - min(|a[j]|, 127))^2 >> 8
//!   own:        x[j] = min(f(a[j]), MAX)                                                 f of the program
//!   pools:      see `pool`
//!
//!   for each perspective, the side to move first:
//!       for each two vectors a, b of i16 results:
//!           v = narrow(a, b)                                 one vector of u8
//!           append v, and the indices of its non-zero blocks
//! ```
//!
//! Layout: one run of values for each perspective, of `H = W` or `W/2` values. Within a run, the
//! 8-byte groups of each vector have the order of the level's pack instruction
//! ([`Simd::PACK_ORDER`]); the weights that read the buffer are permuted to match (`layer.rs`).
//!
//! ```text
//!   | run of the side to move: H bytes        | run of the other side: H bytes          | zeros to N |
//!   | vector 0 | vector 1 | ..                |
//!   | g0 g4 g1 g5 g2 g6 g3 g7 |                 groups of 8 values, AVX-512
//! ```
//!
//! Techniques, by how much they save:
//! * The products are exact for any i16 accumulators with few instructions, see `product` below.
//! * The result is written into a buffer of the caller. A result returned by value would be copied:
//!   kilobytes.
//! * No blocks are listed if no layer reads a list ([`crate::form`]). `OUTP`, the most sums of a
//!   sparse layer that reads the buffer, decides it.
//! * Indices are appended in whole vectors, and nothing is zeroed first ([`Sparse`]).
//! * The pass is compiled into each forward pass. As a function that networks share it would slow
//!   the forward pass of SFNNv5 down by 5 % on AVX2, and sparse layers in such functions by another
//!   5 %. The command, which has 20 networks, would compile in 45 instead of 57 s.
//! * A run that is not a whole number of vectors is processed with narrower vectors
//!   ([`Simd::Narrow`]). There are no tails: 128-bit vectors always fit, because W is a multiple of
//!   32.
//!
//! Tried on a Zen 5, SFNNv9: clamping and multiplying bytes (`packsswb`, then `pmaddubsw` of the
//! even and of the odd ones) takes 12 instead of 13 instructions per vector. It is 10 % faster on
//! AVX2 and not faster on AVX-512, which does not justify a separate operation. The cost of the
//! list is its stores, which cross cache lines: 32-bit instead of 16-bit indices take 10 to 60 ns
//! more, most if list, activations and accumulators evict each other from the L1 cache.
//! Accumulators in L1 take 42 ns without and 56 ns with a list, in L2 60 to 90 ns (2 cycles per
//! line, or 1.3 if the prefetcher is right). No difference: `vpcompressw` of 32 indices at once
//! (VBMI2), masks first and the list in a second loop, loops unrolled 2 to 24 times, prefetching 4
//! to 16 lines ahead, other orders of reading the halves.

use super::numbers::{Most, One, Readers, Shr};
use crate::activation;
use crate::form::is_listed;
use crate::memory::{Activations, Filler, Sparse, view};
use crate::simd::Simd;

/// `clamp(a[j], 0, ONE)` of each perspective's accumulator. `ONE <= 255`.
#[inline(always)]
pub fn activate_crelu<
    S: Simd,
    const W: usize,
    const PERSPECTIVES: usize,
    const N: usize,
    const CAP: usize,
    const OUTP: usize,
    const NONZERO: usize,
    const ONE: i16,
>(
    simd: S,
    accumulators: [&[i16; W]; PERSPECTIVES],
    out: &mut Sparse<N, CAP, NONZERO>,
    one: One<ONE>,
    readers: Readers<OUTP>,
) {
    activate_crelu_shifted(simd, accumulators, out, one, Shr::<0>, readers);
}

/// `clamp(a[j], 0, ONE) >> SHIFT` of each perspective's accumulator. `ONE >> SHIFT <= 255`,
/// `SHIFT <= 15`.
#[inline(always)]
pub fn activate_crelu_shifted<
    S: Simd,
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
    accumulators: [&[i16; W]; PERSPECTIVES],
    out: &mut Sparse<N, CAP, NONZERO>,
    _: One<ONE>,
    _: Shr<SHIFT>,
    _: Readers<OUTP>,
) {
    const { assert!(0 < ONE && SHIFT <= 15 && ONE >> SHIFT <= 255) }
    activate::<S, _, W, PERSPECTIVES, N, CAP, OUTP, NONZERO>(
        simd,
        Crelu {
            one: ONE,
            shift: SHIFT,
        },
        accumulators,
        out,
    );
}

/// `clamp(a[j], 0, ONE)^2 >> SHIFT` of each perspective's accumulator. `ONE^2 >> SHIFT <= 255`,
/// `SHIFT <= 16`.
#[inline(always)]
pub fn activate_sqr_crelu<
    S: Simd,
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
    accumulators: [&[i16; W]; PERSPECTIVES],
    out: &mut Sparse<N, CAP, NONZERO>,
    _: One<ONE>,
    _: Shr<SHIFT>,
    _: Readers<OUTP>,
) {
    const { assert!(Factors::new(ONE, SHIFT).fit()) }
    let activation = SqrCrelu(Factors::new(ONE, SHIFT));
    activate::<S, _, W, PERSPECTIVES, N, CAP, OUTP, NONZERO>(simd, activation, accumulators, out);
}

/// `(clamp(a[j], 0, ONE) * clamp(a[j + W/2], 0, ONE)) >> SHIFT` of each perspective's accumulator.
/// `ONE^2 >> SHIFT <= 255`, `SHIFT <= 16`.
#[inline(always)]
pub fn activate_pairwise<
    S: Simd,
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
    accumulators: [&[i16; W]; PERSPECTIVES],
    out: &mut Sparse<N, CAP, NONZERO>,
    _: One<ONE>,
    _: Shr<SHIFT>,
    _: Readers<OUTP>,
) {
    const { assert!(Factors::new(ONE, SHIFT).fit()) }
    let activation = Pairwise(Factors::new(ONE, SHIFT));
    activate::<S, _, W, PERSPECTIVES, N, CAP, OUTP, NONZERO>(simd, activation, accumulators, out);
}

/// `a[j] > 0 ? 126 - q : q`, `q = (127 - min(|a[j]|, 127))^2 >> 8`, of each perspective's
/// accumulator. `ONE = 127`.
#[inline(always)]
pub fn activate_quantmoid4<
    S: Simd,
    const W: usize,
    const PERSPECTIVES: usize,
    const N: usize,
    const CAP: usize,
    const OUTP: usize,
    const NONZERO: usize,
    const ONE: i16,
>(
    simd: S,
    accumulators: [&[i16; W]; PERSPECTIVES],
    out: &mut Sparse<N, CAP, NONZERO>,
    _: One<ONE>,
    _: Readers<OUTP>,
) {
    const { assert!(ONE == 127) }
    activate::<S, _, W, PERSPECTIVES, N, CAP, OUTP, NONZERO>(simd, Quantmoid4, accumulators, out);
}

/// `min(f(a[j]), MAX)` of each perspective's accumulator, with a user-defined `f`.
/// `1 <= MAX <= 127`.
#[inline(always)]
pub fn activate_custom<
    S: Simd,
    A: activation::Activation<i16>,
    const W: usize,
    const PERSPECTIVES: usize,
    const N: usize,
    const CAP: usize,
    const OUTP: usize,
    const NONZERO: usize,
    const MAX: u8,
>(
    simd: S,
    own: A,
    accumulators: [&[i16; W]; PERSPECTIVES],
    out: &mut Sparse<N, CAP, NONZERO>,
    _: Most<MAX>,
    _: Readers<OUTP>,
) {
    const { assert!(1 <= MAX && MAX <= 127) }
    activate::<S, _, W, PERSPECTIVES, N, CAP, OUTP, NONZERO>(
        simd,
        Custom::<A, MAX>(own),
        accumulators,
        out,
    );
}

/// A function of accumulators: of one neuron or of the two halves. Scales and shifts are values
/// that are constant after inlining.
pub(super) trait Activation: Copy {
    /// Accumulator values per result.
    const INPUTS: usize;
    /// The greatest result, if packing to u8 does not limit it.
    #[inline(always)]
    fn limit(self) -> Option<u8> {
        None
    }
    /// A vector of results, as i16; negative results count as 0. `a` and `b` are the vectors of the
    /// first and of the last input of each result.
    fn apply<S: Simd>(self, simd: S, a: S::I16, b: S::I16) -> S::I16;
}

/// `0 < one >> shift <= 255`
#[derive(Clone, Copy)]
pub(super) struct Crelu {
    pub(super) one: i16,
    pub(super) shift: u32,
}

impl Activation for Crelu {
    const INPUTS: usize = 1;

    #[inline(always)]
    fn limit(self) -> Option<u8> {
        let greatest = self.one >> self.shift;
        if greatest < 255 {
            Some(greatest as u8)
        } else {
            None
        }
    }

    /// Shifted before the upper bound, which gives the same: `min(a, one) >> s = min(a >> s, one >> s)`.
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, a: S::I16, _: S::I16) -> S::I16 {
        if self.shift == 0 {
            return a;
        }
        simd.shr_u16(simd.max_i16(a, simd.splat_i16(0)), self.shift)
    }
}

#[derive(Clone, Copy)]
pub(super) struct SqrCrelu(pub(super) Factors);

impl Activation for SqrCrelu {
    const INPUTS: usize = 1;

    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, a: S::I16, b: S::I16) -> S::I16 {
        self.0.product(simd, a, b)
    }
}

#[derive(Clone, Copy)]
pub(super) struct Pairwise(pub(super) Factors);

impl Activation for Pairwise {
    const INPUTS: usize = 2;

    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, a: S::I16, b: S::I16) -> S::I16 {
        self.0.product(simd, a, b)
    }
}

#[derive(Clone, Copy)]
pub(super) struct Quantmoid4;

impl Activation for Quantmoid4 {
    const INPUTS: usize = 1;

    /// Avoids a comparison: the half of the curve on the other side of 0 gives 63 for any `a`.
    ///
    /// ```text
    ///   (127 + min(a, 0))^2 >> 8      q where a <= 0, 63 elsewhere
    ///   (max(a, 0) - 127)^2 >> 8      q where a > 0,  63 elsewhere
    /// ```
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, a: S::I16, _: S::I16) -> S::I16 {
        let (zero, one) = (simd.splat_i16(0), simd.splat_i16(127));
        let a = simd.min_i16(simd.max_i16(a, simd.splat_i16(-127)), one);
        let below = simd.add_i16(simd.min_i16(a, zero), one);
        let above = simd.sub_i16(simd.max_i16(a, zero), one);
        let below = simd.shr_u16(simd.mul_low_i16(below, below), 8);
        let above = simd.shr_u16(simd.mul_low_i16(above, above), 8);
        simd.add_i16(simd.sub_i16(below, above), simd.splat_i16(63))
    }
}

#[derive(Clone, Copy)]
struct Custom<A, const MAX: u8>(A);

impl<A: activation::Activation<i16>, const MAX: u8> Activation for Custom<A, MAX> {
    const INPUTS: usize = 1;

    #[inline(always)]
    fn limit(self) -> Option<u8> {
        Some(MAX)
    }

    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, a: S::I16, _: S::I16) -> S::I16 {
        activation::apply(simd, self.0, a)
    }
}

/// The scale of the factors, and the right shift of their product.
#[derive(Clone, Copy, Debug)]
pub(super) struct Factors {
    one: i16,
    shift: u32,
}

impl Factors {
    #[inline(always)]
    pub(super) const fn new(one: i16, shift: u32) -> Self {
        Self { one, shift }
    }

    /// Whether products fit in bytes.
    pub(super) const fn fit(self) -> bool {
        self.one > 0 && self.shift <= 16 && (self.one as i32 * self.one as i32) >> self.shift <= 255
    }

    /// `(clamp(a, 0, one) * clamp(b, 0, one)) >> shift`, or a negative value where that is 0.
    ///
    /// The high half of a 16-bit product is a shift right by 16, so the factors are shifted left by
    /// `16 - shift` together: by `up_a` and `up_b`, as far as each stays below 2^15.
    /// * If `a` can take the whole shift (one = 255, shift = 9), `b` is not clamped below: a
    ///   negative `b` gives a negative product, which packing to u8 turns into 0.
    /// * Otherwise (or if the level has no high half), if `one^2` fits in 16 bits (one = 127, shift
    ///   = 7), the low half of the product of both clamped factors is shifted right: one
    ///   instruction less than shifting both factors.
    /// * Otherwise both are clamped and shifted.
    #[inline(always)]
    fn product<S: Simd>(self, simd: S, a: S::I16, b: S::I16) -> S::I16 {
        let Self { one: limit, shift } = self;
        let (zero, one) = (simd.splat_i16(0), simd.splat_i16(limit));
        let room = limit.leading_zeros() - 1;
        let up_a = room.min(16 - shift);
        let up_b = 16 - shift - up_a;
        let a = simd.min_i16(simd.max_i16(a, zero), one);
        let b = simd.min_i16(b, one);
        if S::HAS_MUL_HIGH && up_b == 0 {
            return simd.mul_high_shl_i16(a, up_a, b);
        }
        let b = simd.max_i16(b, zero);
        if limit <= 255 {
            simd.shr_u16(simd.mul_low_i16(a, b), shift)
        } else {
            simd.mul_high_shl_i16(a, up_a, simd.shl_i16(b, up_b))
        }
    }
}

/// The conversion of one perspective's accumulator to bytes.
pub(super) trait Pass: Copy {
    const INPUTS: usize;
    /// Appends the results, with the widest vectors that divide their number. With `LIST` it also
    /// lists their blocks.
    fn append<S: Simd, const LIST: bool>(self, simd: S, accumulator: &[i16], out: &mut Filler<'_>);
}

#[inline(always)]
pub(super) fn activate<
    S: Simd,
    A: Pass,
    const W: usize,
    const PERSPECTIVES: usize,
    const N: usize,
    const CAP: usize,
    const OUTP: usize,
    const NONZERO: usize,
>(
    simd: S,
    activation: A,
    accumulators: [&[i16; W]; PERSPECTIVES],
    out: &mut Sparse<N, CAP, NONZERO>,
) {
    const { assert!(W.is_multiple_of(32) && N == (W / A::INPUTS * PERSPECTIVES).div_ceil(64) * 64) }
    let mut out = out.filler(const { W / A::INPUTS * PERSPECTIVES });
    for accumulator in accumulators {
        if const { is_listed::<S>(N, OUTP, NONZERO) } {
            activation.append::<S, true>(simd, accumulator, &mut out);
        } else {
            activation.append::<S, false>(simd, accumulator, &mut out);
        }
    }
    out.finish(const { is_listed::<S>(N, OUTP, NONZERO) });
}

impl<A: Activation> Pass for A {
    const INPUTS: usize = A::INPUTS;

    #[inline(always)]
    fn append<S: Simd, const LIST: bool>(self, simd: S, accumulator: &[i16], out: &mut Filler<'_>) {
        if const { S::BYTES > 16 } && !(accumulator.len() / A::INPUTS).is_multiple_of(S::BYTES) {
            return Pass::append::<S::Narrow, LIST>(self, simd.narrow(), accumulator, out);
        }
        let accumulator: &[S::I16] = view(accumulator);
        let results = accumulator.len() / A::INPUTS;
        let first = accumulator[..results].as_chunks().0;
        let last = accumulator[accumulator.len() - results..].as_chunks().0;
        out.append::<S, LIST>(
            simd,
            Results {
                simd,
                activation: self,
                first,
                last,
            },
        );
    }
}

/// The results for one perspective.
struct Results<'a, S: Simd, A> {
    simd: S,
    activation: A,
    /// the first input of each result
    first: &'a [[S::I16; 2]],
    /// the last input of each result; equal to `first` if there is only one
    last: &'a [[S::I16; 2]],
}

impl<S: Simd, A: Activation> Activations<S> for Results<'_, S, A> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.first.len().min(self.last.len())
    }

    #[inline(always)]
    fn vector(&self, index: usize) -> S::U8 {
        let Self {
            simd,
            activation,
            first,
            last,
        } = self;
        let (first, last) = (first[index], last[index]);
        let even = activation.apply(*simd, first[0], last[0]);
        let odd = activation.apply(*simd, first[1], last[1]);
        let bytes = simd.narrow_i16_u8(even, odd);
        match activation.limit() {
            Some(limit) => simd.min_u8(bytes, simd.splat_u8(limit)),
            None => bytes,
        }
    }
}
