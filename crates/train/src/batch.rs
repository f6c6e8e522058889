//! Training batches: the active rows and targets of positions.
//!
//! ```text
//!                        first perspective                 second
//!   indices   position 0 | 10 42 77 31 -1  .  .  . | 12 40 70 33 -1  .  .  . |        stride = 8
//!             position 1 | 11 43 -1  .  .  .  .  . | 15 41 -1  .  .  .  .  . |
//!             position 2 | 12 80 95 96 11 25  3  9 | 13 81 97 98 14 27  5  7 |        full: no end mark
//!
//!   stacks    0     2     1              the layer stack of each position
//!   scores    35    -120  4              seen by the first perspective, as are
//!   results   1.0   0.0   0.5            won, lost, drawn
//!   plies     12    87    40
//!
//!   moves     | 1203 77 1590 | | 4 |      rows of a policy that stand for the legal moves of each position; none of the second
//!   shares    | 0.9  0  0.1  | | 1 |      what the policy shall be
//! ```
//!
//! Rows are numbered as in the weights: those of a second feature set follow all rows of the first. Shorter
//! lists of rows are padded with -1 up to the stride. The two perspectives of a position are adjacent, so
//! their accumulators are too, which is the input of the first layer.
//!
//! The first perspective is the side to move, or White where the network declares `white_first`. Scores,
//! results and the network's values are all from its point of view.

/// Positions that are trained on together.
///
/// ```
/// use nnue_train::batch::{Batch, Target};
///
/// let mut batch = Batch::new(2);
/// batch.push(&[&[10, 42], &[12, 40]], Target { stack: 0, score: 35.0, result: 1.0, ply: 12, weight: 1.0 });
/// batch.push(&[&[11], &[15]], Target { stack: 2, score: -120.0, result: 0.0, ply: 87, weight: 0.5 });
/// assert_eq!((batch.len(), batch.rows(1, 0)), (2, &[11][..]));
/// assert_eq!(batch.scores(), [35.0, -120.0]);
/// ```
#[derive(Clone, Debug)]
pub struct Batch {
    perspectives: usize,
    stride: usize,
    indices: Vec<i32>,
    /// the greatest index, -1 if there is none
    greatest_row: i32,
    stacks: Vec<u16>,
    scores: Vec<f32>,
    results: Vec<f32>,
    plies: Vec<u32>,
    weights: Vec<f32>,
    left: Vec<Option<u32>>,
    moves: Vec<u32>,
    shares: Vec<f32>,
    /// end of each position's moves
    ends: Vec<usize>,
}

/// Everything about a position except its rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// the layer stack (bucket)
    pub stack: u16,
    /// the evaluation in the unit of the data (mostly centipawns), from the first perspective
    pub score: f32,
    /// the result of the game for the first perspective: 0, 0.5 or 1
    pub result: f32,
    /// plies since the start of the game; 0 if unknown
    pub ply: u32,
    /// weight of the position in the mean loss; normally 1, never negative
    pub weight: f32,
}

/// The stride is a multiple of this: 32 bytes of indices.
const STEP: usize = 8;

impl Batch {
    /// An empty batch for networks with 1 or 2 perspectives.
    pub const fn new(perspectives: usize) -> Self {
        Self {
            perspectives,
            stride: STEP,
            indices: Vec::new(),
            greatest_row: END,
            stacks: Vec::new(),
            scores: Vec::new(),
            results: Vec::new(),
            plies: Vec::new(),
            weights: Vec::new(),
            left: Vec::new(),
            moves: Vec::new(),
            shares: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Removes all positions and keeps the memory.
    pub fn clear(&mut self) {
        self.indices.clear();
        self.greatest_row = END;
        self.stacks.clear();
        self.scores.clear();
        self.results.clear();
        self.plies.clear();
        self.weights.clear();
        self.left.clear();
        self.moves.clear();
        self.shares.clear();
        self.ends.clear();
    }

    /// Appends a position: the active rows of each perspective, in any order, and its target.
    ///
    /// # Panics
    ///
    /// If the number of row lists differs from the number of perspectives.
    #[inline]
    pub fn push(&mut self, rows: &[&[i32]], target: Target) {
        assert_eq!(rows.len(), self.perspectives, "perspectives");
        for rows in rows {
            if rows.len() > self.stride {
                self.widen(rows.len());
            }
            let begin = self.indices.len();
            self.indices.resize(begin + self.stride, END);
            self.indices[begin..begin + rows.len()].copy_from_slice(rows);
            self.greatest_row = rows
                .iter()
                .fold(self.greatest_row, |greatest, &row| greatest.max(row));
        }
        self.stacks.push(target.stack);
        self.scores.push(target.score);
        self.results.push(target.result);
        self.plies.push(target.ply);
        self.weights.push(target.weight);
        self.left.push(None);
        self.ends.push(self.moves.len());
    }

    /// Sets how many plies the game of the last position still lasts.
    ///
    /// # Panics
    ///
    /// If the batch is empty.
    pub fn push_left(&mut self, plies: u32) {
        *self.left.last_mut().expect("plies are of a position") = Some(plies);
    }

    /// Appends moves to the last position: their policy rows and target shares, which sum to 1.
    ///
    /// # Panics
    ///
    /// If the batch is empty, or if there are not as many shares as moves.
    pub fn push_moves(&mut self, moves: &[u32], shares: &[f32]) {
        assert_eq!(moves.len(), shares.len(), "each move has a share");
        self.moves.extend_from_slice(moves);
        self.shares.extend_from_slice(shares);
        *self.ends.last_mut().expect("moves are of a position") = self.moves.len();
    }

    /// Increases the stride to fit `longest` rows.
    #[cold]
    fn widen(&mut self, longest: usize) {
        let stride = longest.next_multiple_of(STEP);
        let mut indices = Vec::with_capacity(self.indices.capacity() / self.stride * stride);
        for rows in self.indices.chunks_exact(self.stride) {
            indices.extend_from_slice(rows);
            indices.resize(indices.len() + stride - self.stride, END);
        }
        (self.stride, self.indices) = (stride, indices);
    }

    /// Positions.
    pub const fn len(&self) -> usize {
        self.stacks.len()
    }

    /// Whether there are no positions.
    pub const fn is_empty(&self) -> bool {
        self.stacks.is_empty()
    }

    /// Perspectives of each position: 1 or 2.
    pub const fn perspectives(&self) -> usize {
        self.perspectives
    }

    /// Indices of a position and perspective: a multiple of 8 that fits the longest list so far.
    pub const fn stride(&self) -> usize {
        self.stride
    }

    /// The active rows, `[position][perspective][stride]`, each padded with -1.
    pub fn indices(&self) -> &[i32] {
        &self.indices
    }

    /// The greatest active row, -1 if there is none. GPU kernels rely on it: they do not check rows.
    pub(crate) const fn greatest_row(&self) -> i32 {
        self.greatest_row
    }

    /// The active rows of a position for a perspective, in no particular order.
    ///
    /// # Panics
    ///
    /// If the position or the perspective does not exist.
    #[inline]
    pub fn rows(&self, position: usize, perspective: usize) -> &[i32] {
        assert!(
            perspective < self.perspectives,
            "no perspective {perspective}"
        );
        let rows = &self.indices[(position * self.perspectives + perspective) * self.stride..]
            [..self.stride];
        // All entries after the first end mark are end marks.
        &rows[..rows.partition_point(|&row| row != END)]
    }

    /// The layer stack of each position; 0 if there is only one.
    pub fn stacks(&self) -> &[u16] {
        &self.stacks
    }

    /// The scores in the unit of the data, from the first perspective.
    pub fn scores(&self) -> &[f32] {
        &self.scores
    }

    /// The results of the games for the first perspective: 0, 0.5 or 1.
    pub fn results(&self) -> &[f32] {
        &self.results
    }

    /// The policy target of a position: the rows of its moves and their shares. Empty if there is none.
    ///
    /// # Panics
    ///
    /// If the position does not exist.
    pub fn moves(&self, position: usize) -> (&[u32], &[f32]) {
        let begin = if position == 0 {
            0
        } else {
            self.ends[position - 1]
        };
        let range = begin..self.ends[position];
        (&self.moves[range.clone()], &self.shares[range])
    }

    /// Plies since the start of each game.
    pub fn plies(&self) -> &[u32] {
        &self.plies
    }

    /// The weight of each position in the mean loss.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Plies until the end of each game, where known.
    pub fn left(&self) -> &[Option<u32>] {
        &self.left
    }
}

/// Pads a list of rows.
const END: i32 = -1;

#[cfg(test)]
mod tests {
    use super::*;

    const TARGET: Target = Target {
        stack: 3,
        score: 1.0,
        result: 0.5,
        ply: 9,
        weight: 0.25,
    };

    #[test]
    fn rows_end_with_minus_one_unless_they_are_full() {
        let mut batch = Batch::new(1);
        batch.push(&[&[5, 6]], TARGET);
        batch.push(&[&[0, 1, 2, 3, 4, 5, 6, 7]], TARGET);
        assert_eq!(batch.stride(), 8);
        assert_eq!(batch.indices()[..3], [5, 6, -1]);
        assert_eq!(
            (batch.rows(0, 0), batch.rows(1, 0)),
            (&[5, 6][..], &[0, 1, 2, 3, 4, 5, 6, 7][..])
        );
    }

    #[test]
    fn longer_rows_move_the_shorter_ones_apart() {
        let mut batch = Batch::new(2);
        batch.push(&[&[1], &[]], TARGET);
        batch.push(&[&[2], &(10..50).collect::<Vec<_>>()], TARGET);
        batch.push(&[&[4], &[5, 6]], TARGET);
        assert_eq!((batch.stride(), batch.indices().len()), (40, 3 * 2 * 40));
        assert_eq!(
            [batch.rows(0, 0), batch.rows(0, 1), batch.rows(1, 0)],
            [&[1][..], &[], &[2]]
        );
        assert_eq!(batch.rows(1, 1), (10..50).collect::<Vec<_>>());
        assert_eq!([batch.rows(2, 0), batch.rows(2, 1)], [&[4][..], &[5, 6]]);
    }

    #[test]
    fn the_greatest_row_is_that_of_all_positions_until_they_are_taken_out() {
        let mut batch = Batch::new(2);
        assert_eq!(batch.greatest_row(), -1);
        batch.push(&[&[], &[3, 70, 5]], TARGET);
        batch.push(&[&[69], &(10..50).collect::<Vec<_>>()], TARGET);
        assert_eq!(
            (batch.greatest_row(), batch.clone().greatest_row()),
            (70, 70)
        );
        batch.clear();
        assert_eq!(batch.greatest_row(), -1);
        batch.push(&[&[8], &[2]], TARGET);
        assert_eq!(batch.greatest_row(), 8);
    }

    #[test]
    fn moves_belong_to_the_last_position() {
        let mut batch = Batch::new(1);
        batch.push(&[&[5]], TARGET);
        batch.push_moves(&[7, 9], &[0.25, 0.75]);
        batch.push(&[&[6]], TARGET);
        batch.push(&[&[6]], TARGET);
        batch.push_moves(&[3], &[1.0]);
        assert_eq!(batch.moves(0), (&[7, 9][..], &[0.25, 0.75][..]));
        assert_eq!([batch.moves(1).0, batch.moves(2).0], [&[][..], &[3]]);
        batch.clear();
        batch.push(&[&[5]], TARGET);
        assert_eq!(batch.moves(0), (&[][..], &[][..]));
    }

    #[test]
    fn a_cleared_batch_keeps_its_memory() {
        let mut batch = Batch::new(1);
        batch.push(&[&(0..20).collect::<Vec<_>>()], TARGET);
        let memory = batch.indices().as_ptr();
        batch.clear();
        assert!(batch.is_empty() && batch.scores().is_empty());
        batch.push(&[&[7]], TARGET);
        assert_eq!(
            (batch.rows(0, 0), batch.indices().as_ptr()),
            (&[7][..], memory)
        );
        assert_eq!((batch.stacks(), batch.scores()), (&[3][..], &[1.0][..]));
        assert_eq!(
            (batch.results(), batch.plies(), batch.weights()),
            (&[0.5][..], &[9][..], &[0.25][..])
        );
    }
}
