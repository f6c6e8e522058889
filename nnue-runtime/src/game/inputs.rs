//! The feature set of a game.

use super::rows::{ChangedRows, Rows};
use crate::board::Color;

/// A feature set of a game: which rows of the first weight matrix are active in a position, seen
/// from one side, and which rows a change of the position adds and removes.
///
/// Incremental accumulators rely on this law: for every change from a position `p` to a position
/// `q`, every side and **every view** that any position has,
///
/// ```text
///   active(q, side, view)  =  active(p, side, view)  -  removed  +  added         of changed(change, side, view)
/// ```
///
/// as lists in which a row may occur more than once. [`check_change`](super::check_change) checks
/// it in tests. Nothing needs to be defined for refreshes: when the view of a side changes, the
/// stack looks for an earlier position with the new view, or starts from the most similar
/// accumulator that it kept.
///
/// Ataxx, on a board of 7 x 7 squares, with 3 x 49 features (own stones, enemy stones, blocked
/// squares):
///
/// ```
/// use nnue_runtime::Color;
/// use nnue_runtime::game::{ChangedRows, Inputs, Rows};
///
/// /// Bit `s` stands for square `s`; stones by colour.
/// struct Board {
///     stones: [u64; 2],
///     blocked: u64,
///     to_move: Color,
/// }
///
/// /// A stone of `mover` is put down on the squares `put`, lifted from `lifted`, and those on `flipped` change sides.
/// struct Change {
///     mover: Color,
///     put: u64,
///     lifted: u64,
///     flipped: u64,
/// }
///
/// struct Ataxx;
///
/// fn squares(board: u64) -> impl Iterator<Item = u32> {
///     (0..49).filter(move |square| board >> square & 1 == 1)
/// }
///
/// impl Inputs for Ataxx {
///     type Position = Board;
///     type Change = Change;
///     type View = (); // both sides see the board as it lies, wherever the stones are
///     const ROWS: usize = 147;
///
///     fn side_to_move(board: &Board) -> Color {
///         board.to_move
///     }
///
///     fn view(_: &Board, _: Color) {}
///
///     fn active(board: &Board, side: Color, (): (), rows: &mut Rows) {
///         squares(board.stones[side.index()]).for_each(|square| rows.add(square));
///         squares(board.stones[side.other().index()]).for_each(|square| rows.add(49 + square));
///         squares(board.blocked).for_each(|square| rows.add(98 + square));
///     }
///
///     fn changed(change: &Change, side: Color, (): (), rows: &mut ChangedRows) {
///         let (mover, other) = if change.mover == side { (0, 49) } else { (49, 0) };
///         squares(change.put | change.flipped).for_each(|square| rows.add(mover + square));
///         squares(change.lifted).for_each(|square| rows.remove(mover + square));
///         squares(change.flipped).for_each(|square| rows.remove(other + square));
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a feature set of a game",
    label = "does not implement `nnue::game::Inputs`",
    note = "implement `nnue::game::Inputs` for it: which rows are active in a position, and which rows a change changes"
)]
pub trait Inputs: Send + Sync + 'static {
    /// The user's board.
    type Position: ?Sized;
    /// The change of a move, as the user's move generator describes it.
    type Change: Send + Sync + 'static;
    /// Everything that the rows of a side depend on besides the changes that
    /// [`changed`](Self::changed) reports: the own king's square, a bucket, whether the board is
    /// mirrored. `()` if there is nothing.
    type View: Copy + PartialEq + Send + Sync + 'static;

    /// Rows of the weight matrix, as in the declaration.
    const ROWS: usize;
    /// The number of accumulators that are kept for each side as starting points of refreshes.
    const SLOTS: usize = 1;

    /// The side to move. The side that begins a game is white, whatever its name in the game.
    fn side_to_move(position: &Self::Position) -> Color;

    /// The view that `side` has of the board.
    fn view(position: &Self::Position, side: Color) -> Self::View;

    /// Which of the kept accumulators is likely to be similar to one of this view;
    /// [`SLOTS`](Self::SLOTS) and greater numbers count as the last. The result of an evaluation
    /// does not depend on it.
    fn slot(view: Self::View) -> usize {
        let _ = view;
        0
    }

    /// Adds the rows that are active for `side` in `position` with the view `view`, in any order.
    fn active(position: &Self::Position, side: Color, view: Self::View, rows: &mut Rows);

    /// Adds the rows that `change` removes and adds for `side` with the view `view`.
    fn changed(change: &Self::Change, side: Color, view: Self::View, rows: &mut ChangedRows);
}

impl Rows {
    /// An empty list for the rows of `I`.
    pub fn new<I: Inputs>() -> Self {
        Self::below(I::ROWS)
    }
}

impl ChangedRows {
    /// Empty lists for the rows of `I`.
    pub fn new<I: Inputs>() -> Self {
        Self::below(I::ROWS)
    }
}
