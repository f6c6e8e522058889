//! Holding out games, to judge a network by positions that it has not been trained on.

use fastrand::Rng;

use crate::{Games, Record};

/// Divides records in the order of a file into two parts, each game as a whole: positions of a game are alike, and share their outcome, so
/// that a network would know the held-out ones if only others of their game were among the training data.
///
/// Split before anything that leaves the order of games, such as shuffling.
#[derive(Clone, Debug)]
pub struct Split {
    games: Games,
    fraction: f64,
    random: Rng,
    is_held_out: bool,
}

impl Split {
    /// Holds out about this fraction, from 0 to 1, of all games. The same seed holds out the same games.
    pub fn new(fraction: f64, seed: u64) -> Self {
        Self {
            games: Games::default(),
            fraction,
            random: Rng::with_seed(seed),
            is_held_out: false,
        }
    }

    /// Whether this record, which follows those that were asked for before, is held out.
    pub fn holds_out(&mut self, record: &Record) -> bool {
        if self.games.begins(record) {
            self.is_held_out = self.random.f64() < self.fraction;
        }
        self.is_held_out
    }
}
