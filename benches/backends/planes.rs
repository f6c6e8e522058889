//! The 112 planes of a position with its history.

use std::hint::black_box;

use nnue_backend::lc0::{HistoryFill, InputFormat, Planes};

use crate::games::Game;
use crate::group::{Aim, Group};

/// The formats that networks of today have.
const FORMATS: [InputFormat; 3] = [
    InputFormat::Classical,
    InputFormat::CanonicalHectoplies,
    InputFormat::CanonicalV2,
];

/// Every position of some games.
pub(crate) fn group() -> Group {
    let mut group = Group::new("112 planes");
    for format in FORMATS {
        let games: Vec<Game> = (0..20).map(|seed| Game::new(seed, 120)).collect();
        let count = games.iter().map(|game| game.positions.len()).sum();
        group.add(
            format!("{format:?}"),
            Aim::PerSecond(250_000.0),
            move || {
                for sample in games.iter().flat_map(Game::samples) {
                    let planes = Planes::encode(sample.history, format, HistoryFill::FenOnly);
                    black_box(planes.expect("a position"));
                }
                count
            },
        );
    }
    group
}
