//! Moves, and their UCI notation.

use std::fmt;

use cozy_chess::{Color, File, Piece, Rank, Square};
use thiserror::Error;

use super::Position;

/// A move of the side to move. Castling is the king taking its own rook, in chess and in Chess960.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// the square of the moving piece; for castling, of the king
    pub from: Square,
    /// the destination; for castling, the square of the rook
    pub to: Square,
    /// what else the move does
    pub kind: MoveKind,
}

/// What a move does besides moving a piece and capturing on the destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// nothing else
    Normal,
    /// the pawn becomes a knight, bishop, rook or queen
    Promotion(Piece),
    /// the king goes to the c or g file, and the rook to the d or f file
    Castling,
    /// a pawn captures a pawn that has just passed it
    EnPassant,
}

/// A text that is not a UCI move of a piece of the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no move in UCI notation (as `e2e4` or `e7e8q`) of the side to move")]
pub struct UciError(pub String);

impl Move {
    /// A move of the kind [`MoveKind::Normal`].
    #[inline]
    pub const fn normal(from: Square, to: Square) -> Self {
        Self {
            from,
            to,
            kind: MoveKind::Normal,
        }
    }

    /// Parses a UCI move of `position`. Castling may be a king move of two squares (`e1g1`) or the king
    /// taking its rook (`e1h1`).
    ///
    /// # Errors
    ///
    /// If the text is not a move, or no piece of the side to move stands on its first square. Whether the
    /// piece can make the move is not checked.
    pub fn from_uci(text: &str, position: &Position) -> Result<Self, UciError> {
        parse(text, position).ok_or_else(|| UciError(text.chars().take(12).collect()))
    }

    /// The move in UCI notation. Castling of king and rook on their usual squares is a king move of two
    /// squares, other castling is the king taking its rook.
    pub fn to_uci(self, position: &Position) -> String {
        let to = match self.kind {
            MoveKind::Castling if is_standard(self, position) => {
                let file = if self.to.file() > self.from.file() {
                    File::G
                } else {
                    File::C
                };
                Square::new(file, self.to.rank())
            }
            _ => self.to,
        };
        Self { to, ..self }.to_string()
    }
}

/// Whether chess, not only Chess960, has this castling.
fn is_standard(castling: Move, position: &Position) -> bool {
    let home = Rank::First.relative_to(position.side_to_move());
    castling.from == Square::new(File::E, home) && matches!(castling.to.file(), File::A | File::H)
}

fn parse(text: &str, position: &Position) -> Option<Move> {
    let (from, rest) = text.split_at_checked(2)?;
    let (to, promotion) = rest.split_at_checked(2)?;
    let (from, to): (Square, Square) = (from.parse().ok()?, to.parse().ok()?);
    let us = position.side_to_move();
    if !position.color(us).has(from) {
        return None;
    }
    let kind = |kind| Some(Move { from, to, kind });
    let letter = promotion.chars().next();
    match (position.piece_on(from)?, letter) {
        (Piece::Pawn, Some(_)) => match promotion {
            "n" => kind(MoveKind::Promotion(Piece::Knight)),
            "b" => kind(MoveKind::Promotion(Piece::Bishop)),
            "r" => kind(MoveKind::Promotion(Piece::Rook)),
            "q" => kind(MoveKind::Promotion(Piece::Queen)),
            _ => None,
        },
        (_, Some(_)) => None,
        (Piece::Pawn, None) if position.en_passant() == Some(to) && from.file() != to.file() => {
            kind(MoveKind::EnPassant)
        }
        (Piece::King, None) => king_move(position, us, from, to),
        _ => kind(MoveKind::Normal),
    }
}

/// A king move. It is castling if it ends on a rook with a castling right or two files away.
fn king_move(position: &Position, us: Color, from: Square, to: Square) -> Option<Move> {
    let rooks = position.castling() & position.color(us);
    let castling = |rook| {
        Some(Move {
            from,
            to: rook,
            kind: MoveKind::Castling,
        })
    };
    if rooks.has(to) {
        return castling(to);
    }
    let files = to.file() as i8 - from.file() as i8;
    if files.abs() != 2 || from.rank() != to.rank() {
        return Some(Move::normal(from, to));
    }
    let is_beyond = |rook: &Square| (rook.file() > from.file()) == (files > 0);
    rooks
        .iter()
        .find(is_beyond)
        .map_or(Some(Move::normal(from, to)), castling)
}

impl fmt::Display for Move {
    /// UCI notation, with castling as the king taking its rook.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.kind {
            MoveKind::Promotion(piece) => write!(f, "{piece}"),
            _ => Ok(()),
        }
    }
}
