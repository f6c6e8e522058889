//! Golden values: what every load compares with the network's own evaluation.

use nnue_format::{LoadError, check_golden};

use super::Network;
use crate::architecture::{Model, Parameters, ReadsGolden};

/// Compares the golden values with what the network says. Where there are none, nothing of this is in the program.
pub(super) fn check<A: Model>(network: &Network<A>) -> Result<(), LoadError> {
    if const { !A::SPEC.has_goldens() } {
        return Ok(());
    }
    check_golden(&A::SPEC, &network.params().tensors(), &|index| {
        value(network, index)
    })
}

/// The value of golden position `index`, if it is one of the network's game.
fn value<A: Model>(network: &Network<A>, index: usize) -> Option<i32> {
    A::Game::with_golden(index, |board, bucket| {
        network
            .forward(&network.accumulate_read(board, network.see_board(board, bucket)))
            .value
    })
}
