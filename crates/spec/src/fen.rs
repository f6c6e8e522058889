//! Positions as text: the pieces and the side to move of a FEN, the only fields a network needs.

use alloc::vec::Vec;
use core::fmt;

/// The pieces of a FEN, and the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fen {
    /// black?, kind (pawn 0 to king 5), square (a1 0, h8 63); at most one on a square
    pub pieces: Vec<(bool, usize, usize)>,
    /// the side to move
    pub black_to_move: bool,
}

/// Why a text is not the FEN of a position that a network can evaluate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FenError {
    /// this number of ranks instead of 8
    Ranks(usize),
    /// the rank with this number (8 to 1) does not have 8 squares
    Rank(usize),
    /// not the letter of a piece
    Piece(char),
    /// neither `w` nor `b` after the board
    Side,
    /// white (or, if true, black) does not have one king
    Kings(bool),
    /// more than 32 pieces
    Pieces(usize),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ranks(count) => write!(f, "a board has 8 ranks, found {count}"),
            Self::Rank(rank) => write!(f, "rank {rank} does not have 8 squares"),
            Self::Piece(letter) => write!(f, "`{}` is no piece", letter.escape_debug()),
            Self::Side => write!(f, "`w` or `b` is missing after the board"),
            Self::Kings(black) => write!(
                f,
                "{} does not have one king",
                if *black { "black" } else { "white" }
            ),
            Self::Pieces(count) => write!(f, "a position has at most 32 pieces, found {count}"),
        }
    }
}

impl core::error::Error for FenError {}

impl Fen {
    /// Reads the first two fields of a FEN and ignores the others.
    ///
    /// # Errors
    ///
    /// [`FenError`]: the first error.
    pub fn parse(text: &str) -> Result<Self, FenError> {
        let mut fields = text.split_ascii_whitespace();
        let board = fields.next().unwrap_or("");
        let ranks = board.split('/').count();
        if ranks != 8 {
            return Err(FenError::Ranks(ranks));
        }
        let mut pieces = Vec::new();
        for (rank, text) in (0..8).rev().zip(board.split('/')) {
            read_rank(rank, text, &mut pieces)?;
        }
        let black_to_move = match fields.next() {
            Some("w") => false,
            Some("b") => true,
            _ => return Err(FenError::Side),
        };
        if pieces.len() > 32 {
            return Err(FenError::Pieces(pieces.len()));
        }
        for black in [false, true] {
            if pieces
                .iter()
                .filter(|(side, kind, _)| *side == black && *kind == 5)
                .count()
                != 1
            {
                return Err(FenError::Kings(black));
            }
        }
        Ok(Self {
            pieces,
            black_to_move,
        })
    }
}

/// Reads the pieces of a rank (0 to 7) and their gaps.
fn read_rank(
    rank: usize,
    text: &str,
    pieces: &mut Vec<(bool, usize, usize)>,
) -> Result<(), FenError> {
    let mut file = 0;
    for letter in text.chars() {
        match letter.to_digit(9) {
            Some(gap @ 1..) => file += gap as usize,
            _ => {
                let kind = "pnbrqk"
                    .find(letter.to_ascii_lowercase())
                    .ok_or(FenError::Piece(letter))?;
                if file < 8 {
                    pieces.push((letter.is_ascii_lowercase(), kind, 8 * rank + file));
                }
                file += 1;
            }
        }
        if file > 8 {
            return Err(FenError::Rank(rank + 1));
        }
    }
    if file == 8 {
        Ok(())
    } else {
        Err(FenError::Rank(rank + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_position_has_32_pieces() {
        let fen =
            Fen::parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").expect("a FEN");
        assert_eq!((fen.pieces.len(), fen.black_to_move), (32, false));
        assert!(fen.pieces.contains(&(true, 4, 59)) && fen.pieces.contains(&(false, 5, 4)));
    }

    #[test]
    fn what_is_wrong_is_told() {
        let error = |text| Fen::parse(text).expect_err("it is wrong");
        assert_eq!(error(""), FenError::Ranks(1));
        assert_eq!(error("8/8/8/8/8/8/8/K1k6 w"), FenError::Rank(1));
        assert_eq!(error("8/8/8/8/8/8/8/K1k4 w"), FenError::Rank(1));
        assert_eq!(error("8/9/8/8/8/8/8/K1k5 w"), FenError::Piece('9'));
        assert_eq!(error("8/8/8/8/8/8/8/K1k50 w"), FenError::Piece('0'));
        assert_eq!(error("8/8/8/8/8/8/8/K1kx4 w"), FenError::Piece('x'));
        assert_eq!(error("8/8/8/8/8/8/8/K1k5"), FenError::Side);
        assert_eq!(error("8/8/8/8/8/8/8/K1K5 b"), FenError::Kings(false));
        assert_eq!(error("k7/8/8/8/8/8/8/8 b"), FenError::Kings(false));
        assert_eq!(
            error("pppppppp/pppppppp/pppppppp/pppppppp/8/8/8/K1k5 w"),
            FenError::Pieces(34)
        );
    }
}
