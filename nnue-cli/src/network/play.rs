//! Games, evaluated ply by ply.

use fastrand::Rng;
use shakmaty::{Chess, Position};

use super::{Evaluator, Verdict};
use crate::input::Placement;
use crate::input::games::Game;

/// One ply of a game.
pub(crate) struct Ply<'a> {
    /// half-moves played so far
    pub(crate) number: usize,
    /// the position
    pub(crate) position: &'a Chess,
    /// what the network says about it
    pub(crate) verdict: Verdict,
}

/// Evaluates every ply of a game, incrementally, or each from scratch (`refresh`).
pub(crate) fn play(network: &dyn Evaluator, game: &Game, refresh: bool, each: &mut dyn FnMut(Ply<'_>)) {
    let mut line = network.line();
    let mut position = game.start.clone();
    for number in 0..=game.moves.len() {
        let board = Placement::of(&position);
        let verdict = if refresh { network.evaluate(&board) } else { line.evaluate(&board) };
        each(Ply { number, position: &position, verdict });
        if let Some(&next) = game.moves.get(number) {
            line.push(nnue::shakmaty::change_of(&position, &next));
            position.play_unchecked(next);
        }
    }
}

/// Goes through a game as a search does: pushes moves, takes some back, and evaluates only now and then.
pub(crate) fn wander(network: &dyn Evaluator, game: &Game, random: &mut Rng, each: &mut dyn FnMut(Ply<'_>)) {
    let mut line = network.line();
    let positions = game.positions();
    let mut number = 0;
    loop {
        let position = &positions[number];
        if random.u8(..3) == 0 {
            each(Ply { number, position, verdict: line.evaluate(&Placement::of(position)) });
        }
        if number > 0 && random.u8(..4) == 0 {
            line.pop();
            number -= 1;
        } else if let Some(&next) = game.moves.get(number) {
            line.push(nnue::shakmaty::change_of(position, &next));
            number += 1;
        } else {
            return;
        }
    }
}
