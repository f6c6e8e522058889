//! The rule for positions of games. [`Placement::check`](super::Placement::check) checks less: what
//! evaluation needs.
//!
//! ```text
//!   evaluated    one king each, at most 32 pieces, no pawn on an edge, rights with their rook, en passant behind a pawn
//!   of a game    that, the kings apart, no king that could be taken, no more pieces, pawns and checks than a game has
//! ```

use cozy_chess::{Color, Piece, Rank, Square, get_between_rays, get_king_moves};
use thiserror::Error;

use super::Position;
use super::placement::name;

/// The most pieces and pawns of a side, and the most pieces that give check at once.
const MOST: [u32; 3] = [16, 8, 2];

/// Why a position cannot arise in a game: no move leads to it, or its moves are not defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum IllegalPosition {
    /// the kings stand on adjacent squares
    #[error("the kings on {white} and {black} stand side by side")]
    KingsTouch {
        /// the square of White's king
        white: Square,
        /// the square of Black's king
        black: Square,
    },
    /// the side that has moved is in check
    #[error(
        "the side that has moved is in check, its {} king on {king} could be taken",
        name(*color)
    )]
    Exposed {
        /// the side that has moved
        color: Color,
        /// the square of its king
        king: Square,
    },
    /// a side has more pieces than at the start of a game
    #[error("{count} {} pieces, at most {} are possible", name(*color), MOST[0])]
    Pieces {
        /// the side
        color: Color,
        /// its number of pieces
        count: u32,
    },
    /// a side has more pawns than at the start of a game
    #[error("{count} {} pawns, at most {} are possible", name(*color), MOST[1])]
    Pawns {
        /// the side
        color: Color,
        /// its number of pawns
        count: u32,
    },
    /// more pieces give check than one move allows
    #[error("{count} pieces give check, at most {} are possible", MOST[2])]
    Checks {
        /// the number of pieces that give check
        count: u32,
    },
    /// a check that the double push before an en passant capture cannot have given
    #[error(
        "en passant on {square}, and a check from {checker} that the pawn's move cannot have given"
    )]
    EnPassant {
        /// the en passant square
        square: Square,
        /// the piece that gives check
        checker: Square,
    },
}

impl Position {
    /// Checks whether the position can arise in a game. In other positions moves are not defined, or a king
    /// could be taken.
    ///
    /// # Errors
    ///
    /// The first rule that is broken.
    ///
    /// ```
    /// use nnue_data::Position;
    ///
    /// let position: Position = "kK6/8/8/8/8/8/8/8 w - - 0 1".parse()?;
    /// let error = position.check_of_game().expect_err("kings side by side");
    /// assert_eq!(error.to_string(), "the kings on b8 and a8 stand side by side");
    /// # Ok::<(), nnue_data::FenError>(())
    /// ```
    pub fn check_of_game(&self) -> Result<(), IllegalPosition> {
        self.check_kings()?;
        self.check_material()?;
        self.check_checks()
    }

    /// The part of the rule that moves rely on: no king can be taken.
    pub(super) fn check_kings(&self) -> Result<(), IllegalPosition> {
        let [white, black] = Color::ALL.map(|color| self.king(color));
        if get_king_moves(white).has(black) {
            return Err(IllegalPosition::KingsTouch { white, black });
        }
        let color = !self.side_to_move();
        if self.exposes_king() {
            let king = self.king(color);
            return Err(IllegalPosition::Exposed { color, king });
        }
        Ok(())
    }

    fn check_material(&self) -> Result<(), IllegalPosition> {
        let [most_pieces, most_pawns, _] = MOST;
        for color in Color::ALL {
            let count = self.color(color).len();
            if count > most_pieces {
                return Err(IllegalPosition::Pieces { color, count });
            }
            let count = self.colored(color, Piece::Pawn).len();
            if count > most_pawns {
                return Err(IllegalPosition::Pawns { color, count });
            }
        }
        Ok(())
    }

    fn check_checks(&self) -> Result<(), IllegalPosition> {
        let us = self.side_to_move();
        let king = self.king(us);
        let checkers = self.attackers(king, !us, self.occupied());
        if checkers.len() > MOST[2] {
            return Err(IllegalPosition::Checks {
                count: checkers.len(),
            });
        }
        let Some(square) = self.en_passant() else {
            return Ok(());
        };
        let [pawn, from] = [Rank::Fourth, Rank::Second]
            .map(|rank| Square::new(square.file(), rank.relative_to(!us)));
        let by_the_move =
            |&checker: &Square| checker == pawn || get_between_rays(checker, king).has(from);
        match checkers.into_iter().find(|checker| !by_the_move(checker)) {
            Some(checker) => Err(IllegalPosition::EnPassant { square, checker }),
            None => Ok(()),
        }
    }
}
