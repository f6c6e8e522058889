//! Copies of samples, for adapters that pass them on later.

use crate::game::{Game, Sample, Wanted};

/// Owned samples.
///
/// ```text
///   positions  | sample 0 .. | sample 1 .. | ..
///   moves      | sample 0 .. | sample 1 .. | ..      ends   where each of both ends
/// ```
pub struct Batch<G: Game> {
    positions: Vec<G::Position>,
    moves: Vec<G::Move>,
    ends: Vec<(usize, usize, Wanted)>,
}

impl<G: Game> Default for Batch<G> {
    fn default() -> Self {
        Self {
            positions: Vec::new(),
            moves: Vec::new(),
            ends: Vec::new(),
        }
    }
}

impl<G: Game> Batch<G> {
    /// Number of samples.
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no samples.
    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Adds a copy of a sample.
    pub fn push(&mut self, sample: &Sample<'_, G>, wanted: Wanted) {
        self.positions.extend_from_slice(sample.history);
        self.moves.extend_from_slice(sample.moves);
        self.ends
            .push((self.positions.len(), self.moves.len(), wanted));
    }

    /// The samples from index `first` on.
    pub fn from(&self, first: usize) -> impl Iterator<Item = (Sample<'_, G>, Wanted)> {
        let begin = first
            .checked_sub(1)
            .map_or((0, 0), |before| (self.ends[before].0, self.ends[before].1));
        self.ends[first..]
            .iter()
            .scan(begin, |begin, &(position, mv, wanted)| {
                let sample = Sample {
                    history: &self.positions[begin.0..position],
                    moves: &self.moves[begin.1..mv],
                };
                *begin = (position, mv);
                Some((sample, wanted))
            })
    }

    /// All samples.
    pub fn iter(&self) -> impl Iterator<Item = (Sample<'_, G>, Wanted)> {
        self.from(0)
    }
}
