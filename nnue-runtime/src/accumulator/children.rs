//! The children of the top: accumulators that are computed, read once, and discarded.
//!
//! ```text
//!   parent ── a piece is lifted ──► start            once for all its moves; a piece with one move starts from the parent
//!                                     │ it is put down, and what it captures is taken off
//!                                     ▼
//!                                   child ──► judge  one pair of accumulators, overwritten by the next child
//! ```
//!
//! The rows of a child are found and prefetched before the previous child is judged, so that they
//! arrive while its layers run. Moves of kings, after which a side's view may differ, are pushed
//! and popped like plies. So are all moves if rows depend on attacks.

use super::chess::{Chess, ChessLine, SetsOf};
use super::perspectives::Perspectives;
use super::rows::ChangeRows;
use crate::board::{Change, Color, Predecessor, Snapshot, Square, squares_of};
use crate::both::both;
use crate::features::{PairView, PieceMap, Sets, View};
use crate::simd::AvailableLevel;
use crate::transform::{Frame, RowChanges, Transform};

/// The child's accumulators are this many plies after the top.
const CHILD: usize = 1;

/// The accumulators of the board with a lifted piece are this many plies after the top.
const LIFTED: usize = 2;

/// The position at the top, and the context for computing its children.
pub(crate) struct Node<'a, T> {
    pub(crate) level: AvailableLevel,
    pub(crate) transformer: &'a T,
    pub(crate) position: &'a Predecessor,
    pub(crate) perspectives: Perspectives,
}

impl<T: Transform> Node<'_, T> {
    /// The sides in the order in which the children's layers read their accumulators.
    #[inline(always)]
    fn sides(&self) -> [Color; 2] {
        self.perspectives
            .sides(self.position.side_to_move().other())
    }

    /// By side, the side whose accumulator is known at the top: itself, unless only one is read.
    #[inline(always)]
    fn known(&self) -> [Color; 2] {
        if self.perspectives.reads_both() {
            Color::ALL
        } else {
            [self.sides()[0]; 2]
        }
    }

    /// `target = source` changed by `rows`, for each side that is read.
    #[inline(always)]
    fn pass(
        &self,
        source: [&T::Accumulator; 2],
        target: &mut [T::Accumulator; 2],
        rows: [RowChanges<'_>; 2],
    ) {
        if self.perspectives.reads_both() {
            self.transformer
                .pass_both(self.level, source, target.each_mut(), rows);
        } else {
            let [side, _] = self.sides();
            let frame = Frame::Step {
                source: source[side.index()],
                target: &mut target[side.index()],
            };
            self.transformer.pass(self.level, frame, rows[side.index()]);
        }
    }
}

/// The common start of the moves of one piece.
struct Start<'a> {
    /// the views of both sides; no king leaves them
    views: &'a [(View, PairView); 2],
    /// the board of the accumulators that the moves start from
    board: PieceMap,
    /// whether the piece is lifted from `board`
    is_lifted: bool,
}

/// By side, the rows of pieces that lead to a child. The rows of pairs are in the lists of the
/// line.
type Step = [ChangeRows; 2];

impl<F: 'static, X: 'static, T: Transform> ChessLine<F, X, T>
where
    Chess<F, X>: SetsOf<T>,
{
    /// Calls `judge` once for each of `changes`, with its index and its accumulators in reading
    /// order.
    pub(crate) fn children(
        &mut self,
        node: &Node<'_, T>,
        changes: &[Change],
        mut judge: impl FnMut(usize, [&T::Accumulator; 2]),
    ) {
        // The children read these accumulators of the parent: as if the other side were to move.
        Snapshot::with(&node.position.after(&Change::null()), |board| {
            self.current(node.level, node.transformer, board, node.perspectives);
        });
        self.reserve(LIFTED);
        let sets = Chess::sets(node.transformer);
        let mut squares = 0;
        for (index, change) in changes.iter().enumerate() {
            match lifted_from(change).filter(|_| !sets.sees_attacks()) {
                Some(square) => squares |= square.bit(),
                None => self.child_alone(node, change, |accumulators| judge(index, accumulators)),
            }
        }
        let kings = both(Color::ALL, |side| (side, node.position.king(side)));
        let views = both(kings, |(side, king)| {
            (sets.view(side, king), PairView::new(side, king))
        });
        let board = PieceMap::of_boards(node.position.boards());
        for square in squares_of(squares) {
            let siblings = changes
                .iter()
                .enumerate()
                .filter(|(_, change)| lifted_from(change) == Some(square));
            self.siblings(
                node,
                Start {
                    views: &views,
                    board,
                    is_lifted: false,
                },
                siblings,
                &mut judge,
            );
        }
    }

    #[inline(never)]
    fn child_alone(
        &mut self,
        node: &Node<'_, T>,
        change: &Change,
        judge: impl FnOnce([&T::Accumulator; 2]),
    ) {
        self.push(Some(*change));
        Snapshot::with(&node.position.after(change), |board| {
            judge(self.current(node.level, node.transformer, board, node.perspectives));
        });
        self.pop();
    }

    fn siblings<'c>(
        &mut self,
        node: &Node<'_, T>,
        mut start: Start<'_>,
        mut siblings: impl Iterator<Item = (usize, &'c Change)>,
        judge: &mut impl FnMut(usize, [&T::Accumulator; 2]),
    ) {
        let Some(mut this) = siblings.next() else {
            return;
        };
        let mut next = siblings.next();
        if next.is_some()
            && let Some([lift, _]) = this.1.split()
        {
            let step = self.plan(node, &start, &lift);
            self.derive(node, false, LIFTED, &step);
            start = Start {
                board: start.board.after(&lift),
                is_lifted: true,
                ..start
            };
        }
        let mut step = self.plan(node, &start, this.1);
        loop {
            self.derive(node, start.is_lifted, CHILD, &step);
            if let Some((_, change)) = next {
                step = self.plan(node, &start, change);
            }
            let child = &self.accumulators[self.depth() + CHILD];
            judge(this.0, node.sides().map(|side| &child[side.index()]));
            let Some(sibling) = next else { return };
            (this, next) = (sibling, siblings.next());
        }
    }

    /// Finds the rows that lead from `start` to the position after `change`, and prefetches the
    /// added ones.
    #[inline(never)]
    fn plan(&mut self, node: &Node<'_, T>, start: &Start<'_>, change: &Change) -> Step {
        let change = match change.split() {
            Some([_, rest]) if start.is_lifted => rest,
            _ => *change,
        };
        let sets = Chess::sets(node.transformer);
        let step = both(start.views.each_ref(), |(view, _)| {
            ChangeRows::of(sets, *view, &change)
        });
        for rows in &step {
            rows.added
                .as_slice()
                .iter()
                .for_each(|&row| node.transformer.prefetch(row));
        }
        if sets.has_pairs() {
            let boards = [&start.board, &start.board.after(&change)];
            let views = both(*start.views, |(_, view)| view);
            self.work
                .pairs
                .collect_changes(sets, node.level, node.transformer, boards, &views);
        }
        step
    }

    /// Computes the accumulators `place` plies after the top: from those with the lifted piece, or
    /// from the top's.
    #[inline(never)]
    fn derive(
        &mut self,
        node: &Node<'_, T>,
        from_lifted: bool,
        place: usize,
        [white, black]: &Step,
    ) {
        let (sets, top) = (Chess::sets(node.transformer), self.depth());
        let Self {
            plies,
            accumulators,
            work,
        } = self;
        let rows = both(
            [(Color::White, white), (Color::Black, black)],
            |(side, rows)| {
                let pieces = rows.as_changes();
                let [pairs_added, pairs_removed] = if sets.has_pairs() {
                    work.pairs.rows(side)
                } else {
                    [&[][..]; 2]
                };
                RowChanges {
                    pairs_added,
                    pairs_removed,
                    ..pieces
                }
            },
        );
        let (before, after) = accumulators.split_at_mut(top + 1);
        let (child, lifted) = after.split_at_mut(LIFTED - CHILD);
        let (child, lifted) = (&mut child[0], &mut lifted[0]);
        let located = &plies[top].located;
        let parent = both(node.known(), |side| {
            &before[located[side.index()] as usize][side.index()]
        });
        let (source, target) = match (from_lifted, place) {
            (true, _) => (lifted.each_ref(), child),
            (false, LIFTED) => (parent, lifted),
            (false, _) => (parent, child),
        };
        node.pass(source, target, rows);
    }
}

/// The square from which a change lifts a piece, unless it touches a king.
#[inline(always)]
fn lifted_from(change: &Change) -> Option<Square> {
    let moves_king = Color::ALL.into_iter().any(|side| change.touches_king(side));
    change
        .removed()
        .first()
        .filter(|_| !moves_king)
        .map(|lifted| lifted.square)
}
