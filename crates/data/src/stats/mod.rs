//! Statistics of a file.

mod agreement;
mod doubts;
mod repeats;

pub use agreement::Agreement;
pub use doubts::Doubt;
pub use repeats::Repeats;

use crate::{Games, MoveKind, NO_SCORE, Record};

/// Upper bounds of the ranges in which absolute scores are counted: below 50, below 100, and so on. The last
/// range has no upper bound.
pub const SCORE_BOUNDS: [u16; 9] = [50, 100, 200, 400, 800, 1600, 3200, 10_000, 31_755];

/// Counters for 0 to 32 pieces.
const PIECES: usize = 33;

/// Counts and sums over records.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// records
    pub records: u64,
    /// games, as far as they can be told apart
    pub games: u64,
    /// records without a score
    pub no_score: u64,
    /// losses, draws and wins of the side to move
    pub outcomes: [u64; 3],
    /// positions with White to move
    pub white_to_move: u64,
    /// positions in check
    pub checks: u64,
    /// records without a move
    pub no_move: u64,
    /// records whose move captures
    pub captures: u64,
    /// records whose move promotes
    pub promotions: u64,
    /// the lowest and the highest score
    pub scores: Option<(i16, i16)>,
    /// the lowest and the highest ply
    pub plies: Option<(u32, u32)>,
    /// records by absolute score, in the ranges of [`SCORE_BOUNDS`]
    pub score_sizes: [u64; SCORE_BOUNDS.len() + 1],
    /// records by number of pieces, from 0 to 32
    pub pieces: PieceCounts,
    /// whether scores and outcomes agree
    pub agreement: Agreement,
    /// how many positions repeat others
    pub repeats: Repeats,
    sums: Sums,
    boundaries: Games,
}

/// Records by number of pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceCounts(pub [u64; PIECES]);

impl Default for PieceCounts {
    fn default() -> Self {
        Self([0; PIECES])
    }
}

/// Integer sums, so that the order of records does not matter.
#[derive(Clone, Debug, Default)]
struct Sums {
    score: i64,
    size: u64,
    square: u128,
    plies: u64,
}

impl Stats {
    /// Adds the next record of the file.
    pub fn add(&mut self, record: &Record) {
        self.records += 1;
        self.repeats.add(record);
        self.games += u64::from(self.boundaries.begins(record));
        self.outcomes[record.outcome as usize] += 1;
        self.white_to_move += u64::from(record.position.side_to_move() == crate::Color::White);
        self.checks += u64::from(record.position.is_check());
        self.pieces.0[record.position.occupied().len() as usize] += 1;
        self.sums.plies += u64::from(record.ply);
        let (low, high) = self.plies.unwrap_or((record.ply, record.ply));
        self.plies = Some((low.min(record.ply), high.max(record.ply)));
        match record.mv {
            None => self.no_move += 1,
            Some(mv) => {
                self.captures += u64::from(record.position.is_capture(mv));
                self.promotions += u64::from(matches!(mv.kind, MoveKind::Promotion(_)));
            }
        }
        match record.score {
            NO_SCORE => self.no_score += 1,
            score => {
                self.add_score(score);
                let side = record.position.side_to_move();
                self.agreement.add(side, score, record.outcome);
            }
        }
    }

    fn add_score(&mut self, score: i16) {
        let size = score.unsigned_abs();
        let (low, high) = self.scores.unwrap_or((score, score));
        self.scores = Some((low.min(score), high.max(score)));
        self.sums.score += i64::from(score);
        self.sums.size += u64::from(size);
        self.sums.square += u128::from(size).pow(2);
        self.score_sizes[SCORE_BOUNDS.partition_point(|&bound| bound <= size)] += 1;
    }

    /// Records with a score.
    pub const fn scored(&self) -> u64 {
        self.records - self.no_score
    }

    /// The mean score of the records that have one. `None` if there are none.
    pub fn mean_score(&self) -> Option<f64> {
        mean(self.sums.score as f64, self.scored())
    }

    /// The mean absolute score.
    pub fn mean_score_size(&self) -> Option<f64> {
        mean(self.sums.size as f64, self.scored())
    }

    /// The standard deviation of the scores.
    pub fn score_deviation(&self) -> Option<f64> {
        let mean_square = mean(self.sums.square as f64, self.scored())?;
        Some((mean_square - self.mean_score()?.powi(2)).max(0.0).sqrt())
    }

    /// The mean ply.
    pub fn mean_ply(&self) -> Option<f64> {
        mean(self.sums.plies as f64, self.records)
    }

    /// The mean outcome for the side to move, from 0 to 1.
    pub fn mean_outcome(&self) -> Option<f64> {
        let [_, draws, wins] = self.outcomes;
        mean(wins as f64 + draws as f64 / 2.0, self.records)
    }

    /// The mean number of pieces.
    pub fn mean_pieces(&self) -> Option<f64> {
        let sum: u64 = self
            .pieces
            .0
            .iter()
            .zip(0..)
            .map(|(records, pieces)| records * pieces)
            .sum();
        mean(sum as f64, self.records)
    }
}

fn mean(sum: f64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum / count as f64)
}
