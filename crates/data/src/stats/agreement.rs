//! Whether scores and outcomes agree.

use cozy_chess::Color;

use crate::Outcome;

/// The score at which `tanh(score / SCALE)` bends.
const SCALE: f64 = 400.0;

/// Sums over pairs of scores, bounded by `tanh(score / 400)`, and outcomes, by the side to move.
///
/// Scores or outcomes from the wrong point of view leave the mean score and the share of wins as they are.
/// This shows them: with one side to move they agree, with the other they contradict each other.
#[derive(Clone, Copy, Debug, Default)]
pub struct Agreement {
    sides: [Sums; 2],
}

/// Integers, so that the order of records does not matter.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    count: i128,
    scores: i128,
    outcomes: i128,
    squares: i128,
    outcome_squares: i128,
    products: i128,
}

impl Agreement {
    pub(super) fn add(&mut self, side_to_move: Color, score: i16, outcome: Outcome) {
        let sums = &mut self.sides[side_to_move as usize];
        let score = ((f64::from(score) / SCALE).tanh() * f64::from(1 << 20)).round() as i128;
        let outcome = outcome as i128 - Outcome::Draw as i128;
        sums.count += 1;
        sums.scores += score;
        sums.outcomes += outcome;
        sums.squares += score * score;
        sums.outcome_squares += outcome * outcome;
        sums.products += score * outcome;
    }

    /// Pearson's correlation from White's point of view. `None` if scores or outcomes are all equal.
    pub fn correlation(&self) -> Option<f64> {
        let [white, black] = self.sides;
        let both = Sums {
            count: white.count + black.count,
            scores: white.scores - black.scores,
            outcomes: white.outcomes - black.outcomes,
            squares: white.squares + black.squares,
            outcome_squares: white.outcome_squares + black.outcome_squares,
            products: white.products + black.products,
        };
        both.correlation()
    }

    /// The same of the positions with this side to move.
    pub fn of_side(&self, side_to_move: Color) -> Option<f64> {
        self.sides[side_to_move as usize].correlation()
    }

    /// Pairs with this side to move.
    pub const fn count(&self, side_to_move: Color) -> u64 {
        self.sides[side_to_move as usize].count as u64
    }
}

impl Sums {
    fn correlation(&self) -> Option<f64> {
        let spread = |sum: i128, squares: i128| (self.count * squares - sum * sum) as f64;
        let spreads =
            spread(self.scores, self.squares) * spread(self.outcomes, self.outcome_squares);
        let together = self.count * self.products - self.scores * self.outcomes;
        (spreads > 0.0).then(|| together as f64 / spreads.sqrt())
    }
}
