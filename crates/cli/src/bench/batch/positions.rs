//! Unrelated positions.

use std::path::Path;

use fastrand::Rng;

use super::super::data::games;
use crate::error::Error;
use crate::input::{Placement, Spread, positions};

/// Number of positions: two batches of the largest size.
const COUNT: usize = 2 * 4096;

/// Most positions of a file to draw from, spread over the whole file.
const MOST: usize = 1 << 18;

/// Most random moves from a position of a built-in game.
const AWAY: usize = 8;

pub(super) struct Positions {
    pub(super) all: Vec<Placement>,
    /// average number of pieces
    pub(super) pieces: f64,
    /// origin, for the report
    pub(super) source: String,
}

impl Positions {
    /// Draws positions from `file` or from the built-in games; the same in every run.
    pub(super) fn read(file: Option<&Path>) -> Result<Self, Error> {
        let mut random = Rng::with_seed(1);
        let (all, source) = match file {
            Some(path) => drawn(path, &mut random)?,
            None => (
                near_games(&mut random),
                "random moves after positions of the built-in games".to_owned(),
            ),
        };
        let pieces = all
            .iter()
            .map(|position| position.iter().count())
            .sum::<usize>() as f64
            / all.len() as f64;
        Ok(Self {
            all,
            pieces,
            source,
        })
    }
}

/// Draws positions of a file uniformly.
fn drawn(path: &Path, random: &mut Rng) -> Result<(Vec<Placement>, String), Error> {
    let mut spread = Spread::new(MOST);
    for given in positions(&[], Some(path))? {
        spread.push(given?.position);
    }
    let given = spread.into_kept();
    if given.is_empty() {
        return Err(Error::Argument(format!(
            "{} has no positions",
            path.display()
        )));
    }
    let draw = |_| given[random.usize(..given.len())];
    Ok((
        (0..COUNT).map(draw).collect(),
        format!("drawn from {} of {}", given.len(), path.display()),
    ))
}

/// Positions a few random moves away from positions of the built-in games.
fn near_games(random: &mut Rng) -> Vec<Placement> {
    let games: Vec<_> = games()
        .iter()
        .flat_map(|game| game.positions().to_vec())
        .collect();
    let mut draw = || {
        let mut position = games[random.usize(..games.len())];
        for _ in 0..random.usize(..=AWAY) {
            let moves = position.legal_moves().unwrap_or_default();
            let Some(&chosen) = random.choice(&moves) else {
                break;
            };
            position = position.play(chosen).expect("a legal move can be made");
        }
        Placement::of(&position)
    };
    (0..COUNT).map(|_| draw()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn built_in_positions_are_many_and_the_same_in_every_run() {
        let read = || Positions::read(None).expect("nothing is read");
        let texts = |positions: &Positions| {
            positions
                .all
                .iter()
                .map(|p| format!("{p:?}"))
                .collect::<Vec<_>>()
        };
        let first = texts(&read());
        assert_eq!(first.len(), COUNT);
        assert_eq!(first, texts(&read()));
        let different: BTreeSet<_> = first.iter().collect();
        assert!(
            different.len() > COUNT / 2,
            "{} of {COUNT}",
            different.len()
        );
    }
}
