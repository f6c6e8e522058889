//! Networks whose rows the caller lists, described at run time.

use alloc::vec::Vec;
use core::fmt;

use nnue_spec::RawOutput;
use nnue_spec::rows::{BatchError, RowBatch, RowLists, RowSets, RowsError, RowsShape};

use super::accumulators::Accumulators;
use super::evaluate::{Besides, NamedNumbers, Seen};
use super::fresh::Fresh;
use super::scratch::Scratch;
use super::transformer::Transformer;
use super::{Computed, Network};
use crate::accumulator::{Game, Mismatch, first_mismatch};
use crate::feature_floats::MOST;
use crate::game::{Custom, Inputs};
use crate::network::{Evaluation, RealEvaluation};
use crate::rows::{
    Candidate, CandidateBatch, CandidateBatchError, CandidateCopies, CandidateError, Given, Reader,
    RowsLine, list_of,
};
use crate::transform::{Frame, RowChanges, Transform};

type RowsGame = Custom<Given>;

/// Candidates of a batch that are read at a time.
const TOGETHER: usize = 256;

/// Networks over `rows[N, active M]`.
impl Network {
    /// The sizes of positions; `None` if positions are boards of chess.
    pub fn rows_shape(&self) -> Option<RowsShape<'static>> {
        self.net.rows_shape()
    }

    /// The evaluation of `rows`, computed from scratch. A [`RowsStack`] is far faster.
    ///
    /// # Panics
    ///
    /// If `rows` is not a position of this network: it has other rows, or reads boards of chess.
    pub fn evaluate_listed(&self, rows: &RowSets) -> Evaluation {
        self.evaluate_listed_real(rows).evaluation
    }

    /// [`evaluate_listed`](Self::evaluate_listed) with the value before it is rounded.
    ///
    /// # Panics
    ///
    /// As [`evaluate_listed`](Self::evaluate_listed).
    pub fn evaluate_listed_real(&self, rows: &RowSets) -> RealEvaluation {
        self.require_rows(rows);
        let to_move = Given::side_to_move(rows);
        let new = || Fresh {
            accumulators: Default::default(),
            scratch: self.program.scratch(),
        };
        self.spare.with(new, |fresh| {
            for side in self.perspectives.each(to_move) {
                let list = rows.list(list_of(side, rows.lists()));
                let target = &mut fresh.accumulators[side.index()];
                let changes = RowChanges::pieces(list, &[]);
                let transformer = &self.params.transformer;
                transformer.pass(self.level(), Frame::Build { target }, changes);
            }
            let sides = self.perspectives.sides(to_move);
            let seen = Seen {
                accumulators: sides.map(|side| &fresh.accumulators[side.index()]),
                besides: self.besides_rows(rows),
            };
            self.judge_real(seen, &mut fresh.scratch)
        })
    }

    fn require_rows(&self, rows: &RowSets) {
        let fits = self.net.rows_shape().is_some_and(|shape| rows.fits(&shape));
        assert!(
            fits,
            "the rows of a network with other rows than `{}`",
            self.net.name
        );
    }

    /// The accumulators of `rows`, computed from scratch.
    ///
    /// # Panics
    ///
    /// As [`evaluate_listed`](Self::evaluate_listed).
    pub fn accumulate_listed(&self, rows: &RowSets) -> Accumulators {
        self.require_rows(rows);
        let sides = self.perspectives.sides(Given::side_to_move(rows));
        let transformer = &self.params.transformer;
        let build = |side| RowsGame::build(self.level(), transformer, rows, side);
        Accumulators {
            pair: sides.map(build),
            besides: self.besides_rows(rows),
        }
    }

    fn besides_rows(&self, rows: &RowSets) -> Besides {
        let to_move = Given::side_to_move(rows);
        let floats = if self.params.floats.is_empty() {
            [0.0; MOST]
        } else {
            let (floats, side) = (self.params.floats.rows(), self.perspectives.first(to_move));
            RowsGame::active(&self.params.transformer, rows, side, |rows, pairs| {
                floats.sum(rows, pairs)
            })
        };
        Besides {
            bucket: self.net.stacks.select_by_rows(rows.own_list()),
            to_move,
            floats,
        }
    }

    fn reader(&self) -> Reader<'_, Transformer> {
        Reader {
            level: self.level(),
            transformer: &self.params.transformer,
            perspectives: self.perspectives,
        }
    }
}

/// [`rows::RowsStack`](crate::rows::RowsStack) for a [`Network`] that is described at run time: a position, and
/// the accumulators along the changes that led to it.
///
/// It belongs to one thread; the network is shared. Using a stack with another network with the same rows is
/// allowed: it discards its accumulators.
#[derive(Clone)]
pub struct RowsStack {
    line: RowsLine<Transformer>,
    scratch: Scratch,
    /// the id of the network that computed the accumulators; 0 for none
    network: usize,
}

impl RowsStack {
    /// A stack whose root has no active rows; `None` if positions of the network are boards of chess.
    pub fn new(network: &Network) -> Option<Self> {
        Some(Self {
            line: RowsLine::new(&network.rows_shape()?),
            scratch: Scratch::default(),
            network: 0,
        })
    }

    /// The active rows.
    pub fn rows(&self) -> &RowSets {
        self.line.rows()
    }

    /// Makes a position with these rows the root, and forgets the changes before. The side to move stays.
    ///
    /// # Errors
    ///
    /// [`RowsError`]. Then nothing is changed.
    pub fn set<'a>(&mut self, lists: impl Into<RowLists<'a>>) -> Result<(), RowsError> {
        self.line.set(|rows| rows.set(lists))
    }

    /// [`set`](Self::set) with the rows and the side to move of a text: `3 17 40`, `3 17 | 8 9 b`.
    ///
    /// # Errors
    ///
    /// [`RowsError`]. Then nothing is changed.
    pub fn set_text(&mut self, text: &str) -> Result<(), RowsError> {
        self.line.set(|rows| rows.set_text(text))
    }

    /// [`set`](Self::set) with the rows and the side to move of a position of `batch`. `lists` is scratch memory.
    ///
    /// # Errors
    ///
    /// [`BatchError`]. Then nothing is changed.
    pub fn set_position(
        &mut self,
        batch: &RowBatch<'_>,
        position: usize,
        lists: &mut [Vec<u32>; 2],
    ) -> Result<(), BatchError> {
        self.line.set(|rows| batch.read(position, rows, lists))
    }

    /// Removes and adds rows, in this order: see [`push_rows`](crate::rows::RowsStack::push_rows) of compiled
    /// networks.
    ///
    /// # Errors
    ///
    /// [`RowsError`]. Then nothing is changed.
    pub fn push_rows<'a, 'r>(
        &mut self,
        added: impl Into<RowLists<'a>>,
        removed: impl Into<RowLists<'r>>,
    ) -> Result<(), RowsError> {
        self.line.push(added.into(), removed.into())
    }

    /// Takes back the last change, and the side to move before it.
    ///
    /// # Panics
    ///
    /// If there is none: more was popped than pushed.
    pub fn pop(&mut self) {
        self.line.pop();
    }

    /// Makes the position the root: forgets the changes before, and keeps the rows.
    pub fn make_root(&mut self) {
        self.line.make_root();
    }

    /// The number of changes that were pushed and not popped.
    pub fn depth(&self) -> usize {
        self.line.depth()
    }

    /// Sets the side to move, whose list is read first. [`pop`](Self::pop) restores it.
    pub fn set_black_to_move(&mut self, black: bool) {
        self.line.set_black_to_move(black);
    }

    /// The evaluation of the position.
    ///
    /// # Panics
    ///
    /// If the network has other rows than that of [`new`](Self::new).
    pub fn evaluate(&mut self, network: &Network) -> Evaluation {
        self.evaluate_real(network).evaluation
    }

    /// [`evaluate`](Self::evaluate) with the value before it is rounded.
    ///
    /// # Panics
    ///
    /// As [`evaluate`](Self::evaluate).
    pub fn evaluate_real(&mut self, network: &Network) -> RealEvaluation {
        let (seen, scratch) = self.see(network);
        network.judge_real(seen, scratch)
    }

    /// The output of the last layer, before it becomes a value.
    ///
    /// # Panics
    ///
    /// As [`evaluate`](Self::evaluate).
    pub fn output(&mut self, network: &Network) -> RawOutput {
        let (seen, scratch) = self.see(network);
        network.output_in(seen, scratch)
    }

    /// [`evaluate`](Self::evaluate) plus the numbers of each named output: see
    /// [`Network::evaluate_with`].
    ///
    /// # Panics
    ///
    /// As [`evaluate`](Self::evaluate).
    pub fn evaluate_with(&mut self, network: &Network) -> (Evaluation, NamedNumbers) {
        let (seen, scratch) = self.see(network);
        network.judge_with_names(seen, scratch)
    }

    /// The results of the kernels for the position: see [`Network::computed`].
    ///
    /// # Panics
    ///
    /// As [`evaluate`](Self::evaluate).
    pub fn computed(&mut self, network: &Network) -> Computed {
        let (seen, scratch) = self.see(network);
        network.computed_from(seen, scratch)
    }

    /// Evaluates the positions after each of `candidates`: see
    /// [`evaluate_candidates`](crate::rows::RowsStack::evaluate_candidates) of compiled networks. The evaluations
    /// are [`Evaluation`]s or [`RealEvaluation`]s.
    ///
    /// # Errors
    ///
    /// [`CandidateError`]: a candidate cannot be applied. Then nothing is evaluated.
    ///
    /// # Panics
    ///
    /// As [`evaluate`](Self::evaluate).
    pub fn evaluate_candidates<E: From<RealEvaluation>>(
        &mut self,
        network: &Network,
        candidates: &[Candidate<'_>],
        evaluations: &mut Vec<E>,
    ) -> Result<(), CandidateError> {
        evaluations.clear();
        self.line.check_all(candidates)?;
        // The stack, and floats of features, depend on the rows of the candidate.
        if !network.params.floats.is_empty() || network.net.stacks.count > 1 {
            for Candidate { added, removed } in candidates {
                // It was checked.
                if self.push_rows(*added, *removed).is_ok() {
                    evaluations.push(self.evaluate_real(network).into());
                    self.pop();
                }
            }
            return Ok(());
        }
        self.bind(network);
        let Self { line, scratch, .. } = self;
        let besides = network.besides_rows(line.rows());
        line.candidates(&network.reader(), candidates, |accumulators| {
            let seen = Seen {
                accumulators,
                besides,
            };
            evaluations.push(network.judge_real(seen, scratch).into());
        });
        Ok(())
    }

    /// [`evaluate_candidates`](Self::evaluate_candidates) of candidates in the form of sparse matrices, which are
    /// read in place.
    ///
    /// # Errors
    ///
    /// [`CandidateBatchError`]: the first candidate that cannot be applied. Then there are no evaluations.
    ///
    /// # Panics
    ///
    /// As [`evaluate`](Self::evaluate).
    pub fn evaluate_candidate_batch<E: From<RealEvaluation>>(
        &mut self,
        network: &Network,
        batch: &CandidateBatch<'_>,
        evaluations: &mut Vec<E>,
    ) -> Result<(), CandidateBatchError> {
        evaluations.clear();
        let evaluated = self.append_batch(network, batch, evaluations);
        if evaluated.is_err() {
            evaluations.clear();
        }
        evaluated
    }

    fn append_batch<E: From<RealEvaluation>>(
        &mut self,
        network: &Network,
        batch: &CandidateBatch<'_>,
        evaluations: &mut Vec<E>,
    ) -> Result<(), CandidateBatchError> {
        let (mut copies, mut part) = (CandidateCopies::default(), Vec::new());
        for start in (0..batch.len()).step_by(TOGETHER) {
            let end = batch.len().min(start + TOGETHER);
            batch.read(start..end, self.rows(), &mut copies)?;
            self.evaluate_candidates(network, &copies.candidates(), &mut part)
                .map_err(|CandidateError { candidate, error }| CandidateError {
                    candidate: start + candidate,
                    error,
                })?;
            evaluations.append(&mut part);
        }
        Ok(())
    }

    /// Updates the accumulators as an evaluation would, then builds them from scratch and compares.
    ///
    /// # Errors
    ///
    /// The first value that differs, which would be a fault of this library.
    ///
    /// # Panics
    ///
    /// As [`evaluate`](Self::evaluate).
    pub fn verify(&mut self, network: &Network) -> Result<(), Mismatch> {
        self.bind(network);
        let (accumulators, rows) = self.line.current(&network.reader());
        let sides = network.perspectives.sides(Given::side_to_move(rows));
        for (side, incremental) in sides.into_iter().zip(accumulators) {
            let transformer = &network.params.transformer;
            let fresh = RowsGame::build(network.level(), transformer, rows, side);
            first_mismatch::<Transformer>(side, incremental, &fresh)?;
        }
        Ok(())
    }

    fn see(&mut self, network: &Network) -> (Seen<'_>, &mut Scratch) {
        self.bind(network);
        let Self { line, scratch, .. } = self;
        let (accumulators, rows) = line.current(&network.reader());
        let besides = network.besides_rows(rows);
        (
            Seen {
                accumulators,
                besides,
            },
            scratch,
        )
    }

    fn bind(&mut self, network: &Network) {
        if self.network == network.id {
            return;
        }
        let shape = network.rows_shape();
        assert!(
            shape.is_some_and(|shape| self.rows().fits(&shape)),
            "the rows of a network with other rows than `{}`",
            network.net.name
        );
        self.line.forget();
        self.scratch = network.program.scratch();
        self.network = network.id;
    }
}

impl fmt::Debug for RowsStack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RowsStack")
            .field("rows", self.rows())
            .field("depth", &self.depth())
            .finish_non_exhaustive()
    }
}
