//! A network: weights, prepared for one instruction level, that evaluate positions.

use std::sync::atomic::{AtomicU64, Ordering};

use nnue_format::Header;

use crate::accumulator::{AccumulatorStack, RowList, build};
use crate::architecture::{Accumulator, Architecture, Parameters, Transform};
use crate::board::{Position, Snapshot};
use crate::evaluation::{Evaluation, Trace};
use crate::simd::{AvailableLevel, Level, Simd, Task, dispatch};

/// A network of the declared architecture `A`: its weights, prepared for one instruction level.
///
/// A network never changes while it evaluates; it is `Send + Sync`, and threads share one (in an `Arc`, or borrowed),
/// each with its own [`AccumulatorStack`].
///
/// ```no_run
/// # use nnue_runtime::{AccumulatorStack, Architecture, Network, Position};
/// # fn f<MyNet: Architecture>(position: &impl Position) -> Result<(), Box<dyn std::error::Error>> {
/// let network = Network::<MyNet>::open("my.nnue")?;
/// let mut stack = AccumulatorStack::new();
/// println!("{}", network.evaluate(position, &mut stack).value);
/// # Ok(())
/// # }
/// ```
pub struct Network<A: Architecture> {
    /// of all networks of the process, only this one has it
    id: u64,
    level: AvailableLevel,
    header: Header,
    params: A::Params,
}

impl<A: Architecture> Network<A> {
    /// A network with these weights, for the best level of this processor. Every weight is fine: where a sum does not
    /// fit, it wraps, on every level alike.
    pub fn from_params(params: A::Params) -> Self {
        Self::new(params, Header::new(&A::SPEC, []))
    }

    pub(crate) fn new(mut params: A::Params, header: Header) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let level = Level::detect();
        params.prepare(level.level());
        Self { id: NEXT.fetch_add(1, Ordering::Relaxed), level, header, params }
    }

    /// The same network, prepared for another level of this processor: for tests and measurements.
    ///
    /// [`Level::check`] says whether the processor has a level, [`Level::available`] lists those that it has.
    #[must_use]
    pub fn with_level(mut self, level: AvailableLevel) -> Self {
        self.level = level;
        self.params.prepare(level.level());
        self
    }

    /// The level whose instructions evaluate.
    pub fn level(&self) -> AvailableLevel {
        self.level
    }

    /// The description in the file, as bytes: usually ASCII, sometimes empty.
    pub fn description(&self) -> &[u8] {
        &self.header.description
    }

    /// What the file says besides its weights.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// As [`header`](Self::header), to be changed before the network is [written](Self::write).
    pub fn header_mut(&mut self) -> &mut Header {
        &mut self.header
    }

    /// The weights.
    pub fn params(&self) -> &A::Params {
        &self.params
    }

    /// The weights, given back.
    pub fn into_params(self) -> A::Params {
        self.params
    }

    /// What the network says about `position`.
    ///
    /// `stack` followed the moves that led to `position`; its accumulators are brought up to date first. Nothing is
    /// allocated.
    #[inline]
    pub fn evaluate<P: Position>(&self, position: &P, stack: &mut AccumulatorStack<A>) -> Evaluation {
        stack.bind(self.id);
        Snapshot::with(position, |board| dispatch(self.level, Evaluate { network: self, board, stack }))
    }

    /// What the network says about `position`, computed from the position alone.
    pub fn evaluate_fresh<P: Position>(&self, position: &P) -> Evaluation {
        Snapshot::with(position, |board| dispatch(self.level, EvaluateFresh { network: self, board }))
    }

    /// What every layer stack says about `position`, computed from the position alone.
    pub fn trace<P: Position>(&self, position: &P) -> Trace {
        Snapshot::with(position, |board| dispatch(self.level, TraceTask { network: self, board }))
    }

    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// The forward pass of one layer stack, from accumulators.
    #[inline(always)]
    pub(crate) fn judge<S: Simd>(
        &self,
        simd: S,
        us: &Accumulator<A>,
        them: &Accumulator<A>,
        bucket: usize,
    ) -> Evaluation {
        let [own, other] = [us, them].map(A::Transformer::psqt);
        let psqt = match (own.get(bucket), other.get(bucket)) {
            (Some(own), Some(other)) => own.wrapping_sub(*other) / 2,
            _ => 0,
        };
        let positional = simd.outline(ForwardTask::<A> { params: &self.params, us, them, bucket });
        Evaluation::new(&A::SPEC, psqt, positional, bucket)
    }

    /// The accumulators of the side to move and of the other side, without a stack.
    #[inline(always)]
    pub(crate) fn accumulators<S: Simd>(&self, simd: S, board: &Snapshot<'_>) -> [Accumulator<A>; 2] {
        let mut rows = RowList::new();
        let us = board.side_to_move;
        [us, us.other()].map(|side| build::<S, A>(simd, A::transformer(&self.params), board, side, &mut rows))
    }
}

impl<A: Architecture> core::fmt::Debug for Network<A> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Network").field("architecture", &A::SPEC.name).field("level", &self.level).finish()
    }
}

/// The forward pass, compiled once per level for all that need it.
struct ForwardTask<'a, A: Architecture> {
    params: &'a A::Params,
    us: &'a Accumulator<A>,
    them: &'a Accumulator<A>,
    bucket: usize,
}

impl<A: Architecture> Task for ForwardTask<'_, A> {
    type Output = i32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> i32 {
        A::forward(simd, self.params, self.us, self.them, self.bucket)
    }
}

struct Evaluate<'a, 'b, A: Architecture> {
    network: &'a Network<A>,
    board: &'a Snapshot<'b>,
    stack: &'a mut AccumulatorStack<A>,
}

impl<A: Architecture> Task for Evaluate<'_, '_, A> {
    type Output = Evaluation;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Evaluation {
        let [us, them] = self.stack.current(simd, A::transformer(&self.network.params), self.board);
        self.network.judge(simd, us, them, A::SPEC.stacks.select(self.board.piece_count()))
    }
}

struct EvaluateFresh<'a, 'b, A: Architecture> {
    network: &'a Network<A>,
    board: &'a Snapshot<'b>,
}

impl<A: Architecture> Task for EvaluateFresh<'_, '_, A> {
    type Output = Evaluation;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Evaluation {
        let [us, them] = self.network.accumulators(simd, self.board);
        self.network.judge(simd, &us, &them, A::SPEC.stacks.select(self.board.piece_count()))
    }
}

struct TraceTask<'a, 'b, A: Architecture> {
    network: &'a Network<A>,
    board: &'a Snapshot<'b>,
}

impl<A: Architecture> Task for TraceTask<'_, '_, A> {
    type Output = Trace;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Trace {
        let [us, them] = self.network.accumulators(simd, self.board);
        let stacks = A::SPEC.stacks;
        Trace {
            bucket: stacks.select(self.board.piece_count()),
            buckets: (0..stacks.count).map(|bucket| self.network.judge(simd, &us, &them, bucket)).collect(),
        }
    }
}
