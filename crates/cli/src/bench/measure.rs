//! The measured loops, compiled once for all networks. Their calls take a hundred nanoseconds or more, so the
//! overhead of a trait object is negligible.

use std::hint::black_box;

use nnue::Change;

use super::changes;
use super::data::{Data, Line, Tree};
use super::replay::{self, plies};
use super::timer::{Timer, Times};
use super::weights::Weights;
use super::workload::Workload;
use crate::input::Placement;
use crate::network::{AnyNetwork, Stack};

/// Positions of the rotating forward pass, and rounds over them.
const ROTATING: usize = 64;
const ROUNDS: usize = 16;

/// Unrelated positions in a timed part: as many as a run has plies.
const TOGETHER: usize = 16;

/// Runs `workload` once. A forward pass reads `layer_bytes`.
pub(crate) fn measure(
    network: &dyn AnyNetwork,
    workload: Workload,
    data: &Data,
    layer_bytes: usize,
    timer: Timer,
) -> Times {
    let measured = Measured { network, timer };
    let (level, rows) = (network.level(), network.rows());
    match workload {
        Workload::Read => replay::read(level, rows, &Weights::of(network), &data.runs, timer),
        Workload::ReadLayers => {
            let weights = Weights::of(network).pieces;
            replay::read_again(
                level,
                &weights[..(layer_bytes / 2).min(weights.len())],
                timer,
            )
        }
        Workload::Replay => replay::replay(level, rows, &Weights::of(network), &data.runs, timer),
        Workload::Changes => changes::find(rows, level, &data.runs, timer),
        Workload::Update => measured.runs(&data.runs, |board, stack| stack.update(board)),
        Workload::Nk => measured.runs(&data.runs, |board, stack| {
            black_box(stack.evaluate(board));
        }),
        Workload::Line => measured.lines(&data.games),
        Workload::Tree => measured.trees(&data.trees),
        Workload::Children => measured.children(&data.trees),
        Workload::RefreshCleared => measured.refresh(&data.suite, |stack| stack.clear()),
        Workload::RefreshWarm => measured.refresh(&data.suite, |stack| stack.reset()),
        Workload::RefreshSame => measured.refresh_same(&data.suite),
        Workload::ForwardContext => measured.forward_context(&data.runs),
        Workload::ForwardRotating => measured.forward_rotating(&data.suite),
    }
}

struct Measured<'a> {
    network: &'a dyn AnyNetwork,
    timer: Timer,
}

impl Measured<'_> {
    /// Every ply of the runs. The root is evaluated before the clock starts.
    fn runs(&self, runs: &[Line], evaluate: impl Fn(&Placement, &mut dyn Stack)) -> Times {
        let mut stack = self.network.stack();
        let part = |run: &Line| {
            stack.reset();
            evaluate(&run.root, &mut *stack);
            self.timer.time(|| {
                for step in &run.steps {
                    stack.push(step.change);
                    evaluate(&step.board, &mut *stack);
                }
            })
        };
        Times {
            parts: runs.iter().map(part).collect(),
            operations: plies(runs),
        }
    }

    /// Whole games, minus the time of the same loop without evaluation.
    fn lines(&self, games: &[Line]) -> Times {
        let evaluated = self.play(games, |board, stack| {
            black_box(stack.evaluate(board));
        });
        let walked = self.play(games, |board, _| {
            black_box(board);
        });
        Times {
            parts: less(&evaluated, &walked),
            operations: plies(games),
        }
    }

    fn play(&self, games: &[Line], visit: impl Fn(&Placement, &mut dyn Stack)) -> Vec<f64> {
        let mut stack = self.network.stack();
        let play = |game: &Line| {
            stack.reset();
            black_box(stack.evaluate(&game.root));
            self.timer.time(|| {
                for step in &game.steps {
                    stack.push(step.change);
                    visit(&step.board, &mut *stack);
                }
            })
        };
        games.iter().map(play).collect()
    }

    /// All leaves, minus the time of the same walk without evaluation. Each first move is a part.
    fn trees(&self, trees: &[Tree]) -> Times {
        let evaluated = self.walk(trees, |board, stack| {
            black_box(stack.evaluate(board));
        });
        let walked = self.walk(trees, |board, _| {
            black_box(board);
        });
        let leaves = trees
            .iter()
            .flat_map(|tree| &tree.branches)
            .map(|(_, replies)| replies.len())
            .sum();
        Times {
            parts: less(&evaluated, &walked),
            operations: leaves,
        }
    }

    fn walk(&self, trees: &[Tree], leaf: impl Fn(&Placement, &mut dyn Stack)) -> Vec<f64> {
        let mut stack = self.network.stack();
        let mut parts = Vec::new();
        for tree in trees {
            stack.reset();
            black_box(stack.evaluate(&tree.root));
            for (first, replies) in &tree.branches {
                parts.push(self.timer.time(|| {
                    stack.push(first.change);
                    for step in replies {
                        stack.push(step.change);
                        leaf(&step.board, &mut *stack);
                        stack.pop();
                    }
                    stack.pop();
                }));
            }
        }
        parts
    }

    /// All leaves of each first move in one call.
    fn children(&self, trees: &[Tree]) -> Times {
        trees.iter().for_each(|tree| self.check_children(tree));
        let mut stack = self.network.stack();
        let (mut parts, mut operations) = (Vec::new(), 0);
        for tree in trees {
            stack.reset();
            black_box(stack.evaluate(&tree.root));
            for (first, replies) in &tree.branches {
                let changes: Vec<Change> = replies.iter().map(|step| step.change).collect();
                parts.push(self.timer.time(|| {
                    stack.push(first.change);
                    black_box(stack.evaluate_children(&first.board, &changes));
                    stack.pop();
                }));
                operations += changes.len();
            }
        }
        Times { parts, operations }
    }

    /// Checks that children evaluated together have the same values as one by one.
    fn check_children(&self, tree: &Tree) {
        let [mut together, mut single] = [self.network.stack(), self.network.stack()];
        for (first, replies) in &tree.branches {
            let changes: Vec<Change> = replies.iter().map(|step| step.change).collect();
            together.reset();
            let children = together.evaluate_children(&first.board, &changes);
            assert_eq!(children.len(), replies.len());
            for (child, step) in children.iter().zip(replies) {
                single.reset();
                assert_eq!(*child, single.evaluate(&step.board).evaluation);
            }
        }
    }

    /// Every position once, [`TOGETHER`] in a row. The time includes `forget`.
    fn refresh(&self, positions: &[Placement], forget: impl Fn(&mut dyn Stack)) -> Times {
        let mut stack = self.network.stack();
        let part = |boards: &[Placement]| {
            self.timer.time(|| {
                for board in boards {
                    forget(&mut *stack);
                    black_box(stack.evaluate(board));
                }
            })
        };
        Times {
            parts: positions.chunks(TOGETHER).map(part).collect(),
            operations: positions.len(),
        }
    }

    /// Every position a second time, timed alone.
    fn refresh_same(&self, positions: &[Placement]) -> Times {
        let mut stack = self.network.stack();
        let part = |board: &Placement| {
            stack.reset();
            black_box(stack.evaluate(board));
            stack.reset();
            self.timer.time(|| {
                black_box(stack.evaluate(board));
            })
        };
        Times {
            parts: positions.iter().map(part).collect(),
            operations: positions.len(),
        }
    }

    /// The forward pass along runs. Accumulators are computed and the root is evaluated before the clock
    /// starts, as in [`Self::runs`], since the cache contents that play leaves behind are part of the
    /// context.
    fn forward_context(&self, runs: &[Line]) -> Times {
        let part = |run: &Line| {
            let accumulated = self
                .network
                .accumulate(&mut run.steps.iter().map(|step| &step.board));
            let root = self.network.accumulate(&mut std::iter::once(&run.root));
            root.forward_all();
            self.timer.time(|| accumulated.forward_all())
        };
        Times {
            parts: runs.iter().map(part).collect(),
            operations: plies(runs),
        }
    }

    fn forward_rotating(&self, positions: &[Placement]) -> Times {
        let every = positions.len() / ROTATING;
        let accumulated = self
            .network
            .accumulate(&mut positions.iter().step_by(every).take(ROTATING));
        let round = |_| self.timer.time(|| accumulated.forward_all());
        Times {
            parts: (0..ROUNDS).map(round).collect(),
            operations: ROUNDS * accumulated.count(),
        }
    }
}

/// Subtracts the parts pairwise.
fn less(times: &[f64], others: &[f64]) -> Vec<f64> {
    times
        .iter()
        .zip(others)
        .map(|(time, other)| time - other)
        .collect()
}
