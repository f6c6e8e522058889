//! Evaluates positions: accumulators first, then the layers.

use alloc::vec::Vec;

use nnue_spec::{HeadKind, RawOutput, Readers, Wdl, psqt_difference};

use super::network::Network;
use super::run::Start;
use super::scratch::Scratch;
use super::stack::{ChessGame, Stack};
use super::transformer::{Accumulator, Transformer};
use crate::accumulator::{Game, Node};
use crate::board::{Change, Color, Position, Predecessor, Snapshot};
use crate::feature_floats::MOST;
use crate::network::{Evaluation, RealEvaluation};
use crate::output::Output;
use crate::transform::Transform;

/// The bit of the output that gives the value.
const VALUE: Readers = 1;

/// The numbers of each named output, in the order of the descriptor.
pub type NamedNumbers = Vec<(&'static str, Vec<f32>)>;

/// The part of a position that the layers depend on.
#[derive(Clone, Copy)]
pub(super) struct Seen<'a> {
    /// the accumulators in reading order
    pub(super) accumulators: [&'a Accumulator; 2],
    pub(super) besides: Besides,
}

/// The inputs of an evaluation besides the accumulators.
#[derive(Clone, Copy, Debug)]
pub(super) struct Besides {
    pub(super) bucket: usize,
    pub(super) to_move: Color,
    /// the floats of the active features, which are added to the neurons of the output
    pub(super) floats: [f32; MOST],
}

impl Besides {
    pub(super) fn with_stack(self, bucket: usize) -> Self {
        Self { bucket, ..self }
    }
}

impl<'a> Seen<'a> {
    /// The sums that layers read, of both perspectives.
    #[inline(always)]
    pub(super) fn values(self) -> [&'a [i16]; 2] {
        // Written without `map`, which the compiler turns into a function.
        let [first, second] = self.accumulators;
        [
            Transformer::values(first)[0],
            Transformer::values(second)[1],
        ]
    }
}

impl Network {
    /// The evaluation of `position`.
    ///
    /// `stack` must have followed the moves that led to `position`; its accumulators are updated
    /// first. Memory is allocated only when a ply of the stack, or an entry of its refresh cache,
    /// is computed for the first time.
    #[inline]
    pub fn evaluate<P: Position + ?Sized>(&self, position: &P, stack: &mut Stack) -> Evaluation {
        Snapshot::with(position, |board| self.evaluate_board(board, stack))
    }

    /// Compiled once for all types of positions.
    fn evaluate_board(&self, board: &Snapshot<'_>, stack: &mut Stack) -> Evaluation {
        let (seen, scratch) = self.see(board, stack);
        self.judge(seen, scratch)
    }

    /// [`evaluate`](Self::evaluate) with the value before it is rounded.
    pub fn evaluate_real<P: Position + ?Sized>(
        &self,
        position: &P,
        stack: &mut Stack,
    ) -> RealEvaluation {
        Snapshot::with(position, |board| {
            let (seen, scratch) = self.see(board, stack);
            self.judge_real(seen, scratch)
        })
    }

    /// The output of the last layer for `position`, before it becomes a value: a float with all its
    /// bits, for example.
    pub fn output<P: Position + ?Sized>(&self, position: &P, stack: &mut Stack) -> RawOutput {
        Snapshot::with(position, |board| {
            let (seen, scratch) = self.see(board, stack);
            self.output_in(seen, scratch)
        })
    }

    pub(super) fn output_in(&self, seen: Seen<'_>, scratch: &mut Scratch) -> RawOutput {
        self.run(seen, VALUE, scratch);
        self.output_of(seen, scratch)
    }

    /// [`evaluate`](Self::evaluate) plus the numbers of each named output, in the order of the
    /// descriptor. A win-draw-loss output has the probabilities of a loss, a draw and a win; an
    /// output of rows has none.
    pub fn evaluate_with<P: Position + ?Sized>(
        &self,
        position: &P,
        stack: &mut Stack,
    ) -> (Evaluation, NamedNumbers) {
        Snapshot::with(position, |board| {
            let (seen, scratch) = self.see(board, stack);
            self.judge_with_names(seen, scratch)
        })
    }

    pub(super) fn judge_with_names(
        &self,
        seen: Seen<'_>,
        scratch: &mut Scratch,
    ) -> (Evaluation, NamedNumbers) {
        self.run(seen, Readers::MAX, scratch);
        let heads = self.program.heads.iter().map(|head| {
            let numbers = head.numbers(scratch);
            let wdl = |n: &[f32]| Wdl::new([n[0], n[1], n[2]]).probabilities().to_vec();
            (
                head.name,
                if head.kind == HeadKind::Wdl {
                    wdl(&numbers)
                } else {
                    numbers
                },
            )
        });
        (
            self.evaluation(seen, self.output_of(seen, scratch)),
            heads.collect(),
        )
    }

    /// Updates the accumulators of `stack` for `position`, as [`evaluate`](Self::evaluate) does,
    /// without evaluating.
    pub fn update<P: Position + ?Sized>(&self, position: &P, stack: &mut Stack) {
        Snapshot::with(position, |board| {
            self.current(board, stack);
        });
    }

    /// The evaluations of the positions after each of `changes`, which are moves of `position`.
    /// Replaces the contents of `evaluations`, one for each change and in the same order. See
    /// [`evaluate_children`](crate::Network::evaluate_children) of compiled networks.
    ///
    /// `stack` must have followed the moves that led to `position`, and stays there.
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
        line.children(&node, changes, |index, accumulators| {
            Snapshot::with(&position.after(&changes[index]), |board| {
                evaluations[index] = self.judge(
                    Seen {
                        accumulators,
                        besides: self.besides(board),
                    },
                    scratch,
                );
            });
        });
    }

    #[inline(always)]
    pub(super) fn besides(&self, board: &Snapshot<'_>) -> Besides {
        let floats = if self.params.floats.is_empty() {
            [0.0; MOST]
        } else {
            self.floats(board)
        };
        Besides {
            bucket: self.buckets[board.piece_count()].into(),
            to_move: board.side_to_move,
            floats,
        }
    }

    /// The floats of the features of the first perspective.
    #[inline(never)]
    fn floats(&self, board: &Snapshot<'_>) -> [f32; MOST] {
        let (rows, side) = (
            self.params.floats.rows(),
            self.perspectives.first(board.side_to_move),
        );
        ChessGame::active(&self.params.transformer, board, side, |pieces, pairs| {
            rows.sum(pieces, pairs)
        })
    }

    /// Positions of other networks are evaluated by other functions.
    pub(super) fn require_boards(&self) {
        assert!(
            self.net.is_of_chess(),
            "positions of `{}` are lists of rows: see `RowsStack`",
            self.net.name
        );
    }

    /// Makes this network the owner of `stack`; discards accumulators of another network.
    #[inline(always)]
    pub(super) fn bind(&self, stack: &mut Stack) {
        if stack.network != self.id {
            self.require_boards();
            stack.line.forget();
            stack.scratch = self.program.scratch();
            stack.network = self.id;
        }
    }

    /// The updated accumulators of the top of `stack`, and the memory of a forward pass.
    #[inline(always)]
    fn current<'s>(
        &self,
        board: &Snapshot<'_>,
        stack: &'s mut Stack,
    ) -> ([&'s Accumulator; 2], &'s mut Scratch) {
        self.bind(stack);
        let Stack { line, scratch, .. } = stack;
        let (level, transformer) = (self.level(), &self.params.transformer);
        (
            ChessGame::current(line, level, transformer, board, self.perspectives),
            scratch,
        )
    }

    /// [`Self::current`] with the other inputs of the layers.
    #[inline(always)]
    pub(super) fn see<'s>(
        &self,
        board: &Snapshot<'_>,
        stack: &'s mut Stack,
    ) -> (Seen<'s>, &'s mut Scratch) {
        let (accumulators, scratch) = self.current(board, stack);
        (
            Seen {
                accumulators,
                besides: self.besides(board),
            },
            scratch,
        )
    }

    #[inline(always)]
    pub(super) fn judge(&self, seen: Seen<'_>, scratch: &mut Scratch) -> Evaluation {
        self.judge_real(seen, scratch).evaluation
    }

    #[inline(always)]
    pub(super) fn judge_real(&self, seen: Seen<'_>, scratch: &mut Scratch) -> RealEvaluation {
        self.run(seen, VALUE, scratch);
        self.real_evaluation(seen, self.output_of(seen, scratch))
    }

    /// [`judge_real`](Self::judge_real), computing all layers, whether the value needs them or not.
    pub(super) fn judge_with_all(&self, seen: Seen<'_>, scratch: &mut Scratch) -> RealEvaluation {
        self.run(seen, Readers::MAX, scratch);
        self.real_evaluation(seen, self.output_of(seen, scratch))
    }

    /// Computes the layers that the `wanted` outputs need.
    #[inline(always)]
    fn run(&self, seen: Seen<'_>, wanted: Readers, scratch: &mut Scratch) {
        let accumulators = seen.values();
        let accumulators = &accumulators[..self.net.accumulator.perspectives];
        self.program.run(
            Start {
                level: self.level(),
                accumulators,
                stack: seen.besides.bucket,
            },
            wanted,
            scratch,
        );
    }

    /// The computed output of the last layer, plus the floats of features. Without floats nothing
    /// is added, so that -0.0 stays.
    #[inline(always)]
    fn output_of(&self, seen: Seen<'_>, scratch: &Scratch) -> RawOutput {
        let (output, floats) = (self.program.output(scratch), seen.besides.floats);
        match output {
            _ if self.params.floats.is_empty() => output,
            RawOutput::Float(float) => RawOutput::Float(float.plus(floats)),
            RawOutput::Wdl(wdl) => RawOutput::Wdl(wdl.plus(floats)),
            _ => output,
        }
    }

    /// The evaluation of a position from the output of the last layer.
    #[inline(always)]
    fn evaluation(&self, seen: Seen<'_>, output: RawOutput) -> Evaluation {
        self.real_evaluation(seen, output).evaluation
    }

    #[inline(always)]
    fn real_evaluation(&self, seen: Seen<'_>, output: RawOutput) -> RealEvaluation {
        let Seen {
            accumulators,
            besides: Besides {
                bucket, to_move, ..
            },
        } = seen;
        let [own, other] = [
            Transformer::psqt(accumulators[0]),
            Transformer::psqt(accumulators[1]),
        ];
        let psqt = match (own.get(bucket), other.get(bucket)) {
            (Some(&own), Some(&other)) => psqt_difference(own, other),
            _ => 0,
        };
        let positional = output.positional(self.net.value);
        let black_to_move = to_move == Color::Black;
        let evaluation = Evaluation {
            psqt,
            positional,
            bucket,
            value: self.net.value_of(psqt, positional, black_to_move),
        };
        RealEvaluation {
            evaluation,
            real: self.net.real_value_of(psqt, output, black_to_move),
        }
    }
}
