//! The policy row of a move.
//!
//! ```text
//!   move ──► as its mover sees it ──► files mirrored, if the own king is on the other half ──► number of the scheme
//! ```
//!
//! The numbering must equal the engine's: these are the rules and schemes ([`Numbering`]) that engines use.

use nnue_data::{Color, Move, MoveKind, Position};
use nnue_runtime::policy::{MoveSquares, Numbering, PolicyMove};
use nnue_runtime::{Color as Side, PieceKind, Square as SquareOf};
pub use nnue_spec::Half;
use nnue_spec::NetDesc;

/// A rule that maps moves to policy rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveRows {
    /// the numbering scheme
    pub numbering: Numbering,
    /// the half of the board to which mirroring brings the own king
    pub king: Half,
    /// whether castling is encoded as the king's move to file g or c, instead of onto the rook; scheme 3920
    /// has its own numbers for castling
    pub to_target: bool,
}

/// The half to which the features of a network mirror the own king, so that mirrored positions are equal to the
/// policy, too.
pub fn half_of(net: &NetDesc<'_>) -> Half {
    let first = net
        .features
        .first()
        .and_then(|feature| feature.set.pieces());
    first.map_or(Half::Any, |planes| planes.half)
}

impl MoveRows {
    /// The row of a pseudo-legal move; `None` if the scheme has none.
    ///
    /// ```
    /// use nnue_data::{Move, Position};
    /// use nnue_runtime::policy::Numbering;
    /// use nnue_train::move_rows::{Half, MoveRows};
    ///
    /// let rule = MoveRows { numbering: Numbering::FromTo, king: Half::Any, to_target: false };
    /// let position: Position = "4k3/4p3/8/8/8/8/8/4K3 b - - 0 1".parse()?;
    /// let mv = Move::from_uci("e7e5", &position)?;
    /// assert_eq!(rule.row(&position, mv), Some(64 * 12 + 28)); // as White's e2e4
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn row(&self, position: &Position, mv: Move) -> Option<u32> {
        let mover = position.side_to_move();
        let side = if mover == Color::White {
            Side::White
        } else {
            Side::Black
        };
        let mut mv = policy_move(position, mv)?.seen_by(side);
        if self.to_target {
            mv.squares = mv.to_target();
        }
        if self.king.mirrors(position.king(mover) as usize) {
            mv = mv.mirrored();
        }
        self.numbering.index(mv).map(|index| index as u32)
    }
}

fn policy_move(position: &Position, Move { from, to, kind }: Move) -> Option<PolicyMove> {
    let piece = PieceKind::ALL[position.piece_on(from)? as usize];
    let [from, to] = [from, to].map(|square| SquareOf::wrapping(square as u32));
    Some(match kind {
        MoveKind::Castling => PolicyMove::castling(from, to),
        MoveKind::Promotion(piece) => {
            let promotion = Some(PieceKind::ALL[piece as usize]);
            PolicyMove::new(PieceKind::Pawn, MoveSquares::new(from, to, promotion))
        }
        MoveKind::Normal | MoveKind::EnPassant => {
            PolicyMove::new(piece, MoveSquares::new(from, to, None))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(fen: &str, uci: &str, rule: MoveRows) -> Option<u32> {
        let position: Position = fen.parse().expect("a FEN");
        rule.row(&position, Move::from_uci(uci, &position).expect("a move"))
    }

    #[test]
    fn kings_of_one_half_have_the_rows_of_the_other() {
        let rule = |king| MoveRows {
            numbering: Numbering::Of3920,
            king,
            to_target: false,
        };
        let right = "4k3/8/8/8/8/8/P6P/4K2R w K - 0 1";
        let left = "3k4/8/8/8/8/8/P6P/R2K4 w A - 0 1";
        for half in [Half::QueenSide, Half::KingSide] {
            assert_eq!(
                row(right, "a2a4", rule(half)),
                row(left, "h2h4", rule(half))
            );
            assert_eq!(
                row(right, "e1h1", rule(half)),
                row(left, "d1a1", rule(half))
            );
        }
        assert_ne!(
            row(right, "a2a4", rule(Half::Any)),
            row(left, "h2h4", rule(Half::Any))
        );
        assert_eq!(
            row(right, "a2a4", rule(Half::Any)),
            row(right, "a2a4", rule(Half::KingSide))
        );
    }

    #[test]
    fn castlings_are_written_as_the_rule_says() {
        let rule = |to_target| MoveRows {
            numbering: Numbering::FromTo,
            king: Half::Any,
            to_target,
        };
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";
        assert_eq!(row(fen, "e8g8", rule(false)), Some(64 * 4 + 7));
        assert_eq!(row(fen, "e8g8", rule(true)), Some(64 * 4 + 6));
    }
}
