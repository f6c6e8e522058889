//! What several suites need: games, and backends by their texts.

use std::sync::Arc;

use nnue_backend::{Answers, Backend, Backends, Chess, Sample, Wanted};
use nnue_data::{Move, Position};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Positions of games with their moves: random ones of a seed. Where a game ends, after a hundred plies without a capture or a pawn's move at the
/// latest, the next one begins.
pub(crate) struct Game {
    pub(crate) positions: Vec<Position>,
    pub(crate) moves: Vec<Vec<Move>>,
}

impl Game {
    pub(crate) fn new(seed: u64, plies: usize) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let start = START.parse().expect("the start");
        let (mut game, mut position): (_, Position) = (
            Self {
                positions: vec![],
                moves: vec![],
            },
            start,
        );
        while game.positions.len() < plies {
            let moves = position.legal_moves().expect("a position of a game");
            let mv = random
                .choice(&moves)
                .filter(|_| position.halfmove_clock() < 100)
                .copied();
            game.positions.push(position);
            game.moves.push(moves);
            position = mv.map_or(start, |mv| position.play(mv).expect("a legal move"));
        }
        game
    }

    /// Every position with those of its game before it.
    pub(crate) fn samples(&self) -> Vec<Sample<'_, Chess>> {
        let (start, mut begin) = (START.parse().expect("the start"), 0);
        let sample = |index: usize| {
            if self.positions[index] == start {
                begin = index; // nobody comes back to it: the clock goes on
            }
            Sample {
                history: &self.positions[begin..=index],
                moves: &self.moves[index],
            }
        };
        (0..self.positions.len()).map(sample).collect()
    }
}

/// The backend that a text describes.
pub(crate) fn create(text: &str) -> Arc<dyn Backend<Chess>> {
    Backends::<Chess>::standard()
        .create(text)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// What a backend says about all positions of a game.
pub(crate) fn answers(backend: &dyn Backend<Chess>, game: &Game) -> Answers {
    backend
        .evaluate(&game.samples(), Wanted::ALL)
        .expect("answers")
}
