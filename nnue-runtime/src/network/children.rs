//! Evaluating the children of a position by one call.

use alloc::vec::Vec;

use super::seen::Seen;
use super::{AccumulatorStack, Evaluation, Network};
use crate::accumulator::Node;
use crate::architecture::Architecture;
use crate::board::{Change, Position, Predecessor, Snapshot};
use crate::feature_floats::MOST;

/// Children: the positions one move after another.
impl<A: Architecture> Network<A> {
    /// What the network says about the position after each of `changes`, which are moves of `position`: in `evaluations`, whose old contents
    /// are lost, one for each change and in the same order. Values are from the point of view of the side to move there, the other side.
    ///
    /// `stack` followed the moves that led to `position`, and is as deep afterwards. Every evaluation is what [`push`](AccumulatorStack::push),
    /// [`evaluate`](Self::evaluate) and [`pop`](AccumulatorStack::pop) give. But no board is needed for the children, moves of one piece share
    /// the work of taking it off its square, and no accumulator of a child is kept: use this where few of the children will be searched, to
    /// order moves or to prune them. Nothing is allocated if `evaluations` has room and the line was two plies longer before.
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
