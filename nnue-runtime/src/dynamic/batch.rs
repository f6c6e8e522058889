//! Many positions at once.

use alloc::vec::Vec;

use super::evaluate::{Besides, Seen};
use super::network::Network;
use super::scratch::Scratch;
use super::stack::ChessGame;
use super::transformer::{Accumulator, Transformer};
use crate::accumulator::Game;
use crate::board::{Position, Snapshot};
use crate::network::{RealEvaluation, TOGETHER};

type ChessBatch = <ChessGame as Game<Transformer>>::Batch;

/// [`Batch`](crate::Batch) for a [`Network`] that is described at run time: the memory in which one
/// thread evaluates positions that do not follow from each other.
pub struct Batch {
    positions: ChessBatch,
    /// by position and side
    accumulators: Vec<[Accumulator; 2]>,
    /// per position
    besides: Vec<Besides>,
    scratch: Scratch,
    /// the id of the network of the scratch memory; 0 for none
    network: usize,
}

impl Batch {
    /// An empty batch; allocates no memory for accumulators.
    pub fn new() -> Self {
        let (accumulators, besides, scratch) = (Vec::new(), Vec::new(), Scratch::default());
        Self {
            positions: ChessGame::batch(),
            accumulators,
            besides,
            scratch,
            network: 0,
        }
    }
}

impl Default for Batch {
    fn default() -> Self {
        Self::new()
    }
}

impl core::fmt::Debug for Batch {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Batch")
            .field("room", &self.accumulators.len())
            .finish_non_exhaustive()
    }
}

impl Network {
    /// Writes the evaluation of each of `positions` to `values`, [`Evaluation`](crate::Evaluation)s or
    /// [`RealEvaluation`]s: see [`evaluate_batch`](crate::Network::evaluate_batch) of compiled networks.
    ///
    /// # Panics
    ///
    /// If there are not as many values as positions.
    pub fn evaluate_batch<P: Position, E: From<RealEvaluation>>(
        &self,
        positions: &[P],
        values: &mut [E],
        batch: &mut Batch,
    ) {
        assert_eq!(
            positions.len(),
            values.len(),
            "a batch has a value for each position"
        );
        self.require_boards();
        for (positions, values) in positions.chunks(TOGETHER).zip(values.chunks_mut(TOGETHER)) {
            ChessGame::empty(&mut batch.positions);
            batch.besides.clear();
            for position in positions {
                Snapshot::with(position, |board| self.add(board, batch));
            }
            self.compute(values, batch);
        }
    }

    /// [`evaluate_batch`](Self::evaluate_batch) on one thread for each of `batches`: the calling
    /// thread and new ones.
    ///
    /// # Panics
    ///
    /// If there are not as many values as positions, or no `batches`.
    #[cfg(feature = "std")]
    pub fn evaluate_on_threads<P: Position + Sync, E: From<RealEvaluation> + Send>(
        &self,
        positions: &[P],
        values: &mut [E],
        batches: &mut [Batch],
    ) {
        crate::network::on_threads(positions, values, batches, |positions, values, batch| {
            self.evaluate_batch(positions, values, batch);
        });
    }

    fn add(&self, board: &Snapshot<'_>, batch: &mut Batch) {
        ChessGame::add(
            &mut batch.positions,
            self.level(),
            &self.params.transformer,
            board,
            self.perspectives,
        );
        batch.besides.push(self.besides(board));
    }

    fn compute<E: From<RealEvaluation>>(&self, values: &mut [E], batch: &mut Batch) {
        let Batch {
            positions,
            accumulators,
            besides,
            scratch,
            network,
        } = batch;
        if *network != self.id {
            (*scratch, *network) = (self.program.scratch(), self.id);
        }
        let (level, transformer, needed) = (
            self.level(),
            &self.params.transformer,
            besides.len() + ChessGame::SPARE,
        );
        if accumulators.len() < needed {
            accumulators.resize_with(needed, || [Accumulator::default(), Accumulator::default()]);
        }
        ChessGame::compute(positions, level, transformer, accumulators);
        for (index, (value, &besides)) in values.iter_mut().zip(&*besides).enumerate() {
            let pair = ChessGame::read(positions, level, transformer, index, accumulators);
            let accumulators = self
                .perspectives
                .sides(besides.to_move)
                .map(|side| &pair[side.index()]);
            let seen = Seen {
                accumulators,
                besides,
            };
            *value = self.judge_real(seen, scratch).into();
        }
    }
}
