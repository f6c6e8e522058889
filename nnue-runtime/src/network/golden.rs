//! Golden values: every load compares them with the network's evaluation.

use nnue_format::{LoadError, check_golden};

use super::Network;
use crate::architecture::{Model, Parameters, ReadsGolden};

/// Compares the golden values with the network's evaluations. Compiles to nothing if there are
/// none.
pub(super) fn check<A: Model>(network: &Network<A>) -> Result<(), LoadError> {
    if const { !A::SPEC.has_goldens() } {
        return Ok(());
    }
    check_golden(&A::SPEC, &network.params().tensors(), &|index| {
        value(network, index)
    })
}

/// The value of golden position `index`, if it is a position of the network's game.
fn value<A: Model>(network: &Network<A>, index: usize) -> Option<i32> {
    A::Game::with_golden(index, |board, bucket| {
        network
            .forward(&network.accumulate_read(board, network.see_board(board, bucket)))
            .value
    })
}
