//! Networks: weights, prepared for one instruction level, that evaluate positions.
//!
//! ```text
//!   evaluate      positions: accumulators, then forward           stack     AccumulatorStack
//!   batch         many positions at once, on any number of threads
//!   forward       accumulators to evaluations                     file      open, read, write, embedded
//!   heads         the same for networks with several outputs          batch_heads   of many positions at once
//!   accumulators  both halves of an evaluation, one at a time     golden    what every load compares
//!   intermediate  every value between them, for comparisons       verify    incremental against refreshed accumulators
//!   rows          positions that are lists of rows, and their stack
//!   seen          what layers need of a position besides accumulators
//! ```

mod accumulators;
mod batch;
mod batch_heads;
mod children;
mod evaluate;
mod evaluation;
mod file;
mod forward;
#[cfg(feature = "golden")]
mod golden;
mod heads;
#[cfg(feature = "intermediate")]
mod intermediate;
mod rows;
mod seen;
mod stack;
mod table;
mod verify;

use core::sync::atomic::{AtomicUsize, Ordering};

use nnue_format::Header;

pub use self::accumulators::Accumulators;
pub use self::batch::Batch;
pub(crate) use self::batch::TOGETHER;
#[cfg(feature = "std")]
pub(crate) use self::batch::on_threads;
pub use self::evaluation::{Evaluation, RealEvaluation, Trace};
#[cfg(feature = "std")]
pub(crate) use self::file::{open_file, read_at_most};
pub use self::rows::RowsStack;
pub use self::stack::AccumulatorStack;
pub use self::table::AccumulatorTable;
use crate::architecture::{Model, Parameters};
use crate::simd::{AvailableLevel, Choice, Reason};

/// A network of the declared architecture `A`: its weights, prepared for one instruction level.
///
/// A network never changes while it evaluates; it is `Send + Sync`, and threads share one (in an
/// `Arc`, or borrowed), each with its own [`AccumulatorStack`].
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
    /// unique among all networks of the process
    id: usize,
    choice: Choice,
    header: Header,
    params: A::Params,
}

impl<A: Model> Network<A> {
    /// A network with these weights, for the level of [`Choice::now`]: the fastest of this
    /// processor. All weights are valid: sums that do not fit wrap, in the same way on every level. Weights of layers in
    /// [shards](nnue_spec::Shards) that no output uses become 0.
    pub fn from_params(mut params: A::Params) -> Self {
        nnue_format::shards::clear_all(&A::SPEC, &mut params.tensors_mut());
        Self::new(params, Header::new(&A::SPEC, []))
    }

    /// A network with random weights, for tests of loaders and move generators and for measurements
    /// before there is a trained network.
    ///
    /// The weights depend only on `seed`, so every processor gets the same; another version of this
    /// crate may generate others. Sums fit, and activations are neither all zero nor all at their
    /// limits. Golden values are not those of random weights.
    ///
    /// ```
    /// # use nnue_runtime::{Architecture, Network};
    /// # fn f<MyNet: Architecture>() -> Result<(), Box<dyn core::error::Error>> {
    /// let file = Network::<MyNet>::random(1).to_bytes()?; // a file, with which a loader can be tested
    /// assert_eq!(Network::<MyNet>::from_bytes(&file)?.to_bytes()?, file);
    /// # Ok(())
    /// # }
    /// ```
    pub fn random(seed: u64) -> Self {
        let mut params = A::Params::zeroed();
        nnue_format::randomize(&A::SPEC, &mut params.tensors_mut(), seed);
        Self::from_params(params)
    }

    fn new(mut params: A::Params, header: Header) -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(1);
        let choice = Choice::now();
        params.prepare(choice.level.level());
        Self {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            choice,
            header,
            params,
        }
    }

    /// The same network, prepared for another level of this processor: for tests and measurements.
    ///
    /// [`Level::check`](crate::Level::check) tells whether the processor has a level,
    /// [`Level::available`](crate::Level::available) lists those that it has.
    #[must_use]
    pub fn with_level(mut self, level: AvailableLevel) -> Self {
        self.choice = Choice {
            level,
            reason: Reason::Given,
        };
        self.params.prepare(level.level());
        self
    }

    /// The level that evaluates.
    #[inline]
    pub fn level(&self) -> AvailableLevel {
        self.choice.level
    }

    /// The level and why it was chosen: whether `NNUE_LEVEL` named it, or named one that this
    /// processor does not have. Programs print it in reports about their environment.
    pub fn choice(&self) -> &Choice {
        &self.choice
    }

    /// The description in the file, as bytes: usually ASCII, sometimes empty.
    pub fn description(&self) -> &[u8] {
        &self.header.description
    }

    /// The contents of the file besides its weights.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// [`header`](Self::header), to change it before the network is [written](Self::write).
    pub fn header_mut(&mut self) -> &mut Header {
        &mut self.header
    }

    /// The weights.
    pub fn params(&self) -> &A::Params {
        &self.params
    }

    /// Returns the weights.
    pub fn into_params(self) -> A::Params {
        self.params
    }
}

impl<A: Model> core::fmt::Debug for Network<A> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Network")
            .field("architecture", &A::SPEC.name)
            .field("level", &self.level())
            .finish()
    }
}
