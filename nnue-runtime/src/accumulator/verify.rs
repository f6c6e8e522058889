//! Incremental against refreshed: the check that a move generator fills in its changes rightly.

use core::fmt;

use crate::accumulator::stack::AccumulatorStack;
use crate::accumulator::update::{first_side, reads_both};
use crate::architecture::{Accumulator, Architecture, RowChanges, Transform};
use crate::board::{Color, Planes, Position, Snapshot};
use crate::features::{FeatureSet, MOST_PAIRS, PairSets, PairView, PieceMap, RowList};
use crate::network::Network;
use crate::simd::AvailableLevel;

/// The first difference between the incremental accumulators and those built from the position alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// whose accumulator it is
    pub perspective: Color,
    /// true: a PSQT output; false: a neuron
    pub psqt: bool,
    /// which one; where perspectives have weights of their own, those of the second follow those of the first
    pub index: usize,
    /// what the changes led to
    pub incremental: i32,
    /// what the position gives
    pub refreshed: i32,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.psqt { "PSQT output" } else { "neuron" };
        let Self { perspective, index, incremental, refreshed, .. } = self;
        write!(
            f,
            "{perspective:?}'s accumulator is wrong: {what} {index} is {incremental} after the pushed changes, "
        )?;
        write!(f, "{refreshed} built from the position")
    }
}

impl core::error::Error for Mismatch {}

impl<A: Architecture> AccumulatorStack<A> {
    /// Brings the accumulators up to date as an evaluation would, then builds them from the position alone and compares.
    ///
    /// # Errors
    ///
    /// The first value that differs: then the position is not the one that the pushed changes lead to.
    pub fn verify<P: Position>(&mut self, network: &Network<A>, position: &P) -> Result<(), Mismatch> {
        self.bind(network.id());
        let (level, transformer) = (network.level(), A::transformer(network.params()));
        Snapshot::with(position, |board| {
            let incremental = self.current(level, transformer, board);
            let sides = if reads_both::<A>() { 2 } else { 1 };
            let us = first_side::<A>(board.side_to_move);
            for (side, incremental) in [us, us.other()].into_iter().zip(incremental).take(sides) {
                first_mismatch::<A::Transformer>(side, incremental, &build::<A>(level, transformer, board, side))?;
            }
            Ok(())
        })
    }
}

/// The accumulator of `side` built from the bias, without a stack.
pub(crate) fn build<A: Architecture>(
    level: AvailableLevel,
    transformer: &A::Transformer,
    board: &Snapshot<'_>,
    side: Color,
) -> Accumulator<A> {
    let view = A::Features::view(side, board.kings[side.index()]);
    let mut rows = RowList::new();
    rows.collect_active::<A::Features>(view, &Planes::of(&board.bitboards()));
    let mut accumulator = A::Transformer::zeroed();
    if const { A::Pairs::ROWS == 0 } {
        transformer.build(level, &mut accumulator, rows.as_slice());
    } else {
        let map = PieceMap::of_boards(board.bitboards());
        let mut pairs = RowList::<MOST_PAIRS>::new();
        A::Pairs::active(&map, PairView::new(side, board.kings[side.index()]), |row| pairs.push(row));
        let rows = RowChanges { added: rows.as_slice(), pairs_added: pairs.as_slice(), ..RowChanges::default() };
        transformer.build_pairs(level, &mut accumulator, rows);
    }
    accumulator
}

/// The first value in which two accumulators of `side` differ.
pub(crate) fn first_mismatch<T: Transform>(
    side: Color,
    incremental: &T::Accumulator,
    refreshed: &T::Accumulator,
) -> Result<(), Mismatch> {
    let mismatch =
        |psqt, index, incremental, refreshed| Mismatch { perspective: side, psqt, index, incremental, refreshed };
    // What is shared is compared twice, and found the first time.
    let neurons = T::values(incremental).into_iter().flatten().zip(T::values(refreshed).into_iter().flatten());
    let neurons = neurons.enumerate().map(|(at, (&a, &b))| mismatch(false, at, a.into(), b.into()));
    let outputs = T::psqt(incremental).iter().zip(T::psqt(refreshed)).enumerate();
    let outputs = outputs.map(|(at, (&a, &b))| mismatch(true, at, a, b));
    match neurons.chain(outputs).find(|pair| pair.incremental != pair.refreshed) {
        Some(mismatch) => Err(mismatch),
        None => Ok(()),
    }
}
