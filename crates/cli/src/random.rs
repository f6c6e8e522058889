//! Seeded random games.

use fastrand::Rng;
use nnue_data::{Move, MoveKind, Position};

use crate::input::START;
use crate::input::games::Game;

/// Plays at most `plies` random legal moves from the start position. Prefers castling, promotions and en
/// passant, so that they occur.
pub(crate) fn game(random: &mut Rng, id: String, plies: usize) -> Game {
    let start: Position = START.parse().expect("the start position is one");
    let mut game = Game::new(id, start);
    while game.moves().len() < plies {
        let mut legal = game.last().legal_moves().unwrap_or_default();
        if random.bool() && legal.iter().any(is_special) {
            legal.retain(is_special);
        }
        let Some(&chosen) = random.choice(&legal) else {
            break;
        };
        let after = game.last().play(chosen).expect("a legal move can be made");
        game.push(chosen, after);
    }
    game
}

fn is_special(mv: &Move) -> bool {
    mv.kind != MoveKind::Normal
}
