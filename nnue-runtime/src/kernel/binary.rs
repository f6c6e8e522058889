//! Binary layers: signs of their inputs, and dot products of signs.
//!
//! ```text
//!   sign_..        bit i = x[i] > 0                                       of accumulators, of sums, of bytes
//!   sign_join      parts of signs, one after the other
//!   affine_binary  y[o] = bias[o] + scale[o] * (n - 2 c[o])
//!                  c[o] = sum over words of popcount(x[word] xor weight[word][o])
//! ```
//!
//! Layout (`binary.rs`): a word has 32 inputs, and the words of neighbouring outputs are adjacent.
//! So a word of inputs is compared with as many outputs as a vector has 32-bit lanes, and no
//! horizontal sum is needed at the end.
//!
//! ```text
//!   weights[word] = | w[0][32 inputs] | w[1][32 inputs] | .. | w[OUTP-1][32 inputs] |       4 * OUTP bytes
//!   by bytes:       | w[0][8 inputs]  | w[1][8 inputs]  | .. |  four rows for a word
//! ```
//!
//! What bounds it:
//! * AVX-512 VPOPCNTDQ counts the bits of a lane in one instruction: three per vector (`vpxord` of
//!   memory, `vpopcntd`, `vpaddd`), so it is bounded by loading the weights. No level implies this
//!   feature; it is detected when the kernel runs (`dispatch_counting`).
//! * AVX2 looks up the bit counts of nibbles. Where outputs are whole vectors of bytes, weights are
//!   prepared byte by byte, and each nibble of the inputs selects a table of the number of bits in
//!   which it differs from each possible nibble: seven instructions per vector, of which two are
//!   `vpshufb`, and no xor. That is 1.36 times as fast as the xor (1024 inputs, 256 outputs); with
//!   128-bit vectors it was slower.
//! * SSE4.1, AVX-512 without VPOPCNTDQ, and other numbers of outputs, look up the bit counts of the
//!   xor: eight instructions. NEON and simd128 have an instruction that counts the bits of bytes.
//!   Byte counts fit for 31 words or bytes of inputs; then they are added to the 32-bit lanes.
//!
//! Tried on a Zen 5 at AVX2, 1024 inputs and 256 outputs, by the bits of the xor, 545 ns: four
//! vectors of outputs at once, the same; adders that combine the bits of 3, 7 or 15 words into 2, 3
//! or 4 before counting, 535, 555 and 610; the same with a carry from 8 to 8 words (Harley and
//! Seal), 550 to 630. On AVX-512 without VPOPCNTDQ 272, with it 98.

use super::unroll::unroll;
use crate::binary::{BinaryLayer, is_by_bytes};
use crate::layer::Bias;
use crate::memory::{Bytes, Signs, Sums, view, view_mut};
use crate::simd::{AvailableLevel, Simd, Task, dispatch_counting, dispatch_family};

/// The signs of accumulators, the first perspective first. `W` is a multiple of 32.
#[expect(
    clippy::needless_range_loop,
    reason = "iterators may become functions without the features of the level"
)]
#[inline(always)]
pub fn sign_accumulators<S: Simd, const W: usize, const PERSPECTIVES: usize, const WORDS: usize>(
    simd: S,
    accumulators: [&[i16; W]; PERSPECTIVES],
) -> Signs<WORDS> {
    const { assert!(W.is_multiple_of(32) && W * PERSPECTIVES == 32 * WORDS) }
    let mut out = Signs([0; WORDS]);
    for perspective in 0..PERSPECTIVES {
        set_signs_of_words(
            simd,
            accumulators[perspective],
            &mut out.0[perspective * (W / 32)..][..W / 32],
        );
    }
    out
}

/// The signs of an accumulator, one word per 32 values.
#[inline(always)]
fn set_signs_of_words<S: Simd>(simd: S, accumulator: &[i16], out: &mut [u32]) {
    let (parts, vectors): (_, &[S::I16]) = (const { 64 / S::BYTES }, view(accumulator));
    for at in 0..out.len() {
        out[at] = 0;
        for part in 0..parts {
            let bits = simd.positive_i16(vectors[at * parts + part]);
            out[at] |= bits << (part * S::BYTES / 2);
        }
    }
}

/// The signs of the first `LEN` sums of a layer.
#[inline(always)]
pub fn sign_sums<S: Simd, const N: usize, const LEN: usize, const WORDS: usize>(
    simd: S,
    sums: &Sums<N>,
) -> Signs<WORDS> {
    const { assert!(LEN <= N && WORDS == LEN.div_ceil(32)) }
    let mut out = Signs([0; WORDS]);
    set_signs_of_sums(simd, &sums.0, LEN, &mut out.0);
    out
}

/// The signs of the first `len` sums; `out` must be zero.
#[inline(always)]
fn set_signs_of_sums<S: Simd>(simd: S, sums: &[i32], len: usize, out: &mut [u32]) {
    let (lanes, vectors): (_, &[S::I32]) = (const { S::BYTES / 4 }, view(sums));
    for at in 0..len.div_ceil(lanes) {
        out[at * lanes / 32] |= simd.positive_i32(vectors[at]) << (at * lanes % 32);
    }
    out[len.div_ceil(32) - 1] &= kept(len);
}

/// The signs of the first `LEN` activated values.
#[inline(always)]
pub fn sign_bytes<S: Simd, const NB: usize, const LEN: usize, const WORDS: usize>(
    simd: S,
    bytes: &Bytes<NB>,
) -> Signs<WORDS> {
    const { assert!(LEN <= NB && WORDS == LEN.div_ceil(32)) }
    let mut out = Signs([0; WORDS]);
    set_signs_of_bytes(simd, &bytes.0, LEN, &mut out.0);
    out
}

/// The signs of the first `len` bytes; `out` must be zero.
#[expect(
    clippy::needless_range_loop,
    reason = "iterators may become functions without the features of the level"
)]
#[inline(always)]
fn set_signs_of_bytes<S: Simd>(simd: S, bytes: &[u8], len: usize, out: &mut [u32]) {
    let (vectors, words): (&[S::U8], _) = (view(bytes), len.div_ceil(32));
    for at in 0..len.div_ceil(S::BYTES) {
        let bits = simd.nonzero_u8(vectors[at]);
        let (word, bit) = (at * S::BYTES / 32, at * S::BYTES % 32);
        out[word] |= (bits as u32) << bit;
        if S::BYTES > 32 && word + 1 < words {
            out[word + 1] = (bits >> 32) as u32;
        }
    }
    out[words - 1] &= kept(len);
}

/// Values whose signs are taken.
#[derive(Clone, Copy)]
pub(crate) enum Values<'a> {
    /// accumulators, each whole words
    Accumulators(&'a [&'a [i16]]),
    Sums(&'a [i32]),
    Bytes(&'a [u8]),
}

/// The signs of the first `len` of any number of values; `out` must be zero.
pub(crate) struct SetSigns<'a> {
    pub(crate) values: Values<'a>,
    pub(crate) len: usize,
    pub(crate) out: &'a mut [u32],
}

impl Task for SetSigns<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self {
            values,
            len,
            mut out,
        } = self;
        match values {
            Values::Accumulators(accumulators) => {
                for accumulator in accumulators {
                    let (own, rest) = out.split_at_mut(accumulator.len() / 32);
                    set_signs_of_words(simd, accumulator, own);
                    out = rest;
                }
            }
            Values::Sums(sums) => set_signs_of_sums(simd, sums, len, out),
            Values::Bytes(bytes) => set_signs_of_bytes(simd, bytes, len, out),
        }
    }
}

/// The mask of the used bits in the last word of `len` values.
const fn kept(len: usize) -> u32 {
    u32::MAX >> (31 - (len + 31) % 32)
}

/// Concatenates parts of signs, each given by its words, its first value and its number of values.
///
/// # Panics
///
/// If they are more than `WORDS` words.
#[inline(always)]
pub fn sign_join<const WORDS: usize>(parts: &[(&[u32], usize, usize)]) -> Signs<WORDS> {
    let mut out = Signs([0; WORDS]);
    let mut at = 0;
    for &part in parts {
        append_signs(part, &mut out.0, &mut at);
    }
    out
}

/// Appends a part of signs at bit `at`; the bits from there on must be zero.
///
/// # Panics
///
/// If there is no room.
#[inline(always)]
pub(crate) fn append_signs(
    (words, start, len): (&[u32], usize, usize),
    out: &mut [u32],
    at: &mut usize,
) {
    for value in start..start + len {
        out[*at / 32] |= (words[value / 32] >> (value % 32) & 1) << (*at % 32);
        *at += 1;
    }
}

/// The sums of a binary layer that reads the signs `x`, in stack `stack`.
///
/// # Panics
///
/// If there is no such stack.
#[inline(always)]
pub fn affine_binary<
    S: Simd,
    const FILE_IN: usize,
    const OUT: usize,
    const STACKS: usize,
    const WORDS: usize,
    const OUTP: usize,
    B: Bias,
>(
    simd: S,
    x: &Signs<WORDS>,
    layer: &BinaryLayer<FILE_IN, OUT, STACKS, WORDS, OUTP, B>,
    stack: usize,
) -> Sums<OUTP> {
    let mut sums = Sums::zeroed();
    let (start, factor, words) = (
        layer.start(stack),
        layer.factor(stack),
        layer.words(stack).as_flattened(),
    );
    SumsOfSigns {
        x: &x.0,
        start,
        factor,
        words,
        sums: &mut sums.0,
    }
    .run(simd);
    sums
}

/// The sums of a binary layer of any size; `sums` must be zero.
pub(crate) struct SumsOfSigns<'a> {
    pub(crate) x: &'a [u32],
    /// the start values of the sums
    pub(crate) start: &'a [i32],
    /// the change of a sum for an input whose sign differs from its weight
    pub(crate) factor: &'a [i32],
    pub(crate) words: &'a [i32],
    pub(crate) sums: &'a mut [i32],
}

impl Task for SumsOfSigns<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self {
            x,
            start,
            factor,
            words,
            sums,
        } = self;
        let level = AvailableLevel::of(simd);
        if is_by_bytes::<S>(sums.len()) {
            look_up_differing(level, x, words, sums);
        } else {
            count_differing(level, x, words, sums);
        }
        let (start, factor): (&[S::I32], &[S::I32]) = (view(start), view(factor));
        let vectors: &mut [S::I32] = view_mut(sums);
        let (start, factor) = (&start[..vectors.len()], &factor[..vectors.len()]);
        for at in 0..vectors.len() {
            vectors[at] = simd.add_i32(start[at], simd.mul_low_i32(factor[at], vectors[at]));
        }
    }
}

/// Adds to `counts[o]` the number of bits in which `words` differ from the weights of output o,
/// `weights[word][o]`. Compiled once per family of levels, not for each network.
///
/// # Panics
///
/// If there are not as many weights as words times counts; if counts are not a multiple of 16; if
/// counts or weights do not start at a multiple of 64 bytes.
#[cfg_attr(not(feature = "described"), inline)]
pub(crate) fn count_differing(
    level: AvailableLevel,
    words: &[u32],
    weights: &[i32],
    counts: &mut [i32],
) {
    assert!(counts.len().is_multiple_of(16) && weights.len() == words.len() * counts.len());
    dispatch_counting(
        level,
        &mut Count {
            words,
            weights,
            counts,
        },
    );
}

pub(super) struct Count<'a> {
    pub(super) words: &'a [u32],
    pub(super) weights: &'a [i32],
    pub(super) counts: &'a mut [i32],
}

impl Task for &mut Count<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        count(simd, self.words, self.weights, view_mut(self.counts));
    }
}

/// [`count_differing`] on a level.
#[inline(always)]
pub(super) fn count<S: Simd>(simd: S, words: &[u32], weights: &[i32], counts: &mut [S::I32]) {
    let mut first = 0;
    while first + 8 <= counts.len() {
        pass::<S, 8>(simd, words, weights, counts, first);
        first += 8;
    }
    while first + 2 <= counts.len() {
        pass::<S, 2>(simd, words, weights, counts, first);
        first += 2;
    }
    if first < counts.len() {
        pass::<S, 1>(simd, words, weights, counts, first);
    }
}

/// [`count_differing`] where weights are prepared by bytes ([`is_by_bytes`]): counts are whole
/// vectors of bytes.
///
/// # Panics
///
/// As [`count_differing`].
#[cfg_attr(not(feature = "described"), inline)]
pub(crate) fn look_up_differing(
    level: AvailableLevel,
    words: &[u32],
    weights: &[i32],
    counts: &mut [i32],
) {
    assert!(counts.len().is_multiple_of(16) && weights.len() == words.len() * counts.len());
    dispatch_family(
        level,
        &mut LookUp {
            words,
            weights,
            counts,
        },
    );
}

struct LookUp<'a> {
    words: &'a [u32],
    weights: &'a [i32],
    counts: &'a mut [i32],
}

impl Task for &mut LookUp<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let LookUp {
            words,
            weights,
            counts,
        } = self;
        let counts = view_mut::<S::I32, _>(counts).as_chunks_mut::<4>().0;
        let mut first = 0;
        while first + 8 <= counts.len() {
            look_up::<S, 8>(simd, words, weights, counts, first);
            first += 8;
        }
        while first < counts.len() {
            look_up::<S, 1>(simd, words, weights, counts, first);
            first += 1;
        }
    }
}

/// `TABLES[x]`: the number of bits in which each of the sixteen nibbles differs from x, repeated
/// for the widest vector.
static TABLES: Tables = Tables::new();

#[repr(align(64))]
struct Tables([[u8; 64]; 16]);

impl Tables {
    const fn new() -> Self {
        let mut tables = [[0; 64]; 16];
        let mut at = 0;
        while at < 16 * 64 {
            tables[at / 64][at % 64] = ((at / 64) ^ (at % 16)).count_ones() as u8;
            at += 1;
        }
        Self(tables)
    }
}

/// The outputs of `V` vectors of bytes, at most eight, from vector `first` on.
#[inline(always)]
fn look_up<S: Simd, const V: usize>(
    simd: S,
    words: &[u32],
    weights: &[i32],
    counts: &mut [[S::I32; 4]],
    first: usize,
) {
    let (weights, tables): (&[S::U8], &[S::U8]) = (view(weights), view(TABLES.0.as_flattened()));
    let (stride, repeated) = (counts.len(), const { 64 / S::BYTES });
    let counts = &mut counts[first..][..V];
    let zero = simd.splat_u8(0);
    for start in (0..4 * words.len()).step_by(FITTING) {
        let mut bytes = [zero; V];
        for byte in start..(4 * words.len()).min(start + FITTING) {
            let x = (words[byte / 4] >> (byte % 4 * 8)) as usize;
            let (low, high) = (tables[x % 16 * repeated], tables[x / 16 % 16 * repeated]);
            let weights = &weights[byte * stride + first..][..V];
            unroll!(8, |K| if const { K < V } {
                bytes[K] = simd.add_looked_up_u8(bytes[K], weights[K], low, high)
            });
        }
        unroll!(8, |K| if const { K < V } {
            let [low, high] = simd.zip_u8(bytes[K], zero);
            let ([first, second], [third, fourth]) =
                (simd.zip_u16(low, zero), simd.zip_u16(high, zero));
            let parts = [first, second, third, fourth];
            unroll!(4, |P| counts[K][P] =
                sum_bytes(simd, counts[K][P], parts[P]))
        });
    }
}

/// The words whose byte counts fit in u8: at most eight bits each.
const FITTING: usize = u8::MAX as usize / 8;

/// The outputs of `V` vectors, at most eight, from vector `first` on.
#[inline(always)]
fn pass<S: Simd, const V: usize>(
    simd: S,
    words: &[u32],
    weights: &[i32],
    counts: &mut [S::I32],
    first: usize,
) {
    let stride = counts.len();
    let counts = &mut counts[first..][..V];
    let mut sums = [simd.zero_i32(); V];
    if const { S::COUNTS_WORDS } {
        let weights: &[S::I32] = view(weights);
        for word in 0..words.len() {
            let (x, weights) = (
                simd.splat_i32(words[word].cast_signed()),
                &weights[word * stride + first..][..V],
            );
            unroll!(8, |K| if const { K < V } {
                sums[K] = simd.add_differing_i32(sums[K], x, weights[K])
            });
        }
    } else {
        let weights: &[S::U8] = view(weights);
        for start in (0..words.len()).step_by(FITTING) {
            let mut bytes = [simd.splat_u8(0); V];
            for word in start..words.len().min(start + FITTING) {
                let (x, weights) = (
                    simd.splat_u8x4(words[word]),
                    &weights[word * stride + first..][..V],
                );
                unroll!(8, |K| if const { K < V } {
                    bytes[K] = simd.add_differing_u8(bytes[K], x, weights[K])
                });
            }
            unroll!(8, |K| if const { K < V } {
                sums[K] = sum_bytes(simd, sums[K], bytes[K])
            });
        }
    }
    unroll!(8, |K| if const { K < V } {
        counts[K] = simd.add_i32(counts[K], sums[K])
    });
}

/// Adds the four bytes of each lane to `sums`.
#[inline(always)]
fn sum_bytes<S: Simd>(simd: S, sums: S::I32, bytes: S::U8) -> S::I32 {
    let ones = simd.splat_u8(1);
    if const { S::DOT_LIMIT == u8::MAX } {
        simd.dot_u8i8(sums, bytes, ones)
    } else {
        simd.dot_exact_u8i8(sums, bytes, ones)
    }
}
