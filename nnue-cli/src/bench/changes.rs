//! What it costs to find out which pairs of pieces a move changes, without touching a weight.

use std::hint::black_box;
use std::marker::PhantomData;

use nnue::{Architecture, AvailableLevel, Color, Position};
use nnue_runtime::features::{ChangedRows, PairSets, PairView, PieceMap};
use nnue_runtime::simd::{Simd, Task, dispatch};

use super::data::{Line, Step};
use super::replay::plies;
use super::timer::{Timer, Times};

/// Lists the rows of pairs that leave and enter both accumulators, ply by ply.
pub(crate) fn find<A: Architecture>(level: AvailableLevel, runs: &[Line], timer: Timer) -> Times {
    let mut rows = ChangedRows::new();
    let mut part = |run: &Line| {
        timer.time(|| dispatch(level, Find::<A> { steps: &run.steps, rows: &mut rows, network: PhantomData }))
    };
    Times { parts: runs.iter().map(&mut part).collect(), operations: plies(runs) }
}

struct Find<'a, A> {
    steps: &'a [Step],
    rows: &'a mut ChangedRows,
    network: PhantomData<A>,
}

impl<A: Architecture> Task for Find<'_, A> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        for step in self.steps {
            let after = PieceMap::new(&step.board);
            let before = after.undone([&step.change]);
            let views = Color::ALL.map(|side| PairView::new(side, step.board.king(side)));
            Color::ALL.into_iter().for_each(|side| self.rows.clear(side));
            A::Pairs::changes(simd, [&before, &after], views, self.rows);
            black_box(&mut *self.rows);
        }
    }
}
