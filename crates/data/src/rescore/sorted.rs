//! Evaluates many positions in an order in which neighbours share rows.
//!
//! Positions of games have such an order already: neighbours are a move apart. Sorting them by kings and
//! pawns makes neighbours less alike: an evaluation by SFNNv9 takes a fifth longer. So only other positions
//! are sorted.

use crate::Position;

use crate::rescore::scorer::{TOGETHER, Worker};

/// Memory for sorting positions. Each thread needs its own.
///
/// ```text
///   positions   0    1    2    3 ..       in their order
///   order       2    0    3    1 ..       by kings, then by pawns
///   together    [2   0    3 ..]           256 at a time to the worker, whose values go back to 2, 0, 3
/// ```
#[derive(Debug, Default)]
pub struct Sorted {
    order: Vec<(u64, u32)>,
    together: Vec<Position>,
    values: Vec<i32>,
}

impl Sorted {
    /// Evaluates `positions`. `told` receives the index and the value of each, in any order.
    ///
    /// # Panics
    ///
    /// If there are more than 2^32 positions.
    pub fn evaluate(
        &mut self,
        worker: &mut dyn Worker,
        positions: &[&Position],
        mut told: impl FnMut(usize, i32),
    ) {
        self.order.clear();
        let indices =
            0..u32::try_from(positions.len()).expect("no more positions than have a number");
        if are_games(positions) {
            self.order.extend(indices.map(|index| (0, index)));
        } else {
            self.order.extend(
                positions
                    .iter()
                    .map(|position| position.likeness())
                    .zip(indices),
            );
            self.order.sort_unstable();
        }
        for order in self.order.chunks(TOGETHER) {
            self.together.clear();
            self.together
                .extend(order.iter().map(|&(_, index)| *positions[index as usize]));
            self.values.resize(order.len(), 0);
            worker.evaluate(&self.together, &mut self.values);
            order
                .iter()
                .zip(&self.values)
                .for_each(|(&(_, index), &value)| told(index as usize, value));
        }
    }
}

/// The most squares that a move fills or empties: castling does four.
const MOVE: u32 = 4;

/// Whether most positions are a move away from the position before.
fn are_games(positions: &[&Position]) -> bool {
    let apart = |pair: &[&Position]| (pair[0].occupied() ^ pair[1].occupied()).len();
    let alike = positions
        .windows(2)
        .filter(|pair| apart(pair) <= MOVE)
        .count();
    2 * alike > positions.len()
}
