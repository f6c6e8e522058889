//! Backends and adapters, as programs use them: what they answer, what they refuse, and many threads at once.

mod adapters;
mod errors;
mod example;
mod record;
mod stress;

use std::sync::Arc;

use nnue_backend::{Answer, Answers, Batched};
use nnue_backend::{Attributes, Backend, Backends, Chess, Entry, Error, Evaluator, Sample, Wanted};
use nnue_data::{Move, Position};

/// Positions of a game with their moves: random ones of a seed.
struct Game {
    positions: Vec<Position>,
    moves: Vec<Vec<Move>>,
}

impl Game {
    fn new(seed: u64, plies: usize) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut position: Position =
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".parse().expect("the start");
        let mut game = Self { positions: vec![], moves: vec![] };
        while game.positions.len() < plies {
            let moves = position.legal_moves().expect("a position of a game");
            game.positions.push(position);
            game.moves.push(moves);
            let moves = game.moves.last().expect("just pushed");
            let Some(mv) = random.choice(moves) else { break };
            position = position.play(*mv).expect("a legal move");
        }
        game
    }

    /// Every position with its history.
    fn samples(&self) -> Vec<Sample<'_, Chess>> {
        (0..self.positions.len())
            .map(|index| Sample { history: &self.positions[..=index], moves: &self.moves[index] })
            .collect()
    }
}

fn create(text: &str) -> Arc<dyn Backend<Chess>> {
    Backends::<Chess>::standard().create(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// What a backend says about all positions of a game.
fn answers(backend: &dyn Backend<Chess>, game: &Game) -> Answers {
    backend.evaluate(&game.samples(), Wanted::ALL).expect("answers")
}

/// Values that are wrong in ways that a test chooses.
struct Odd(fn(usize) -> Result<Answer, Error>);

impl Evaluator<Chess> for Odd {
    type Input = ();

    fn attributes(&self) -> Attributes {
        Attributes { maximum_batch: 50, ..Attributes::VALUE }
    }

    fn digest(&self) -> u128 {
        1
    }

    fn read(&self, _: &Sample<'_, Chess>, _: Wanted) -> Result<(), Error> {
        Ok(())
    }

    fn evaluate(&self, inputs: &[()], answers: &mut Answers) -> Result<(), Error> {
        for slot in 0..inputs.len() {
            answers.push(&self.0(slot)?);
        }
        Ok(())
    }
}

/// All backends, and one that is wrong.
fn with_odd(odd: fn(usize) -> Result<Answer, Error>) -> Backends<Chess> {
    let mut backends = Backends::standard();
    backends.add(Entry::new("odd", -1, "wrong", vec![], move |builder| {
        Ok(Arc::new(Batched::new(builder.path(), Odd(odd))))
    }));
    backends
}

const fn value(q: f32) -> Answer {
    Answer { q, d: 0.0, m: 0.0, score: None, policy: Vec::new() }
}
