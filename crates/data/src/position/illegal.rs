//! The rule for positions of games, beside that of [`Placement::check`](super::Placement::check), which is enough to evaluate a position.
//!
//! ```text
//!   evaluated    one king each, at most 32 pieces, no pawn on an edge, rights with their rook, en passant behind a pawn
//!   of a game    that, the kings apart, no king that could be taken, no more pieces, pawns and checks than a game has
//! ```

use cozy_chess::{Color, Piece, Rank, Square, get_between_rays, get_king_moves};
use thiserror::Error;

use super::Position;
use super::placement::name;

/// Most pieces and most pawns of a side, and most pieces that give check at once.
const MOST: [u32; 3] = [16, 8, 2];

/// Why a position is none of a game: no move leads to it, or moves from it are not defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum IllegalPosition {
    /// a king can take the other one
    #[error("the kings on {white} and {black} stand side by side")]
    KingsTouch {
        /// where White's king is
        white: Square,
        /// where Black's is
        black: Square,
    },
    /// the side that has moved is in check
    #[error(
        "the side that has moved is in check, its {} king on {king} could be taken",
        name(*color)
    )]
    Exposed {
        /// who has moved
        color: Color,
        /// where the king is
        king: Square,
    },
    /// a side has more pieces than it begins with
    #[error("{count} {} pieces, at most {} are possible", name(*color), MOST[0])]
    Pieces {
        /// whose
        color: Color,
        /// how many there are
        count: u32,
    },
    /// a side has more pawns than it begins with
    #[error("{count} {} pawns, at most {} are possible", name(*color), MOST[1])]
    Pawns {
        /// whose
        color: Color,
        /// how many there are
        count: u32,
    },
    /// more pieces give check than one move can make do so
    #[error("{count} pieces give check, at most {} are possible", MOST[2])]
    Checks {
        /// how many there are
        count: u32,
    },
    /// a check that was there before the pawn moved that can be captured en passant
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
    /// Whether this can be a position of a game: moves of other positions are not defined, and a king could be taken.
    ///
    /// # Errors
    ///
    /// The first rule that it breaks.
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

    /// The part of the rule that every move relies on: no king can be taken.
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
