//! Evaluates games ply by ply.

use fastrand::Rng;

use super::{Evaluator, Verdict};
use crate::input::Placement;
use crate::input::games::Game;

pub(crate) struct Ply {
    pub(crate) number: usize,
    pub(crate) board: Placement,
    pub(crate) verdict: Verdict,
}

/// Evaluates every ply of a game, incrementally or from scratch (`refresh`).
pub(crate) fn play(network: &dyn Evaluator, game: &Game, refresh: bool, each: &mut dyn FnMut(Ply)) {
    let mut line = network.line();
    for (number, position) in game.positions().iter().enumerate() {
        let board = Placement::of(position);
        let verdict = if refresh {
            network.evaluate(&board)
        } else {
            line.evaluate(&board)
        };
        each(Ply {
            number,
            board,
            verdict,
        });
        if let Some(change) = game.change(number) {
            line.push(change);
        }
    }
}

/// Walks a game as a search does: makes moves, takes some back, and evaluates some positions.
pub(crate) fn wander(
    network: &dyn Evaluator,
    game: &Game,
    random: &mut Rng,
    each: &mut dyn FnMut(Ply),
) {
    let mut line = network.line();
    let mut number = 0;
    loop {
        if random.u8(..3) == 0 {
            let board = Placement::of(&game.positions()[number]);
            each(Ply {
                number,
                board,
                verdict: line.evaluate(&board),
            });
        }
        if number > 0 && random.u8(..4) == 0 {
            line.pop();
            number -= 1;
        } else if let Some(change) = game.change(number) {
            line.push(change);
            number += 1;
        } else {
            return;
        }
    }
}
