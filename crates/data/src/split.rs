//! Holds out games, to validate a network on positions that it was not trained on.

use fastrand::Rng;

use crate::{Games, Record};

/// Divides the records of a file, in order, into two parts, each game as a whole: positions of a game are
/// alike and share their outcome, so a network would know held-out positions from others of their game.
///
/// Split before anything that changes the order of games, such as shuffling.
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

    /// Whether this record, the next in the file, is held out.
    pub fn holds_out(&mut self, record: &Record) -> bool {
        if self.games.begins(record) {
            self.is_held_out = self.random.f64() < self.fraction;
        }
        self.is_held_out
    }
}
