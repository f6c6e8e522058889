//! A network: its descriptor and its weights, prepared for one instruction level.

use core::fmt;
use core::sync::atomic::{AtomicUsize, Ordering};
#[cfg(feature = "std")]
use std::{io, path::Path};

use alloc::vec::Vec;

use nnue_format::{Header, WriteError, check_golden};
use nnue_spec::{Fen, NetDesc, TensorRef};

use super::fresh::Spare;
use super::params::Params;
use super::program::Program;
use super::transformer::Transformer;
use super::{OpenError, Unsupported};
use crate::accumulator::Perspectives;
use crate::board::FenBoard;
use crate::features::SetsAtRunTime;
use crate::rows;
use crate::simd::{AvailableLevel, Choice, Reason, leb128_decoder};

/// A network that is described at run time, and evaluated by the same kernels as compiled networks.
///
/// A network never changes while it evaluates; it is `Send + Sync`, and threads share one, each
/// with its own [`Stack`](super::Stack).
pub struct Network {
    /// unique among all networks of the process
    pub(super) id: usize,
    choice: Choice,
    header: Header,
    pub(super) net: &'static NetDesc<'static>,
    pub(super) params: Params,
    pub(super) program: Program,
    pub(super) perspectives: Perspectives,
    /// the layer stack for each number of pieces
    pub(super) buckets: [u16; 65],
    /// for evaluations from scratch
    pub(super) spare: Spare,
}

impl Network {
    /// Loads a file.
    ///
    /// # Errors
    ///
    /// [`OpenError`]: the network needs user code, or the file cannot be read, or it does not match
    /// the descriptor exactly.
    #[cfg(feature = "std")]
    pub fn open(net: &'static NetDesc<'static>, path: impl AsRef<Path>) -> Result<Self, OpenError> {
        let file = crate::network::open_file(path.as_ref())?;
        Self::read(net, file)
    }

    /// Loads `source`, reading to its end. It need not be buffered.
    ///
    /// # Errors
    ///
    /// [`OpenError`]: the network needs user code, or the source fails, or does not match the
    /// descriptor exactly.
    #[cfg(feature = "std")]
    pub fn read(net: &'static NetDesc<'static>, source: impl io::Read) -> Result<Self, OpenError> {
        let mut params = Self::zeroed(net)?;
        let header = nnue_format::read(net, source, &mut params.muts(net), leb128_decoder())?;
        Self::loaded(net, params, header)
    }

    /// Loads the bytes of a file.
    ///
    /// # Errors
    ///
    /// [`OpenError`]: the network needs user code, or the bytes do not match the descriptor
    /// exactly.
    pub fn from_bytes(net: &'static NetDesc<'static>, bytes: &[u8]) -> Result<Self, OpenError> {
        let mut params = Self::zeroed(net)?;
        let header = nnue_format::read_slice(net, bytes, &mut params.muts(net), leb128_decoder())?;
        Self::loaded(net, params, header)
    }

    /// A network with copies of these weights, in the order of the descriptor.
    ///
    /// # Errors
    ///
    /// [`Unsupported`]: the network needs user code.
    ///
    /// # Panics
    ///
    /// If the number or the types of the weights differ from the descriptor.
    pub fn from_tensors(
        net: &'static NetDesc<'static>,
        tensors: &[TensorRef<'_>],
    ) -> Result<Self, Unsupported> {
        let mut params = Self::zeroed(net)?;
        let mut own = params.muts(net);
        assert_eq!(own.len(), tensors.len(), "number of tensors");
        own.iter_mut()
            .zip(tensors)
            .for_each(|(to, from)| to.copy_from(*from));
        Self::new(net, params, Header::new(net, []))
    }

    /// A network with random weights, the same as those of a compiled network with this seed.
    ///
    /// # Errors
    ///
    /// [`Unsupported`]: the network needs user code.
    pub fn random(net: &'static NetDesc<'static>, seed: u64) -> Result<Self, Unsupported> {
        let mut params = Self::zeroed(net)?;
        nnue_format::randomize(net, &mut params.muts(net), seed);
        Self::new(net, params, Header::new(net, []))
    }

    fn zeroed(net: &NetDesc<'_>) -> Result<Params, Unsupported> {
        Unsupported::of(net).map_or(Ok(()), Err)?;
        let sets = SetsAtRunTime::of(net.features).ok_or(Unsupported::Sets)?;
        Ok(Params::zeroed(net, Transformer::zeroed(net, sets)))
    }

    fn new(
        net: &'static NetDesc<'static>,
        params: Params,
        header: Header,
    ) -> Result<Self, Unsupported> {
        static NEXT: AtomicUsize = AtomicUsize::new(1);
        let choice = Choice::now();
        let program = Program::new(net, &params.refs(net), choice.level.level())
            .ok_or(Unsupported::Numbers)?;
        let perspectives = Perspectives::of(&net.accumulator);
        let buckets = core::array::from_fn(|pieces| net.stacks.select(pieces) as u16);
        Ok(Self {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            choice,
            header,
            net,
            params,
            program,
            perspectives,
            buckets,
            spare: Spare::default(),
        })
    }

    /// The network of a file, if its golden values match.
    fn loaded(
        net: &'static NetDesc<'static>,
        params: Params,
        header: Header,
    ) -> Result<Self, OpenError> {
        let network = Self::new(net, params, header)?;
        if net.has_goldens() {
            check_golden(net, &network.tensors(), &|index| network.golden(index))?;
        }
        Ok(network)
    }

    fn golden(&self, index: usize) -> Option<i32> {
        if self.net.has_listed_rows() {
            return rows::golden(self.net, index, |rows| self.evaluate_listed(rows).value);
        }
        let fen = Fen::parse(self.net.goldens.get(index)?.fen).ok()?;
        Some(self.evaluate_fresh(&FenBoard::new(&fen)).value)
    }

    /// The same network, prepared for another level of this processor: for tests and measurements.
    #[must_use]
    pub fn with_level(mut self, level: AvailableLevel) -> Self {
        if let Some(program) = Program::new(self.net, &self.params.refs(self.net), level.level()) {
            (self.program, self.choice) = (
                program,
                Choice {
                    level,
                    reason: Reason::Given,
                },
            );
        }
        self
    }

    /// The level that evaluates.
    pub fn level(&self) -> AvailableLevel {
        self.choice.level
    }

    /// The level and why it was chosen.
    pub fn choice(&self) -> &Choice {
        &self.choice
    }

    /// The descriptor: everything about the network except its weights.
    pub fn spec(&self) -> &'static NetDesc<'static> {
        self.net
    }

    /// The contents of the file besides its weights.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The weights, in the order of the descriptor.
    pub fn tensors(&self) -> Vec<TensorRef<'_>> {
        self.params.refs(self.net)
    }

    /// The bytes of the file; byte for byte the same if the network was loaded from a file.
    ///
    /// # Errors
    ///
    /// [`WriteError`]: the description is too long.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
        nnue_format::to_bytes(self.net, &self.header, &self.tensors())
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network")
            .field("name", &self.net.name)
            .field("level", &self.level())
            .finish_non_exhaustive()
    }
}
