//! A network: weights, prepared for one instruction level, that evaluate positions.

use core::sync::atomic::{AtomicUsize, Ordering};

use nnue_format::Header;

use crate::accumulator::AccumulatorStack;
use crate::architecture::{Accumulator, Architecture, Model, Parameters, Transform};
use crate::board::{Color, Position, Snapshot};
use crate::evaluation::{Evaluation, Trace};
use crate::output::Output;
use crate::simd::{AvailableLevel, Choice, Simd, Task, dispatch};

/// A network of the declared architecture `A`: its weights, prepared for one instruction level.
///
/// A network never changes while it evaluates; it is `Send + Sync`, and threads share one (in an `Arc`, or borrowed),
/// each with its own [`AccumulatorStack`].
///
/// ```no_run
/// # use nnue_runtime::{AccumulatorStack, Architecture, Network, Position};
/// # fn f<MyNet: Architecture>(position: &impl Position) -> Result<(), Box<dyn core::error::Error>> {
/// let network = Network::<MyNet>::open("my.nnue")?;
/// let mut stack = AccumulatorStack::new();
/// println!("{}", network.evaluate(position, &mut stack).value);
/// # Ok(())
/// # }
/// ```
pub struct Network<A: Model> {
    /// of all networks of the process, only this one has it
    id: usize,
    level: AvailableLevel,
    header: Header,
    params: A::Params,
}

impl<A: Model> Network<A> {
    /// A network with these weights, for the level of [`Choice::now`]: the best of this processor. Every weight is fine: where a sum does not
    /// fit, it wraps, on every level alike.
    pub fn from_params(params: A::Params) -> Self {
        Self::new(params, Header::new(&A::SPEC, []))
    }

    pub(crate) fn new(mut params: A::Params, header: Header) -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(1);
        let level = Choice::now().level;
        params.prepare(level.level());
        Self { id: NEXT.fetch_add(1, Ordering::Relaxed), level, header, params }
    }

    /// The same network, prepared for another level of this processor: for tests and measurements.
    ///
    /// [`Level::check`](crate::Level::check) says whether the processor has a level,
    /// [`Level::available`](crate::Level::available) lists those that it has.
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

    pub(crate) fn id(&self) -> usize {
        self.id
    }

    /// The output of one layer stack, from accumulators, for the side `to_move`.
    #[inline]
    pub(crate) fn judge(
        &self,
        us: &Accumulator<A>,
        them: &Accumulator<A>,
        bucket: usize,
        to_move: Color,
    ) -> Evaluation {
        let [own, other] = [us, them].map(A::Transformer::psqt);
        let psqt = match (own.get(bucket), other.get(bucket)) {
            (Some(own), Some(other)) => own.wrapping_sub(*other) / 2,
            _ => 0,
        };
        let output = self.run_stack(us, them, bucket);
        Evaluation::new(&A::SPEC, psqt, output.positional(&A::SPEC), bucket).seen_by::<A>(to_move)
    }

    /// What comes out of the last layer of one layer stack, from accumulators.
    #[inline]
    pub(crate) fn run_stack(&self, us: &Accumulator<A>, them: &Accumulator<A>, bucket: usize) -> A::Output {
        dispatch(self.level, Forward::<A> { params: &self.params, us, them, bucket })
    }
}

/// Chess.
impl<A: Architecture> Network<A> {
    /// What the network says about `position`.
    ///
    /// `stack` followed the moves that led to `position`; its accumulators are brought up to date first. Nothing is
    /// allocated.
    #[inline]
    pub fn evaluate<P: Position>(&self, position: &P, stack: &mut AccumulatorStack<A>) -> Evaluation {
        stack.bind(self.id);
        Snapshot::with(position, |board| {
            let [us, them] = stack.current(self.level, A::transformer(&self.params), board);
            self.judge(us, them, stack_of::<A, P>(position, board), board.side_to_move)
        })
    }

    /// What the network says about `position`, computed from the position alone.
    pub fn evaluate_fresh<P: Position>(&self, position: &P) -> Evaluation {
        self.forward(&self.accumulate(position))
    }

    /// What every layer stack says about `position`, computed from the position alone.
    pub fn trace<P: Position>(&self, position: &P) -> Trace {
        self.trace_of(&self.accumulate(position))
    }
}

/// The layer stack that a position uses.
#[inline(always)]
pub(crate) fn stack_of<A: Architecture, P: Position>(position: &P, board: &Snapshot<'_>) -> usize {
    A::stack(position, board.piece_count()).min(A::SPEC.stacks.count - 1)
}

/// The forward pass of one layer stack.
struct Forward<'a, A: Model> {
    params: &'a A::Params,
    us: &'a Accumulator<A>,
    them: &'a Accumulator<A>,
    bucket: usize,
}

impl<A: Model> Task for Forward<'_, A> {
    type Output = A::Output;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> A::Output {
        A::forward(simd, self.params, self.us, self.them, self.bucket)
    }
}

impl<A: Model> core::fmt::Debug for Network<A> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Network").field("architecture", &A::SPEC.name).field("level", &self.level).finish()
    }
}
