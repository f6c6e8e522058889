//! What it costs to find out which pairs of pieces a move changes, without touching a weight.

use std::hint::black_box;
use std::marker::PhantomData;

use nnue::{Architecture, AvailableLevel, Color, Position};
use nnue_runtime::features::{PairSets, PairView, PieceMap, RowChange, RowSink};
use nnue_runtime::simd::{Simd, Task, dispatch};

use super::data::{Line, Step};
use super::replay::plies;
use super::timer::{Timer, Times};

/// More rows than a move of the built-in games changes for one side.
const MOST: usize = 512;

/// Lists the rows of pairs that leave and enter both accumulators, ply by ply.
pub(crate) fn find<A: Architecture>(level: AvailableLevel, runs: &[Line], timer: Timer) -> Times {
    let mut lists = Lists { rows: [[0; MOST]; 4], lengths: [0; 4] };
    let mut part = |run: &Line| {
        timer.time(|| dispatch(level, Find::<A> { steps: &run.steps, lists: &mut lists, network: PhantomData }))
    };
    Times { parts: runs.iter().map(&mut part).collect(), operations: plies(runs) }
}

/// Rows that are removed and added, of both sides.
struct Lists {
    rows: [[u32; MOST]; 4],
    lengths: [usize; 4],
}

impl RowSink<2> for Lists {
    #[inline(always)]
    fn push(&mut self, change: RowChange, rows: [Option<u32>; 2]) {
        for (side, row) in rows.into_iter().enumerate() {
            let list = 2 * change as usize + side;
            let length = self.lengths[list];
            self.rows[list][length % MOST] = row.unwrap_or(0);
            self.lengths[list] = length + usize::from(row.is_some());
        }
    }
}

struct Find<'a, A> {
    steps: &'a [Step],
    lists: &'a mut Lists,
    network: PhantomData<A>,
}

impl<A: Architecture> Task for Find<'_, A> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _simd: S) {
        for step in self.steps {
            let after = PieceMap::new(&step.board);
            let before = after.undone([&step.change]);
            let views = Color::ALL.map(|side| PairView::new(side, step.board.king(side)));
            self.lists.lengths = [0; 4];
            A::Pairs::changes(&before, &after, views, self.lists);
            black_box(&mut *self.lists);
        }
    }
}
