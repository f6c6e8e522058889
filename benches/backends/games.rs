//! Positions of random games.

use nnue_backend::{Chess, Sample};
use nnue_data::{Move, Position};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A random game.
pub(crate) struct Game {
    pub(crate) positions: Vec<Position>,
    pub(crate) moves: Vec<Vec<Move>>,
}

impl Game {
    /// The game of a seed, of at most so many plies.
    pub(crate) fn new(seed: u64, plies: usize) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut position: Position = START.parse().expect("the start");
        let mut game = Self {
            positions: Vec::new(),
            moves: Vec::new(),
        };
        for _ in 0..plies {
            let moves = position.legal_moves().expect("a position of a game");
            let chosen = random.choice(&moves).copied();
            game.positions.push(position);
            game.moves.push(moves);
            let Some(mv) = chosen else { break };
            position = position.play(mv).expect("a legal move");
        }
        game
    }

    /// Every position with those before it.
    pub(crate) fn samples(&self) -> Vec<Sample<'_, Chess>> {
        let sample = |index: usize| Sample {
            history: &self.positions[..=index],
            moves: &self.moves[index],
        };
        (0..self.positions.len()).map(sample).collect()
    }
}

/// One position of each of so many games, at any ply.
pub(crate) fn unrelated(count: u64) -> Vec<Position> {
    let of_seed = |seed| {
        let plies = 8 + fastrand::Rng::with_seed(seed).usize(..100);
        *Game::new(seed, plies)
            .positions
            .last()
            .expect("at least the start")
    };
    (0..count).map(of_seed).collect()
}

/// Samples of positions alone, without moves.
pub(crate) fn alone(positions: &[Position]) -> Vec<Sample<'_, Chess>> {
    positions
        .iter()
        .map(|position| Sample {
            history: std::slice::from_ref(position),
            moves: &[],
        })
        .collect()
}
