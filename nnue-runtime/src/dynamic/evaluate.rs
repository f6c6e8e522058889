//! Evaluating positions: accumulators first, then the layers.

use alloc::vec::Vec;

use nnue_spec::{HeadKind, RawOutput, Readers, Wdl, psqt_difference};

use super::network::Network;
use super::run::Start;
use super::scratch::Scratch;
use super::stack::{ChessGame, Stack};
use super::transformer::{Accumulator, Transformer};
use crate::accumulator::{Game, Node};
use crate::board::{Change, Color, Position, Predecessor, Snapshot};
use crate::network::Evaluation;
use crate::transform::Transform;

/// The output that gives the value.
const VALUE: Readers = 1;

/// A position, as far as the layers depend on it.
#[derive(Clone, Copy)]
pub(super) struct Seen<'a> {
    /// the accumulators in the order in which they are read
    pub(super) accumulators: [&'a Accumulator; 2],
    pub(super) bucket: usize,
    pub(super) to_move: Color,
}

impl<'a> Seen<'a> {
    /// The sums that layers read, of both perspectives.
    #[inline(always)]
    pub(super) fn values(self) -> [&'a [i16]; 2] {
        // Without `map`, of which the compiler makes a function.
        let [first, second] = self.accumulators;
        [Transformer::values(first)[0], Transformer::values(second)[1]]
    }
}

impl Network {
    /// What the network says about `position`.
    ///
    /// `stack` followed the moves that led to `position`; its accumulators are brought up to date first. Memory is allocated when a ply of the
    /// stack, or a place of its refresh cache, is computed for the first time, and never again.
    #[inline]
    pub fn evaluate<P: Position + ?Sized>(&self, position: &P, stack: &mut Stack) -> Evaluation {
        Snapshot::with(position, |board| self.evaluate_board(board, stack))
    }

    /// Compiled once for all types of positions.
    fn evaluate_board(&self, board: &Snapshot<'_>, stack: &mut Stack) -> Evaluation {
        self.current(board, stack, |seen, scratch| self.judge(seen, scratch))
    }

    /// What comes out of the last layer for `position`, before it becomes a value: a float with all its bits, for example.
    pub fn output<P: Position + ?Sized>(&self, position: &P, stack: &mut Stack) -> RawOutput {
        Snapshot::with(position, |board| {
            self.current(board, stack, |seen, scratch| {
                self.run(seen, VALUE, scratch);
                self.program.output(scratch)
            })
        })
    }

    /// What [`evaluate`](Self::evaluate) says, and the numbers of each output with a name of its own, in the order of the description; of an output of
    /// win, draw and loss the probabilities of a loss, a draw and a win, and none of an output of rows.
    pub fn evaluate_with<P: Position + ?Sized>(
        &self,
        position: &P,
        stack: &mut Stack,
    ) -> (Evaluation, Vec<(&'static str, Vec<f32>)>) {
        Snapshot::with(position, |board| {
            self.current(board, stack, |seen, scratch| {
                self.run(seen, Readers::MAX, scratch);
                let heads = self.program.heads.iter().map(|head| {
                    let numbers = head.numbers(scratch);
                    let wdl = |n: &[f32]| Wdl::new([n[0], n[1], n[2]]).probabilities().to_vec();
                    (head.name, if head.kind == HeadKind::Wdl { wdl(&numbers) } else { numbers })
                });
                (self.evaluation(seen, self.program.output(scratch)), heads.collect())
            })
        })
    }

    /// Brings the accumulators of `stack` up to date for `position`, as [`evaluate`](Self::evaluate) does, and evaluates nothing.
    pub fn update<P: Position + ?Sized>(&self, position: &P, stack: &mut Stack) {
        Snapshot::with(position, |board| self.current(board, stack, |_, _| ()));
    }

    /// What the network says about the position after each of `changes`, which are moves of `position`: in `evaluations`, whose old contents
    /// are lost, one for each change and in the same order. See [`evaluate_children`](crate::Network::evaluate_children) of compiled networks.
    ///
    /// `stack` followed the moves that led to `position`, and stays there.
    pub fn evaluate_children<P: Position>(
        &self,
        position: &P,
        changes: &[Change],
        stack: &mut Stack,
        evaluations: &mut Vec<Evaluation>,
    ) {
        self.bind(stack);
        evaluations.clear();
        evaluations.resize(changes.len(), Evaluation::default());
        let position = Predecessor::new(position);
        let Stack { line, scratch, .. } = stack;
        let node = Node {
            level: self.level(),
            transformer: &self.params.transformer,
            position: &position,
            perspectives: self.perspectives,
        };
        let to_move = position.side_to_move().other();
        line.children(&node, changes, |index, accumulators| {
            let pieces = position.after(&changes[index]).occupied().count_ones() as usize;
            let bucket = self.bucket_of(pieces);
            evaluations[index] = self.judge(Seen { accumulators, bucket, to_move }, scratch);
        });
    }

    /// The layer stack for so many pieces.
    #[inline(always)]
    fn bucket_of(&self, pieces: usize) -> usize {
        self.buckets[pieces].into()
    }

    /// The layer stack for a position.
    #[inline(always)]
    pub(super) fn bucket(&self, board: &Snapshot<'_>) -> usize {
        self.bucket_of(board.piece_count())
    }

    /// From here on everything in `stack` is computed by this network.
    #[inline(always)]
    pub(super) fn bind(&self, stack: &mut Stack) {
        if stack.network != self.id {
            stack.line.forget();
            stack.scratch = self.program.scratch();
            stack.network = self.id;
        }
    }

    /// Calls `read` with the accumulators of the top of `stack`, brought up to date.
    #[inline(always)]
    pub(super) fn current<R>(
        &self,
        board: &Snapshot<'_>,
        stack: &mut Stack,
        read: impl FnOnce(Seen<'_>, &mut Scratch) -> R,
    ) -> R {
        self.bind(stack);
        let (level, transformer) = (self.level(), &self.params.transformer);
        let Stack { line, scratch, .. } = stack;
        let accumulators = ChessGame::current(line, level, transformer, board, self.perspectives);
        read(Seen { accumulators, bucket: self.bucket(board), to_move: board.side_to_move }, scratch)
    }

    /// The evaluation of a position.
    #[inline(always)]
    pub(super) fn judge(&self, seen: Seen<'_>, scratch: &mut Scratch) -> Evaluation {
        self.run(seen, VALUE, scratch);
        self.evaluation(seen, self.program.output(scratch))
    }

    /// As [`judge`](Self::judge), and computes all layers, whether the value needs them or not.
    pub(super) fn judge_with_all(&self, seen: Seen<'_>, scratch: &mut Scratch) -> Evaluation {
        self.run(seen, Readers::MAX, scratch);
        self.evaluation(seen, self.program.output(scratch))
    }

    /// Computes what the `wanted` outputs need.
    #[inline(always)]
    fn run(&self, seen: Seen<'_>, wanted: Readers, scratch: &mut Scratch) {
        let accumulators = seen.values();
        let accumulators = &accumulators[..self.net.accumulator.perspectives];
        self.program.run(Start { level: self.level(), accumulators, stack: seen.bucket }, wanted, scratch);
    }

    /// The evaluation of a position, of which the last layer says `output`.
    #[inline(always)]
    fn evaluation(&self, seen: Seen<'_>, output: RawOutput) -> Evaluation {
        let Seen { accumulators, bucket, to_move } = seen;
        let [own, other] = [Transformer::psqt(accumulators[0]), Transformer::psqt(accumulators[1])];
        let psqt = match (own.get(bucket), other.get(bucket)) {
            (Some(&own), Some(&other)) => psqt_difference(own, other),
            _ => 0,
        };
        let positional = output.positional(self.net.value);
        let value = self.net.value_of(psqt, positional, to_move == Color::Black);
        Evaluation { psqt, positional, bucket, value }
    }
}
