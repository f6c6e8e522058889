//! Positions and games of the vectors, and random games.

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Move, Position, PositionError};

use crate::positions_dir;
use crate::random::Random;

/// A game of legal moves.
#[derive(Clone, Debug)]
pub struct Game {
    /// its number
    pub id: usize,
    /// the first position
    pub start: Chess,
    /// the moves
    pub moves: Vec<Move>,
}

impl Game {
    /// The first position, and the position after each move.
    pub fn positions(&self) -> Vec<Chess> {
        let mut positions = vec![self.start.clone()];
        positions.extend(self.moves.iter().scan(self.start.clone(), |now, &next| {
            now.play_unchecked(next);
            Some(now.clone())
        }));
        positions
    }
}

/// The FENs of the suite.
///
/// # Panics
///
/// If the file is missing.
pub fn suite_fens() -> Vec<String> {
    let text = std::fs::read_to_string(positions_dir().join("suite.fen"))
        .expect("crates/cli/data/suite.fen");
    text.lines()
        .filter_map(|line| line.split('\t').next())
        .map(str::to_owned)
        .collect()
}

/// The games of the vectors.
///
/// # Panics
///
/// If the file is missing or a move is illegal.
pub fn vector_games() -> Vec<Game> {
    let text = std::fs::read_to_string(positions_dir().join("games.tsv"))
        .expect("crates/cli/data/games.tsv");
    text.lines().map(vector_game).collect()
}

fn vector_game(line: &str) -> Game {
    let [id, fen, moves] = *line.split('\t').collect::<Vec<_>>() else {
        panic!("three columns: {line}")
    };
    let start = position(fen);
    let mut now = start.clone();
    let moves = moves.split(' ').map(|text| {
        let uci: UciMove = text
            .parse()
            .unwrap_or_else(|_| panic!("`{text}` is not a move"));
        let legal = uci
            .to_move(&now)
            .unwrap_or_else(|_| panic!("{text} is illegal in game {id}"));
        now.play_unchecked(legal);
        legal
    });
    Game {
        id: id.parse().expect("the number of a game"),
        moves: moves.collect(),
        start,
    }
}

/// A legal position from a FEN; unusual material is accepted.
///
/// # Panics
///
/// If `fen` is not a FEN or its position is illegal.
pub fn position(fen: &str) -> Chess {
    let setup = fen
        .parse::<Fen>()
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
        .into_setup();
    let mode = CastlingMode::detect(&setup);
    setup
        .position(mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// A game of at most `plies` random legal moves from `start`. Captures, promotions and castling are
/// preferred, so that all kinds of moves occur.
pub fn random_game(random: &mut Random, start: &Chess, plies: usize) -> Game {
    let mut now = start.clone();
    let mut moves = Vec::new();
    while moves.len() < plies && !now.is_game_over() {
        let legal = now.legal_moves();
        let special: Vec<Move> = legal
            .iter()
            .copied()
            .filter(|m| m.is_promotion() || m.is_castle() || m.is_en_passant())
            .collect();
        let m = if special.is_empty() || random.below(2) == 0 {
            legal[random.below(legal.len())]
        } else {
            special[random.below(special.len())]
        };
        now.play_unchecked(m);
        moves.push(m);
    }
    Game {
        id: 0,
        start: start.clone(),
        moves,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_games_of_the_vectors_are_legal() {
        let games = vector_games();
        assert_eq!(games.len(), 30);
        let plies: usize = games.iter().map(|game| game.moves.len() + 1).sum();
        assert_eq!(plies, crate::vectors::games("syn-v5").len());
    }

    #[test]
    fn random_games_repeat_and_hold_all_kinds_of_moves() {
        let mut random = Random::new(7);
        let games: Vec<Game> = (0..40)
            .map(|_| random_game(&mut random, &Chess::default(), 120))
            .collect();
        let again = random_game(&mut Random::new(7), &Chess::default(), 120);
        assert_eq!(games[0].moves, again.moves);
        let any = |kind: fn(&Move) -> bool| games.iter().flat_map(|game| &game.moves).any(kind);
        assert!(
            any(|m| m.is_castle())
                && any(|m| m.is_en_passant())
                && any(|m| m.is_promotion())
                && any(|m| m.is_capture())
        );
    }
}
