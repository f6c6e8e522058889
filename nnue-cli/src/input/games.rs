//! Games: lines of an id, a start FEN and UCI moves, separated by tabs.

use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Move, Position, PositionError};

use super::fen::setup;

/// A game whose moves have been found legal.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    /// as the user calls it
    pub(crate) id: String,
    /// where it starts
    pub(crate) start: Chess,
    /// its moves
    pub(crate) moves: Vec<Move>,
    /// how castling is written
    pub(crate) mode: CastlingMode,
}

impl Game {
    /// The game that `line` describes, or what is wrong with it.
    pub(crate) fn parse(line: &str) -> Result<Self, String> {
        let mut columns = line.split('\t');
        let (Some(id), Some(fen)) = (columns.next(), columns.next()) else {
            return Err("a game is an id, a start FEN and UCI moves, separated by tabs".into());
        };
        let (start, mode) = start(fen)?;
        let mut now = start.clone();
        let mut moves = Vec::new();
        for (index, text) in columns.next().unwrap_or_default().split_whitespace().enumerate() {
            let legal = legal(&now, text).map_err(|message| format!("move {}: {message}", index + 1))?;
            now.play_unchecked(legal);
            moves.push(legal);
        }
        Ok(Self { id: id.to_owned(), start, moves, mode })
    }
}

impl Game {
    /// The positions: the start, and one after every move.
    pub(crate) fn positions(&self) -> Vec<Chess> {
        let mut now = self.start.clone();
        let after = self.moves.iter().map(|&m| {
            now.play_unchecked(m);
            now.clone()
        });
        std::iter::once(self.start.clone()).chain(after).collect()
    }
}

/// A position from which moves can be played. Unusual material is accepted, a king that can be taken is not.
fn start(fen: &str) -> Result<(Chess, CastlingMode), String> {
    let setup = setup(fen)?;
    let mode = CastlingMode::detect(&setup);
    let position = setup
        .position(mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_invalid_castling_rights);
    position.map(|position| (position, mode)).map_err(|error| format!("no game can start here: {error}"))
}

/// The legal move that `text` means; castling may be written either as e1g1 or as king takes rook.
fn legal(position: &Chess, text: &str) -> Result<Move, String> {
    let uci: UciMove =
        text.parse().map_err(|_| format!("`{}` is not a move like e2e4 or a7a8q", text.escape_default()))?;
    if matches!(uci, UciMove::Null) {
        return Err("a null move is not legal in a game".into());
    }
    uci.to_move(position).map_err(|_| format!("{text} is illegal in {}", fen_of(position)))
}

fn fen_of(position: &Chess) -> String {
    shakmaty::fen::Fen::from_position(position, shakmaty::EnPassantMode::Legal).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIWI: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

    #[test]
    fn both_notations_of_castling_are_understood() {
        for moves in ["e1g1 e8c8", "e1h1 e8a8"] {
            let game = Game::parse(&format!("x\t{KIWI}\t{moves}")).expect(moves);
            assert!(game.moves.iter().all(|m| m.is_castle()), "{moves}");
        }
        // Chess960: king on b1, rooks on a1 and f1
        let game = Game::parse("x\t1k6/8/8/8/8/8/8/RK3R2 w FA - 0 1\tb1f1").expect("castling with the rook on f1");
        assert!(game.moves[0].is_castle());
        assert_eq!(game.mode, CastlingMode::Chess960);
    }

    #[test]
    fn mistakes_name_the_move() {
        let error = |line: &str| Game::parse(line).expect_err(line);
        assert!(error("only an id").starts_with("a game is an id"));
        assert_eq!(
            error(&format!("x\t{KIWI}\te1g1 e8e7 e2e4")),
            "move 3: e2e4 is illegal in r6r/4k3/8/8/8/8/8/R4RK1 w - - 2 2"
        );
        assert!(error(&format!("x\t{KIWI}\thello")).starts_with("move 1: `hello` is not a move"));
        assert!(error(&format!("x\t{KIWI}\t0000")).contains("null move"));
        assert!(error("x\tk7/1Q6/8/8/8/8/8/K7 w - - 0 1\t").starts_with("no game can start here"));
        assert_eq!(error("x\t8/8/8/8/8/8/8/K7 w - - 0 1\t"), "black has no king");
    }
}
