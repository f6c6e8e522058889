//! Intermediate results of the kernels, for comparisons.

use alloc::vec::Vec;

use super::evaluate::Seen;
use super::network::Network;
use super::program::Numbers;
use super::scratch::Scratch;
use super::stack::Stack;
use crate::board::{Position, Snapshot};
use crate::network::RealEvaluation;

/// The intermediate results of a network's kernels for a position.
///
/// [`intermediate`](Network::intermediate) gives the reference interpreter's results for the
/// accumulators; these are the results of the kernels.
#[derive(Clone, Debug, PartialEq)]
pub struct Computed {
    /// of the perspectives that layers read, in reading order
    pub accumulators: Vec<Vec<i16>>,
    /// of the layers, in the order of [`NetDesc::layers`](nnue_spec::NetDesc::layers)
    pub layers: Vec<Sums>,
    /// the value and its parts
    pub evaluation: RealEvaluation,
}

/// The sums of a layer.
#[derive(Clone, Debug, PartialEq)]
pub enum Sums {
    /// integers
    Whole(Vec<i32>),
    /// floats
    Floats(Vec<f32>),
    /// rows, which are computed on demand
    OnDemand,
}

impl Network {
    /// The results of the kernels for `position`: accumulators, the sums of every layer, the value.
    /// `stack` is used as by [`evaluate`](Self::evaluate). The results are copied, so this is for
    /// comparisons, not for searches.
    pub fn computed<P: Position + ?Sized>(&self, position: &P, stack: &mut Stack) -> Computed {
        Snapshot::with(position, |board| {
            let (seen, scratch) = self.see(board, stack);
            self.computed_from(seen, scratch)
        })
    }

    pub(super) fn computed_from(&self, seen: Seen<'_>, scratch: &mut Scratch) -> Computed {
        let perspectives = self.net.accumulator.perspectives;
        let accumulators = seen.values()[..perspectives]
            .iter()
            .map(|values| values.to_vec())
            .collect();
        let evaluation = self.judge_with_all(seen, scratch);
        let layers = self.program.layers.iter().zip(self.net.layers);
        let layers = layers
            .map(|(numbers, layer)| sums(numbers.as_ref(), layer.outputs, scratch))
            .collect();
        Computed {
            accumulators,
            layers,
            evaluation,
        }
    }
}

fn sums(numbers: Option<&Numbers>, outputs: usize, scratch: &Scratch) -> Sums {
    match numbers {
        Some(Numbers::Sums(place)) => Sums::Whole(scratch.at::<i32>(*place)[..outputs].to_vec()),
        Some(Numbers::Floats(place)) => Sums::Floats(scratch.at::<f32>(*place)[..outputs].to_vec()),
        Some(Numbers::Bytes(_) | Numbers::Packed) | None => Sums::OnDemand,
    }
}
