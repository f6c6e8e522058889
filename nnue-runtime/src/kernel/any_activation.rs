//! Activations of accumulators whose width, scale and shift are known only at run time: one
//! function per family of levels.

use core::marker::PhantomData;

use nnue_spec::Activation as Known;

use super::activation::{Crelu, Factors, Pairwise, Pass, Quantmoid4, SqrCrelu};
use super::pool::{Average, Halves, Maximum, Neighbours, Product};
use crate::memory::Filler;
use crate::simd::{Simd, Task};

/// An activation to bytes, with its scale and shift.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AnyActivation {
    activation: Known,
    one: i16,
    shift: u32,
}

impl AnyActivation {
    /// The activation with scale `one`; `None` if it is not one of accumulators, or its results are
    /// not bytes with these numbers.
    pub(crate) fn new(activation: Known, one: i32, shift: u32) -> Option<Self> {
        let one = i16::try_from(one).ok().filter(|&one| one > 0)?;
        let gives_bytes = match activation {
            Known::Crelu => shift <= 15 && one >> shift <= 255,
            Known::SqrCrelu | Known::Pairwise => Factors::new(one, shift).fit(),
            Known::Quantmoid4 => one == 127,
            Known::AvgHalves | Known::MaxHalves => one <= 127,
            Known::AvgNeighbours | Known::MaxNeighbours | Known::MulNeighbours => {
                one < 1 << 12 && shift <= 16
            }
            _ => false,
        };
        gives_bytes.then_some(Self {
            activation,
            one,
            shift,
        })
    }
}

/// Fills a buffer with the activations of accumulators, and lists its blocks if `listed`.
///
/// # Panics
///
/// If the buffer has another length.
pub(crate) struct ActivateAny<'a> {
    pub(crate) activation: AnyActivation,
    pub(crate) accumulators: &'a [&'a [i16]],
    pub(crate) listed: bool,
    pub(crate) out: Filler<'a>,
}

impl Task for ActivateAny<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let AnyActivation {
            activation,
            one,
            shift,
        } = self.activation;
        let factors = Factors::new(one, shift);
        match activation {
            Known::Crelu => self.append(simd, Crelu { one, shift }),
            Known::SqrCrelu => self.append(simd, SqrCrelu(factors)),
            Known::Pairwise => self.append(simd, Pairwise(factors)),
            Known::Quantmoid4 => self.append(simd, Quantmoid4),
            Known::AvgHalves => self.append(
                simd,
                Halves::<Average> {
                    one,
                    pool: PhantomData,
                },
            ),
            Known::MaxHalves => self.append(
                simd,
                Halves::<Maximum> {
                    one,
                    pool: PhantomData,
                },
            ),
            Known::AvgNeighbours => self.append(
                simd,
                Neighbours::<Average> {
                    one,
                    shift,
                    pool: PhantomData,
                },
            ),
            Known::MaxNeighbours => self.append(
                simd,
                Neighbours::<Maximum> {
                    one,
                    shift,
                    pool: PhantomData,
                },
            ),
            _ => self.append(
                simd,
                Neighbours::<Product> {
                    one,
                    shift,
                    pool: PhantomData,
                },
            ),
        }
    }
}

impl ActivateAny<'_> {
    #[inline(always)]
    fn append<S: Simd>(mut self, simd: S, pass: impl Pass) {
        for accumulator in self.accumulators {
            if self.listed {
                pass.append::<S, true>(simd, accumulator, &mut self.out);
            } else {
                pass.append::<S, false>(simd, accumulator, &mut self.out);
            }
        }
        self.out.finish(self.listed);
    }
}
