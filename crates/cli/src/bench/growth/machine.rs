//! Measures the limits of the machine at a level: bytes read and products added per nanosecond.

use std::hint::black_box;

use nnue::AvailableLevel;
use nnue_runtime::memory::view;
use nnue_runtime::simd::{Simd, Task, dispatch};

use super::super::timer::{Timer, median};
use super::tensors::{FAR_BYTES, NEAR_BYTES, Pieces};

/// Vectors added at a time, each to its own sum, to hide latency.
const CHAINS: usize = 8;

/// A size that fits in the L1 cache.
const NEAREST_BYTES: usize = 16 << 10;

/// Bytes read, and products added, in a timed part.
const WORK: usize = 4 << 20;

#[derive(Clone, Copy, Debug)]
pub(super) struct Machine {
    /// bytes per nanosecond from the L1 cache
    pub(super) nearest: f64,
    /// bytes per nanosecond from the L2 cache
    pub(super) near: f64,
    /// bytes per nanosecond from a range larger than the caches
    pub(super) far: f64,
    /// byte products added per nanosecond, with weights in the L1 cache
    pub(super) products: f64,
}

impl Machine {
    pub(super) fn measure(
        level: AvailableLevel,
        near: &Pieces,
        far: &Pieces,
        repetitions: usize,
        timer: Timer,
    ) -> Self {
        let read = |values: &[i16], bytes: usize| {
            let times = WORK.div_ceil(bytes);
            let once = |_| {
                timer.time(|| {
                    dispatch(
                        level,
                        Read {
                            values: &values[..bytes / 2],
                            times,
                        },
                    )
                })
            };
            (times * bytes) as f64 / median(&mut (0..repetitions).map(once).collect::<Vec<_>>())
        };
        let weights = &near.values()[..NEAREST_BYTES / 2];
        let dots = |_| timer.time(|| dispatch(level, Dots { weights }));
        let products = WORK as f64 / median(&mut (0..repetitions).map(dots).collect::<Vec<_>>());
        Self {
            nearest: read(near.values(), NEAREST_BYTES),
            near: read(near.values(), NEAR_BYTES),
            far: read(far.values(), FAR_BYTES),
            products,
        }
    }
}

struct Read<'a> {
    values: &'a [i16],
    times: usize,
}

impl Task for Read<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let (chunks, _) = view::<S::I16, _>(self.values).as_chunks::<CHAINS>();
        for _ in 0..self.times {
            let mut sums = [simd.splat_i16(0); CHAINS];
            for chunk in black_box(chunks) {
                for chain in 0..CHAINS {
                    sums[chain] = simd.add_i16(sums[chain], chunk[chain]);
                }
            }
            black_box(sums);
        }
    }
}

/// Dot products of weights in the L1 cache with constant inputs.
struct Dots<'a> {
    weights: &'a [i16],
}

impl Task for Dots<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let (chunks, _) = view::<S::U8, _>(self.weights).as_chunks::<{ 2 * CHAINS }>();
        let x = black_box(simd.splat_u8(1));
        for _ in 0..WORK / NEAREST_BYTES {
            let mut sums = [simd.zero_i32(); CHAINS];
            for chunk in black_box(chunks) {
                for chain in 0..CHAINS {
                    sums[chain] = simd.dot2_u8i8(
                        sums[chain],
                        [x, x],
                        [chunk[2 * chain], chunk[2 * chain + 1]],
                    );
                }
            }
            black_box(sums);
        }
    }
}
