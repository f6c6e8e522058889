//! Caches: policies as bytes, answers in memory and in files, and what is left of them when processes are killed.

mod backends;
mod codec;
mod crash;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nnue_backend::{Answers, Backend, Backends, Chess, Sample, Wanted};
use nnue_data::{Move, Position};

/// Positions of a random game with their moves.
struct Game {
    positions: Vec<Position>,
    moves: Vec<Vec<Move>>,
}

impl Game {
    fn new(seed: u64, plies: usize) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".parse().expect("the start");
        let (mut game, mut position): (_, Position) = (Self { positions: vec![], moves: vec![] }, start);
        while game.positions.len() < plies {
            let moves = position.legal_moves().expect("a position of a game");
            let mv = random.choice(&moves).copied();
            game.positions.push(position);
            game.moves.push(moves);
            position = mv.map_or(start, |mv| position.play(mv).expect("a legal move"));
        }
        game
    }

    fn samples(&self) -> Vec<Sample<'_, Chess>> {
        let sample = |index: usize| Sample { history: &self.positions[..=index], moves: &self.moves[index] };
        (0..self.positions.len()).map(sample).collect()
    }
}

/// A folder of its own, empty, which is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("cache-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path); // of an earlier run with this number
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn try_create(text: &str) -> Result<Arc<dyn Backend<Chess>>, nnue_backend::Error> {
    Backends::<Chess>::standard().create(text)
}

fn create(text: &str) -> Arc<dyn Backend<Chess>> {
    try_create(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A cache in files of this name.
fn in_files(file: &Path, options: &str) -> Arc<dyn Backend<Chess>> {
    create(&format!("cached(random(seed=3), file='{}'{options})", file.display()))
}

fn answers(backend: &dyn Backend<Chess>, game: &Game) -> Answers {
    backend.evaluate(&game.samples(), Wanted::ALL).expect("answers")
}

/// Found in memory, found in files, computed.
fn counts(backend: &dyn Backend<Chess>) -> [u64; 3] {
    let mut report = String::new();
    backend.report(&mut report).expect("a string takes everything");
    let line = report.lines().next().expect("a line");
    let numbers: Vec<u64> = line.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
    numbers.try_into().unwrap_or_else(|_| panic!("{line}"))
}
