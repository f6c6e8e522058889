//! The forward pass of one layer stack or of all: from accumulators to evaluations.

use alloc::vec::Vec;
use core::marker::PhantomData;

use nnue_spec::psqt_difference;

use super::seen::Seen;
use super::{Accumulators, Evaluation, Network, RealEvaluation, Trace};
use crate::architecture::{Accumulator, Model};
use crate::board::Color;
use crate::both::both;
use crate::heads::{Heads, NamedOutputs};
use crate::kernel::Rows;
use crate::output::Output;
use crate::simd::{Simd, Task, dispatch};
use crate::transform::Transform;

impl<A: Model> Network<A> {
    /// The evaluation of the position of `accumulators`.
    pub fn forward(&self, accumulators: &Accumulators<A>) -> Evaluation {
        self.judge_bucket(accumulators, accumulators.seen.bucket)
    }

    /// The output of the last layer for the position of `accumulators`.
    pub fn output_of(&self, accumulators: &Accumulators<A>) -> A::Output {
        let [us, them] = &accumulators.pair;
        self.output_with(us, them, accumulators.seen)
    }

    /// The evaluations by every layer stack.
    pub(super) fn trace_of(&self, accumulators: &Accumulators<A>) -> Trace {
        let mut buckets = Vec::with_capacity(A::SPEC.stacks.count);
        for bucket in 0..A::SPEC.stacks.count {
            buckets.push(self.judge_bucket(accumulators, bucket));
        }
        Trace {
            bucket: accumulators.seen.bucket,
            buckets,
        }
    }

    fn judge_bucket(&self, accumulators: &Accumulators<A>, bucket: usize) -> Evaluation {
        let [us, them] = &accumulators.pair;
        self.judge(
            us,
            them,
            Seen {
                bucket,
                ..accumulators.seen
            },
        )
    }

    #[inline]
    pub(super) fn judge(
        &self,
        us: &Accumulator<A>,
        them: &Accumulator<A>,
        seen: Seen,
    ) -> Evaluation {
        Self::evaluation(us, them, seen, self.output_with(us, them, seen))
    }

    /// [`judge`](Self::judge) with the value before it is rounded.
    pub(super) fn judge_real(
        &self,
        us: &Accumulator<A>,
        them: &Accumulator<A>,
        seen: Seen,
    ) -> RealEvaluation {
        let output = self.output_with(us, them, seen);
        let evaluation = Self::evaluation(us, them, seen, output);
        let black = seen.to_move == Color::Black;
        RealEvaluation {
            evaluation,
            real: A::SPEC.real_value_of(evaluation.psqt, output.raw(), black),
        }
    }

    /// [`judge`](Self::judge) with the outputs `H` and `rows`.
    #[inline]
    pub(super) fn judge_with<H: Heads<A>>(
        &self,
        us: &Accumulator<A>,
        them: &Accumulator<A>,
        seen: Seen,
        rows: &mut Rows<'_>,
    ) -> (Evaluation, H)
    where
        A: NamedOutputs,
    {
        let forward = Forward::<A> {
            params: &self.params,
            us,
            them,
            bucket: seen.bucket,
        };
        let (output, all) = dispatch(
            self.level(),
            ForwardWith::<A, H> {
                forward,
                rows,
                heads: PhantomData,
            },
        );
        (
            Self::evaluation(us, them, seen, Self::plus(output, seen)),
            H::of(&all),
        )
    }

    /// The evaluation of a position from the output of the last layer.
    #[inline(always)]
    fn evaluation(
        us: &Accumulator<A>,
        them: &Accumulator<A>,
        seen: Seen,
        output: A::Output,
    ) -> Evaluation {
        let Seen {
            bucket, to_move, ..
        } = seen;
        let [own, other] = both([us, them], A::Transformer::psqt);
        let psqt = match (own.get(bucket), other.get(bucket)) {
            (Some(&own), Some(&other)) => psqt_difference(own, other),
            _ => 0,
        };
        let positional = output.raw().positional(A::SPEC.value);
        let value = A::SPEC.value_of(psqt, positional, to_move == Color::Black);
        Evaluation {
            psqt,
            positional,
            bucket,
            value,
        }
    }

    /// The output of the last layer, plus the floats of features.
    #[inline]
    pub(super) fn output_with(
        &self,
        us: &Accumulator<A>,
        them: &Accumulator<A>,
        seen: Seen,
    ) -> A::Output {
        let output = dispatch(
            self.level(),
            Forward::<A> {
                params: &self.params,
                us,
                them,
                bucket: seen.bucket,
            },
        );
        Self::plus(output, seen)
    }

    /// The output plus the floats of features, if the network has any. Otherwise nothing is added,
    /// so that -0.0 stays.
    #[inline(always)]
    fn plus(output: A::Output, seen: Seen) -> A::Output {
        if const { Self::HAS_FLOATS } {
            output.plus(seen.floats)
        } else {
            output
        }
    }
}

struct Forward<'a, A: Model> {
    params: &'a A::Params,
    us: &'a Accumulator<A>,
    them: &'a Accumulator<A>,
    bucket: usize,
}

/// The forward pass with the outputs `H` and the listed rows.
struct ForwardWith<'a, 'r, A: NamedOutputs, H> {
    forward: Forward<'a, A>,
    rows: &'a mut Rows<'r>,
    heads: PhantomData<H>,
}

impl<A: NamedOutputs, H: Heads<A>> Task for ForwardWith<'_, '_, A, H> {
    type Output = (A::Output, A::Outputs);

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> (A::Output, A::Outputs) {
        let Forward {
            params,
            us,
            them,
            bucket,
        } = self.forward;
        A::forward_with::<S, H>(simd, params, us, them, bucket, self.rows)
    }
}

impl<A: Model> Task for Forward<'_, A> {
    type Output = A::Output;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> A::Output {
        A::forward(simd, self.params, self.us, self.them, self.bucket)
    }
}
