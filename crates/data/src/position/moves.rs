//! Moves, and their UCI notation.

use std::fmt;

use cozy_chess::{Color, File, Piece, Rank, Square};
use thiserror::Error;

use super::Position;

/// A move of the side to move. Castling is written as the king taking his own rook, in chess and in Chess960.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// the square of the moving piece, when castling of the king
    pub from: Square,
    /// the square that it moves to, when castling that of the rook
    pub to: Square,
    /// what else happens
    pub kind: MoveKind,
}

/// What a move does besides moving a piece and capturing what stands on its square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// nothing else
    Normal,
    /// the pawn becomes a knight, bishop, rook or queen
    Promotion(Piece),
    /// the king moves two squares towards a rook, or to where that would end, and the rook beside him
    Castling,
    /// a pawn captures one that has just passed it
    EnPassant,
}

/// Text that is no move in UCI notation of a piece that is there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no move in UCI notation (as `e2e4` or `e7e8q`) of the side to move")]
pub struct UciError(pub String);

impl Move {
    /// A move that does nothing else.
    #[inline]
    pub const fn normal(from: Square, to: Square) -> Self {
        Self {
            from,
            to,
            kind: MoveKind::Normal,
        }
    }

    /// Reads a move of `position` in UCI notation. Castling may be written as two squares of the king (`e1g1`) or as the king taking his
    /// rook (`e1h1`).
    ///
    /// # Errors
    ///
    /// If the text is no move, or no piece of the side to move is there. Whether the piece can make the move is not asked.
    pub fn from_uci(text: &str, position: &Position) -> Result<Self, UciError> {
        parse(text, position).ok_or_else(|| UciError(text.chars().take(12).collect()))
    }

    /// The move in UCI notation. In positions where king and rooks have not left the squares where chess begins, castling is written as
    /// two squares of the king, else as the king taking his rook.
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

/// Whether the castling is one that chess has, and not only Chess960.
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

/// A move of the king, which is castling if it ends on his own rook or two files away.
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
    /// UCI notation, with castling as the king taking his rook.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.kind {
            MoveKind::Promotion(piece) => write!(f, "{piece}"),
            _ => Ok(()),
        }
    }
}
