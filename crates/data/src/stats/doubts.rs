//! What is probably wrong with data.

use std::fmt;

use cozy_chess::Color;

use super::Stats;
use crate::Outcome;

/// Data with fewer records are not judged.
const FEWEST: u64 = 100;

/// Scores of so many records say something about their outcomes, if anything at all.
const MANY: u64 = 4000;

/// A sign that the data may be faulty. [`Display`](fmt::Display) says it in one line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Doubt {
    /// no record has a score
    NoScores,
    /// all scores are the same
    EqualScores(i16),
    /// all outcomes are the same for the side to move
    EqualOutcomes(Outcome),
    /// with one side to move scores and outcomes agree, with the other they contradict each other
    PointOfView {
        /// the correlation with White to move
        white: f64,
        /// with Black to move
        black: f64,
    },
    /// scores and outcomes contradict each other
    Contradiction(f64),
    /// scores and outcomes have nothing to do with each other
    Unrelated(f64),
    /// more than half of the positions repeat others
    Repeats {
        /// the positions that repeat others
        repeated: u64,
        /// the positions that were compared
        compared: u64,
    },
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoScores => f.write_str("no position has a score"),
            Self::EqualScores(score) => write!(f, "all scores are {score}"),
            Self::EqualOutcomes(Outcome::Draw) => f.write_str("all outcomes are draws"),
            Self::EqualOutcomes(Outcome::Win) => f.write_str("the side to move always wins"),
            Self::EqualOutcomes(Outcome::Loss) => f.write_str("the side to move always loses"),
            Self::PointOfView { white, black } => write!(
                f,
                "scores or outcomes seem to be from another point of view than the format says: their correlation is {white:.3} with White to move, and \
                 {black:.3} with Black to move"
            ),
            Self::Contradiction(correlation) => write!(
                f,
                "scores or outcomes seem to have the wrong sign: their correlation is {correlation:.3}"
            ),
            Self::Unrelated(correlation) => write!(
                f,
                "scores seem to have nothing to do with outcomes: their correlation is {correlation:.3}"
            ),
            Self::Repeats { repeated, compared } => {
                write!(f, "{repeated} of {compared} positions repeat others")
            }
        }
    }
}

impl Stats {
    /// What is probably wrong. Nothing is said of fewer than 100 records.
    pub fn doubts(&self) -> Vec<Doubt> {
        if self.records < FEWEST {
            return Vec::new();
        }
        let equal_outcomes = [Outcome::Loss, Outcome::Draw, Outcome::Win]
            .into_iter()
            .find(|&outcome| self.outcomes[outcome as usize] == self.records);
        let scores = match self.scores {
            None => Some(Doubt::NoScores),
            Some((low, high)) if low == high => Some(Doubt::EqualScores(low)),
            Some(_) => self.disagreement(),
        };
        let (repeated, compared) = (self.repeats.repeated(), self.repeats.compared());
        let repeats = Doubt::Repeats { repeated, compared };
        [
            scores,
            equal_outcomes.map(Doubt::EqualOutcomes),
            (repeated > compared / 2).then_some(repeats),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    fn disagreement(&self) -> Option<Doubt> {
        let [white, black] = Color::ALL.map(|side| self.clear_sign(side));
        if let (Some(white), Some(black)) = (white, black)
            && white * black < 0.0
        {
            return Some(Doubt::PointOfView { white, black });
        }
        let correlation = self.agreement.correlation()?;
        match white.or(black) {
            Some(of_side) if of_side < 0.0 => Some(Doubt::Contradiction(correlation)),
            None if self.scored() >= MANY => Some(Doubt::Unrelated(correlation)),
            _ => None,
        }
    }

    /// The correlation with this side to move, if it is not small and not by chance.
    fn clear_sign(&self, side: Color) -> Option<f64> {
        let by_chance = 3.0 / (self.agreement.count(side) as f64).sqrt();
        self.agreement
            .of_side(side)
            .filter(|correlation| correlation.abs() > by_chance.max(0.1))
    }
}
