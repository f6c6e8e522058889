//! The check of a network with activations that are functions of the program, which only a compiled network has.

use nnue::spec::reference::{self, CustomActivations};
use nnue::{Architecture, Level, Network, Parameters};
use shakmaty::Chess;

use crate::support::reference_board;

/// Compares all numbers of a network with the interpreter, which is given the functions, on every level.
pub(crate) fn compare_with_functions<A: Architecture>(
    mut network: Network<A>,
    positions: &[Chess],
    functions: CustomActivations<'_>,
) {
    for level in Level::available() {
        network = network.with_level(level);
        for position in positions {
            let (tensors, board) = (network.params().tensors(), reference_board(position));
            let expected = reference::evaluate_custom(&A::SPEC, &tensors, &board, functions);
            let found = network.intermediate(&network.accumulate(position), functions);
            let stack = &expected.stacks[expected.bucket];
            assert_eq!(&found, stack, "{level}: {position:?}");
            let value = network.evaluate_fresh(position).value;
            assert_eq!(value, expected.value, "{level}: {position:?}");
        }
    }
}
