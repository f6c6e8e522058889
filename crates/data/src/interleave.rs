//! Merges several sources.

use std::borrow::Borrow;
use std::iter::Peekable;

use fastrand::Rng;

use crate::{Games, Record};

/// Merges several sources, game by game or item by item. Each game or item comes from a source drawn with a
/// probability proportional to its weight. Shuffled files have no games, so they are merged record by record.
pub struct Interleave<I: Iterator> {
    sources: Vec<Source<I>>,
    /// the source of the current game
    current: Option<usize>,
    /// whether an item does not belong to the game before it
    begins: fn(&mut Games, &I::Item) -> bool,
    random: Rng,
}

struct Source<I: Iterator> {
    records: Peekable<I>,
    weight: f64,
    games: Games,
}

impl<I: Iterator<Item = Result<R, E>>, R: Borrow<Record>, E> Interleave<I> {
    /// Sources with their weights, for example the sizes of their files, merged game by game. The same seed gives
    /// the same order.
    ///
    /// # Panics
    ///
    /// If a weight is not a positive number.
    pub fn new(sources: impl IntoIterator<Item = (I, f64)>, seed: u64) -> Self {
        Self::by(sources, seed, |games, next| match next {
            Ok(record) => games.begins(record.borrow()),
            Err(_) => false,
        })
    }
}

impl<I: Iterator> Interleave<I> {
    /// As [`new`](Self::new), for items that do not belong to games.
    ///
    /// # Panics
    ///
    /// If a weight is not a positive number.
    pub fn item_by_item(sources: impl IntoIterator<Item = (I, f64)>, seed: u64) -> Self {
        Self::by(sources, seed, |_, _| true)
    }

    fn by(
        sources: impl IntoIterator<Item = (I, f64)>,
        seed: u64,
        begins: fn(&mut Games, &I::Item) -> bool,
    ) -> Self {
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
            begins,
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

impl<I: Iterator> Iterator for Interleave<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        loop {
            let index = match self.current {
                Some(index) => index,
                None => self.draw()?,
            };
            let Source { records, games, .. } = &mut self.sources[index];
            let Some(next) = records.next() else {
                self.sources.swap_remove(index);
                self.current = None;
                continue;
            };
            if self.current.is_none() {
                (self.begins)(games, &next);
            }
            let continues = records
                .peek()
                .is_some_and(|after| !(self.begins)(games, after));
            self.current = continues.then_some(index);
            return Some(next);
        }
    }
}
