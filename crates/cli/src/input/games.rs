//! Reads games: lines of an id, a start FEN and UCI moves, separated by tabs.

use nnue::Change;
use nnue_data::{
    Color, File, IllegalPosition, Move, Piece, Placement, Position, PositionError, Rank, Square,
};

use super::fen::{Setup, setup};
use crate::change;

/// A game with legal moves.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub(crate) id: String,
    /// the start, and the position after every move
    positions: Vec<Position>,
    moves: Vec<Move>,
    /// the number of the first move
    number: u32,
    /// castling is written as king takes rook
    is_chess960: bool,
}

impl Game {
    pub(crate) fn parse(line: &str) -> Result<Self, String> {
        let mut columns = line.split('\t');
        let (Some(id), Some(fen)) = (columns.next(), columns.next()) else {
            return Err("a game is an id, a start FEN and UCI moves, separated by tabs".into());
        };
        let Setup { placement, number } = setup(fen)?;
        let start = start(placement)?;
        let mut game = Self {
            number,
            is_chess960: is_chess960(&start),
            ..Self::new(id.to_owned(), start)
        };
        for (index, text) in columns
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .enumerate()
        {
            game.read(text)
                .map_err(|message| format!("move {}: {message}", index + 1))?;
        }
        Ok(game)
    }

    /// A game of standard chess without moves.
    pub(crate) fn new(id: String, start: Position) -> Self {
        Self {
            id,
            positions: vec![start],
            moves: Vec::new(),
            number: 1,
            is_chess960: false,
        }
    }

    /// Plays a legal move in UCI notation. Castling may be written as e1g1 or as king takes rook.
    fn read(&mut self, text: &str) -> Result<(), String> {
        if text == "0000" {
            return Err("a null move is not legal in a game".into());
        }
        if !is_uci(text) {
            return Err(format!(
                "`{}` is not a move like e2e4 or a7a8q",
                text.escape_default()
            ));
        }
        let now = self.last();
        let played = Move::from_uci(text, now)
            .ok()
            .and_then(|mv| Some((mv, now.play_legal(mv)?)));
        let (mv, after) =
            played.ok_or_else(|| format!("{text} is illegal in {}", self.fen(self.moves.len())))?;
        self.push(mv, after);
        Ok(())
    }

    pub(crate) fn push(&mut self, mv: Move, after: Position) {
        self.moves.push(mv);
        self.positions.push(after);
    }

    pub(crate) fn positions(&self) -> &[Position] {
        &self.positions
    }

    pub(crate) fn moves(&self) -> &[Move] {
        &self.moves
    }

    pub(crate) fn last(&self) -> &Position {
        &self.positions[self.moves.len()]
    }

    /// The board change of the move after the first `plies` moves, if there is one.
    pub(crate) fn change(&self, plies: usize) -> Option<Change> {
        self.moves
            .get(plies)
            .map(|&mv| change::of(&self.positions[plies], mv))
    }

    pub(crate) fn fen(&self, plies: usize) -> String {
        let blacks_moves = plies / 2
            + usize::from(plies % 2 == 1 && self.positions[0].side_to_move() == Color::Black);
        let number = self
            .number
            .saturating_add(u32::try_from(blacks_moves).unwrap_or(u32::MAX));
        self.positions[plies].fen(number)
    }

    /// The move after the first `plies` moves in UCI notation, if there is one.
    pub(crate) fn uci(&self, plies: usize) -> Option<String> {
        let mv = self.moves.get(plies)?;
        Some(if self.is_chess960 {
            mv.to_string()
        } else {
            mv.to_uci(&self.positions[plies])
        })
    }
}

/// Prepares a start position. Unusual material is accepted, a capturable king is not. Impossible rights to
/// castle and en passant are removed.
fn start(mut placement: Placement) -> Result<Position, String> {
    let position = loop {
        match placement.check() {
            Err(PositionError::Castling(rook)) => placement.castling &= !rook.bitboard(),
            Err(PositionError::EnPassant(_)) => placement.en_passant = None,
            checked => break checked.map_err(|error| error.to_string()),
        }
    };
    let position = position.and_then(|position| match position.check_of_game() {
        // a network can follow its moves
        Ok(()) | Err(IllegalPosition::Pieces { .. } | IllegalPosition::Pawns { .. }) => {
            Ok(position)
        }
        Err(error) => Err(error.to_string()),
    });
    position.map_err(|error| format!("no game can start here: {error}"))
}

/// Whether a king or rook with castling rights is not on its square of standard chess.
fn is_chess960(position: &Position) -> bool {
    let is_usual = |rook: Square, color: Color| {
        let king = Square::new(File::E, Rank::First.relative_to(color));
        position.king(color) == king && matches!(rook.file(), File::A | File::H)
    };
    Color::ALL.into_iter().any(|color| {
        let mut rooks = (position.castling() & position.color(color)).into_iter();
        rooks.any(|rook| !is_usual(rook, color))
    })
}

/// Whether a text is two squares, optionally with the letter of a piece.
fn is_uci(text: &str) -> bool {
    let is_square = |text: Option<&str>| text.is_some_and(|text| text.parse::<Square>().is_ok());
    let is_piece = |text: &str| text.is_empty() || text.parse::<Piece>().is_ok();
    is_square(text.get(..2)) && is_square(text.get(2..4)) && text.get(4..).is_some_and(is_piece)
}

#[cfg(test)]
mod tests {
    use nnue_data::MoveKind;

    use super::*;

    const KIWI: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

    #[test]
    fn both_notations_of_castling_are_understood() {
        for moves in ["e1g1 e8c8", "e1h1 e8a8"] {
            let game = Game::parse(&format!("x\t{KIWI}\t{moves}")).expect(moves);
            assert!(
                game.moves.iter().all(|m| m.kind == MoveKind::Castling),
                "{moves}"
            );
            assert_eq!(game.uci(0).as_deref(), Some("e1g1"));
        }
        // Chess960: king on b1, rooks on a1 and f1
        let game = Game::parse("x\t1k6/8/8/8/8/8/8/RK3R2 w FA - 0 1\tb1f1")
            .expect("castling with the rook on f1");
        assert_eq!(game.moves[0].kind, MoveKind::Castling);
        assert_eq!(game.uci(0).as_deref(), Some("b1f1"));
        // the king stands as in chess, one of the rooks does not
        let game = Game::parse("x\t4k3/8/8/8/8/8/8/1R2K2R w HB - 0 1\te1g1")
            .expect("castling with the rook on h1");
        assert_eq!(game.uci(0).as_deref(), Some("e1h1"));
    }

    #[test]
    fn games_start_where_rules_can_be_followed() {
        for (line, last) in [
            // more than sixteen pieces; three checks; impossible castling rights and en passant
            (
                "4k3/8/8/8/8/QQQQ1QQQ/PPPPPPPP/RNBQKBNR w KQ - 0 1\ta3a8 e8e7",
                "Q7/4k3/8/8/8/1QQQ1QQQ/PPPPPPPP/RNBQKBNR w KQ - 2 2",
            ),
            (
                "4k3/8/3N4/8/1B2R3/8/8/4K3 b - - 0 7\te8d8",
                "3k4/8/3N4/8/1B2R3/8/8/4K3 w - - 1 8",
            ),
            (
                "4k3/8/8/8/8/8/8/4K2R w KQkq e6 0 1\te1h1 e8e7",
                "8/4k3/8/8/8/8/8/5RK1 w - - 2 2",
            ),
        ] {
            let game = Game::parse(&format!("x\t{line}")).expect(line);
            assert_eq!(game.fen(2.min(game.moves.len())), last);
        }
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
        assert!(
            error("x\tP3k3/8/8/8/8/8/8/4K3 w - - 0 1\t")
                .starts_with("no game can start here: a pawn on a8")
        );
        assert_eq!(
            error("x\t8/8/8/8/8/8/8/K7 w - - 0 1\t"),
            "black has no king"
        );
    }
}
