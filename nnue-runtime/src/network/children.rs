//! Evaluates the children of a position in one call.

use alloc::vec::Vec;

use super::seen::Seen;
use super::{AccumulatorStack, Evaluation, Network};
use crate::accumulator::Node;
use crate::architecture::Architecture;
use crate::board::{Change, Position, Predecessor, Snapshot};
use crate::feature_floats::MOST;

/// Children: the positions one move later.
impl<A: Architecture> Network<A> {
    /// Evaluates the positions after each of `changes`, which are moves of `position`. Replaces the
    /// contents of `evaluations`, one for each change and in the same order. Values are from the
    /// point of view of the side to move there, the other side.
    ///
    /// `stack` must have followed the moves that led to `position`, and keeps its depth. Every
    /// evaluation equals that of [`push`](AccumulatorStack::push), [`evaluate`](Self::evaluate) and
    /// [`pop`](AccumulatorStack::pop). But the children need no board, moves of one piece share the
    /// work of taking it off its square, and no accumulator of a child is kept. Use this to order
    /// or prune moves, when few of the children will be searched. Nothing is allocated if
    /// `evaluations` has room and the line was once two plies longer.
    ///
    /// ```
    /// # use nnue_runtime::{AccumulatorStack, Architecture, Change, Network, Position};
    /// /// The index of the move after which the network likes the other side's position least.
    /// fn favourite<MyNet: Architecture>(
    ///     network: &Network<MyNet>,
    ///     position: &impl Position,
    ///     moves: &[Change],
    ///     stack: &mut AccumulatorStack<MyNet>,
    /// ) -> Option<usize> {
    ///     let mut evaluations = Vec::new();
    ///     network.evaluate_children(position, moves, stack, &mut evaluations);
    ///     (0..moves.len()).min_by_key(|&index| evaluations[index].value)
    /// }
    /// ```
    pub fn evaluate_children<P: Position>(
        &self,
        position: &P,
        changes: &[Change],
        stack: &mut AccumulatorStack<A>,
        evaluations: &mut Vec<Evaluation>,
    ) {
        stack.bind(self.id);
        evaluations.clear();
        evaluations.resize(changes.len(), Evaluation::default());
        let position = Predecessor::new(position);
        let node = Node {
            level: self.level(),
            transformer: A::transformer(&self.params),
            position: &position,
            perspectives: Self::PERSPECTIVES,
        };
        stack.line.children(&node, changes, |index, [us, them]| {
            let child = position.after(&changes[index]);
            let pieces = child.occupied().count_ones() as usize;
            let bucket = A::stack(&child, pieces).min(A::SPEC.stacks.count - 1);
            let seen = match const { Self::HAS_FLOATS } {
                true => Snapshot::with(&child, |board| self.see_board(board, bucket)),
                false => Seen {
                    bucket,
                    to_move: child.side_to_move(),
                    floats: [0.0; MOST],
                },
            };
            evaluations[index] = self.judge(us, them, seen);
        });
    }
}
