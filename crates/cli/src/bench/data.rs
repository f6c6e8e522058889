//! Positions, games and trees, prepared so that the measured loops only evaluate.

use std::ops::Range;

use nnue::Change;
use nnue_data::{Move, Piece, Position};

use crate::change;
use crate::input::games::Game;
use crate::input::{Placement, suite};

/// Games: id, FEN, moves.
pub(crate) const GAMES: &str = include_str!("../../data/games.tsv");

/// Most plies of a run, so that its accumulators fit in a cache.
const RUN: usize = 16;

const TREES: usize = 20;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) change: Change,
    pub(crate) board: Placement,
}

/// A root and a sequence of moves from it.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) root: Placement,
    pub(crate) steps: Vec<Step>,
}

/// A root and all its legal lines of two moves.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) root: Placement,
    /// each first move with all replies
    pub(crate) branches: Vec<(Step, Vec<Step>)>,
}

/// The input of the workloads.
pub(crate) struct Data {
    pub(crate) games: Vec<Line>,
    /// the games cut at king moves
    pub(crate) runs: Vec<Line>,
    pub(crate) trees: Vec<Tree>,
    pub(crate) suite: Vec<Placement>,
}

impl Data {
    pub(crate) fn new() -> Self {
        let games = games();
        let middle = |game: &Game| tree(&game.positions()[game.moves().len() / 2]);
        Self {
            runs: games.iter().flat_map(runs).collect(),
            trees: games.iter().take(TREES).map(middle).collect(),
            suite: suite().map(|given| given.position).collect(),
            games: games
                .iter()
                .map(|game| line(game, 0..game.moves().len()))
                .collect(),
        }
    }
}

pub(super) fn games() -> Vec<Game> {
    GAMES
        .lines()
        .map(|line| Game::parse(line).expect("the built-in games are legal"))
        .collect()
}

/// The part of a game with these plies.
fn line(game: &Game, plies: Range<usize>) -> Line {
    let positions = game.positions();
    let steps = plies.clone().zip(game.moves()[plies.clone()].iter());
    Line {
        root: Placement::of(&positions[plies.start]),
        steps: steps.map(|(ply, &mv)| step(&positions[ply], mv)).collect(),
    }
}

fn step(position: &Position, mv: Move) -> Step {
    Step {
        change: change::of(position, mv),
        board: Placement::of(&after(position, mv)),
    }
}

fn after(position: &Position, mv: Move) -> Position {
    position.play(mv).expect("a legal move can be made")
}

/// The longest runs of at most [`RUN`] moves without a king move.
fn runs(game: &Game) -> Vec<Line> {
    let moves_king = |(mv, position): (&Move, &Position)| position.pieces(Piece::King).has(mv.from);
    let by_kings: Vec<bool> = game
        .moves()
        .iter()
        .zip(game.positions())
        .map(moves_king)
        .collect();
    let mut runs = Vec::new();
    let mut first = 0;
    for stretch in by_kings.chunk_by(|one, next| !one && !next) {
        let last = first + stretch.len();
        if !stretch[0] {
            runs.extend(
                (first..last)
                    .step_by(RUN)
                    .map(|at| line(game, at..last.min(at + RUN))),
            );
        }
        first = last;
    }
    runs
}

fn tree(root: &Position) -> Tree {
    let legal = |position: &Position| position.legal_moves().unwrap_or_default();
    let branch = |mv: Move| {
        let after = after(root, mv);
        (
            step(root, mv),
            legal(&after)
                .into_iter()
                .map(|reply| step(&after, reply))
                .collect(),
        )
    };
    Tree {
        root: Placement::of(root),
        branches: legal(root).into_iter().map(branch).collect(),
    }
}

#[cfg(test)]
mod tests {
    use nnue::Color;

    use super::*;

    #[test]
    fn runs_hold_no_king_moves_and_lose_no_other() {
        let data = Data::new();
        let touches = |step: &Step| {
            step.change.touches_king(Color::White) || step.change.touches_king(Color::Black)
        };
        assert!(
            data.runs
                .iter()
                .flat_map(|run| &run.steps)
                .all(|step| !touches(step))
        );
        assert!(
            data.runs
                .iter()
                .all(|run| (1..=RUN).contains(&run.steps.len()))
        );
        let quiet = |lines: &[Line]| {
            lines
                .iter()
                .flat_map(|line| &line.steps)
                .filter(|step| !touches(step))
                .count()
        };
        assert_eq!(quiet(&data.runs), quiet(&data.games));
        assert_eq!(
            (data.games.len(), data.suite.len(), data.trees.len()),
            (30, 325, TREES)
        );
    }
}
