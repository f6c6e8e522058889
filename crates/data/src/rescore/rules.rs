//! Which positions are scored, and how values become scores.

use std::num::NonZeroU32;

use crate::{NO_SCORE, Position, Record};

use crate::rescore::scorer::Worker;
use crate::rescore::sorted::Sorted;

/// The default limit of scores: larger ones mean mate in some formats.
pub const GREATEST: i16 = 31_000;

/// What happens to positions of a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Treatment {
    /// they get the value of the network
    #[default]
    Score,
    /// they keep their score, or none
    Keep,
    /// they are left out
    Skip,
}

/// Which positions are scored, and how values become scores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// positions with the side to move in check, where the value of a network means little
    pub in_check: Treatment,
    /// positions without a score in the file: fillers that keep the chains of a binpack together
    pub unscored: Treatment,
    /// units of the network that make a pawn: scores become hundredths of a pawn. `None` keeps the unit of
    /// the network
    pub pawn: Option<NonZeroU32>,
    /// limit of absolute scores
    pub limit: i16,
}

impl Default for Rules {
    /// Scores all positions that have a score, in the unit of the network.
    fn default() -> Self {
        Self {
            in_check: Treatment::Score,
            unscored: Treatment::Keep,
            pawn: None,
            limit: GREATEST,
        }
    }
}

/// Numbers of positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// positions in the output
    pub written: u64,
    /// positions that got a score
    pub scored: u64,
    /// scored positions whose value was beyond the limit
    pub clipped: u64,
    /// positions left out by the rules
    pub skipped: u64,
    /// positions left out because the format needs a score
    pub no_score: u64,
    /// positions left out because the format needs a move
    pub no_move: u64,
    /// positions left out because the format cannot express them
    pub refused: u64,
}

impl Counts {
    /// All counts, by their names in a state.
    pub(crate) fn named(&mut self) -> [(&'static str, &mut u64); 7] {
        let Self {
            written,
            scored,
            clipped,
            skipped,
            no_score,
            no_move,
            refused,
        } = self;
        [
            ("written", written),
            ("scored", scored),
            ("clipped", clipped),
            ("skipped", skipped),
            ("no_score", no_score),
            ("no_move", no_move),
            ("refused", refused),
        ]
    }

    pub(crate) fn add(&mut self, mut other: Self) {
        self.named()
            .into_iter()
            .zip(other.named())
            .for_each(|((_, sum), (_, more))| *sum += *more);
    }
}

impl Rules {
    fn treatment(&self, record: &Record) -> Treatment {
        if record.score().is_none() && self.unscored != Treatment::Score {
            self.unscored
        } else if self.in_check != Treatment::Score && record.position.is_check() {
            self.in_check
        } else {
            Treatment::Score
        }
    }

    /// Scores records. Returns the counts, and the indices of the records to leave out.
    pub(crate) fn apply(
        &self,
        records: &mut [Record],
        worker: &mut dyn Worker,
        sorted: &mut Sorted,
    ) -> (Counts, Vec<usize>) {
        let (mut counts, mut skipped, mut chosen) = (
            Counts::default(),
            Vec::new(),
            Vec::with_capacity(records.len()),
        );
        for (index, record) in records.iter().enumerate() {
            match self.treatment(record) {
                Treatment::Score => chosen.push(index),
                Treatment::Keep => {}
                Treatment::Skip => skipped.push(index),
            }
        }
        let mut scores = vec![0; chosen.len()];
        let positions: Vec<&Position> = chosen
            .iter()
            .map(|&index| &records[index].position)
            .collect();
        sorted.evaluate(worker, &positions, |index, value| {
            let (score, is_clipped) = self.score_of(value);
            scores[index] = score;
            counts.clipped += u64::from(is_clipped);
        });
        chosen
            .iter()
            .zip(scores)
            .for_each(|(&index, score)| records[index].score = score);
        (counts.scored, counts.skipped) = (chosen.len() as u64, skipped.len() as u64);
        (counts, skipped)
    }

    /// The score of a value, and whether it was clipped.
    fn score_of(&self, value: i32) -> (i16, bool) {
        let wanted = match self.pawn {
            Some(pawn) => rounded(100 * i64::from(value), pawn.get().into()),
            None => value.into(),
        };
        let limit = i64::from(self.limit.min(NO_SCORE - 1));
        let score = wanted.clamp(-limit, limit);
        (score as i16, score != wanted)
    }
}

/// `number / divisor`, rounded to the nearest, halves away from zero.
const fn rounded(number: i64, divisor: i64) -> i64 {
    (2 * number + number.signum() * divisor) / (2 * divisor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_rounded_to_the_nearest() {
        let cases = [
            (0, 3, 0),
            (1, 3, 0),
            (2, 3, 1),
            (-1, 3, 0),
            (-2, 3, -1),
            (1, 2, 1),
            (-1, 2, -1),
            (7, 1, 7),
        ];
        for (number, divisor, expected) in cases {
            assert_eq!(rounded(number, divisor), expected, "{number} / {divisor}");
        }
        assert_eq!(rounded(100 * i64::from(i32::MIN), u32::MAX.into()), -50);
    }

    #[test]
    fn scores_stay_within_the_limit_and_are_never_the_sign_for_none() {
        let plain = Rules::default();
        assert_eq!(plain.score_of(31_000), (31_000, false));
        assert_eq!(plain.score_of(31_001), (31_000, true));
        assert_eq!(plain.score_of(i32::MIN), (-31_000, true));
        let wide = Rules {
            limit: i16::MAX,
            ..plain.clone()
        };
        assert_eq!(wide.score_of(32_002), (32_001, true));
        assert_eq!(wide.score_of(-32_768), (-32_001, true));
        let centipawns = Rules {
            pawn: NonZeroU32::new(356),
            ..plain
        };
        assert_eq!(centipawns.score_of(356), (100, false));
        assert_eq!(centipawns.score_of(-89), (-25, false));
        assert_eq!(centipawns.score_of(i32::MAX), (31_000, true));
    }
}
