//! Reads records.

use std::io::Read;

use super::game::Game;
use super::games::Games;
use crate::{PassedOver, ReadError, Record};

/// Reads the records of all games. A game with an illegal move gives the records before that move, if the
/// tags have its result, then the error. Reading continues with the next game.
#[derive(Debug)]
pub struct Reader<R> {
    games: Games<R>,
    /// records of the last game, in reverse order
    ready: Vec<Record>,
    passed_over: PassedOver,
}

impl<R: Read> Reader<R> {
    /// Reads from `input`, which needs no buffer of its own.
    pub fn new(input: R) -> Self {
        Self {
            games: Games::new(input),
            ready: Vec::new(),
            passed_over: PassedOver::default(),
        }
    }
}

impl<R> Reader<R> {
    /// What has been passed over so far. The first and the last position of a game do not count: few programs
    /// evaluate them.
    pub const fn passed_over(&self) -> PassedOver {
        self.passed_over
    }
}

/// Adds what a game has and [`records`] does not give.
fn count(game: &Game, passed_over: &mut PassedOver) {
    let all = game.moves.len();
    if game.outcome.is_none() {
        passed_over.unfinished.add(all);
    } else if all > 0 && game.scores.iter().all(Option::is_none) {
        passed_over.silent.add(all);
    } else {
        let between = game.scores[..all].iter().skip(1);
        passed_over.positions += between.filter(|score| score.is_none()).count() as u64;
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() {
            match self.games.next()? {
                Ok(game) => {
                    count(&game, &mut self.passed_over);
                    self.ready = records(&game);
                }
                Err(error) => return Some(Err(error)),
            }
        }
        self.ready.pop().map(Ok)
    }
}

/// The positions of a game that have a score, in reverse order; none without a result.
fn records(game: &Game) -> Vec<Record> {
    let Some(outcome) = game.outcome else {
        return Vec::new();
    };
    let record = |index: usize| {
        let (position, score) = (game.positions[index], game.scores[index]?);
        let outcome = outcome.relative_to(position.side_to_move());
        let ply = game.ply.saturating_add(index as u32);
        Some(Record {
            position,
            score,
            outcome,
            ply,
            mv: game.moves.get(index).copied(),
        })
    };
    (0..game.positions.len()).rev().filter_map(record).collect()
}
