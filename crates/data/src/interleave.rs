//! Merges several sources.

use std::borrow::Borrow;
use std::iter::Peekable;

use fastrand::Rng;

use crate::{Games, Record};

/// Merges the records of several sources, game by game. Each game comes from a source drawn with a
/// probability proportional to its weight. Shuffled files have no games, so they are merged record by record.
pub struct Interleave<I: Iterator> {
    sources: Vec<Source<I>>,
    /// the source of the current game
    current: Option<usize>,
    random: Rng,
}

struct Source<I: Iterator> {
    records: Peekable<I>,
    weight: f64,
    games: Games,
}

impl<I: Iterator<Item = Result<R, E>>, R, E> Interleave<I> {
    /// Sources with their weights, for example the sizes of their files. The same seed gives the same order.
    ///
    /// # Panics
    ///
    /// If a weight is not a positive number.
    pub fn new(sources: impl IntoIterator<Item = (I, f64)>, seed: u64) -> Self {
        let source = |(records, weight): (I, f64)| {
            assert!(
                weight > 0.0 && weight.is_finite(),
                "the weight {weight} of a source is not a positive number"
            );
            Source {
                records: records.peekable(),
                weight,
                games: Games::default(),
            }
        };
        Self {
            sources: sources.into_iter().map(source).collect(),
            current: None,
            random: Rng::with_seed(seed),
        }
    }

    fn draw(&mut self) -> Option<usize> {
        let all: f64 = self.sources.iter().map(|source| source.weight).sum();
        let mut left = self.random.f64() * all;
        let drawn = self.sources.iter().position(|source| {
            left -= source.weight;
            left < 0.0
        });
        // rounding may leave `left` at 0 or above after the last source
        drawn.or(self.sources.len().checked_sub(1))
    }
}

impl<I: Iterator<Item = Result<R, E>>, R: Borrow<Record>, E> Iterator for Interleave<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        loop {
            let index = match self.current {
                Some(index) => index,
                None => self.draw()?,
            };
            let source = &mut self.sources[index];
            let Some(next) = source.records.next() else {
                self.sources.swap_remove(index);
                self.current = None;
                continue;
            };
            if let Ok(record) = &next
                && self.current.is_none()
            {
                source.games.begins(record.borrow());
            }
            let continues = source.records.peek().is_some_and(|after| match after {
                Ok(record) => !source.games.begins(record.borrow()),
                Err(_) => true,
            });
            self.current = continues.then_some(index);
            return Some(next);
        }
    }
}
