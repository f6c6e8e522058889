//! Positions as FEN.

use std::str::FromStr;

use cozy_chess::{BitBoard, Color, File, Piece, Rank, Square};
use thiserror::Error;

use super::{Placement, Position, PositionError};
use crate::printable::shortened;

/// Why a text is not a FEN.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FenError {
    /// there are fewer than four fields: pieces, side to move, castling, en passant
    #[error("a FEN has at least four fields, this has {0}")]
    Fields(usize),
    /// the pieces are not eight ranks of eight squares
    #[error("`{0}` is not eight ranks of eight squares")]
    Board(String),
    /// the side to move is neither `w` nor `b`
    #[error("the side to move is `{0}` instead of `w` or `b`")]
    SideToMove(String),
    /// the castling rights are neither `-` nor letters of `KQkq` or of files with a rook
    #[error("`{0}` names no castling rights that this position can have")]
    Castling(String),
    /// the en passant square is neither `-` nor a square
    #[error("`{0}` is no en passant square")]
    EnPassant(String),
    /// the halfmove clock or the move number is not a number in its range
    #[error("`{found}` is no number from 0 to {most}")]
    Number {
        /// the text found
        found: String,
        /// the largest number
        most: u32,
    },
    /// the pieces form no valid position
    #[error(transparent)]
    Position(#[from] PositionError),
}

impl FromStr for Position {
    type Err = FenError;

    /// Parses a FEN and drops its move number. Castling rights may be named by files, as in Chess960. Clock
    /// and move number may be missing.
    fn from_str(fen: &str) -> Result<Self, FenError> {
        parse(fen).map(|(position, _)| position)
    }
}

/// Stands for an empty square.
const EMPTY: u8 = 0;

/// The largest move number.
const MOST_MOVES: u32 = 500_000_000;

/// A position and its move number, 1 if it is missing.
pub(crate) fn parse(fen: &str) -> Result<(Position, u32), FenError> {
    let mut fields = fen.split_ascii_whitespace();
    let mut field = |before| fields.next().ok_or(FenError::Fields(before));
    let (board, side, castling, en_passant) = (field(0)?, field(1)?, field(2)?, field(3)?);
    let mut placement = Placement {
        side_to_move: side_to_move(side)?,
        ..Placement::EMPTY
    };
    pieces(board, &mut placement).ok_or_else(|| FenError::Board(shortened(board)))?;
    placement.castling = rights(castling, &placement)?;
    placement.en_passant = match en_passant {
        "-" => None,
        square => Some(
            square
                .parse()
                .map_err(|_| FenError::EnPassant(shortened(square)))?,
        ),
    };
    placement.halfmove_clock = fields
        .next()
        .map_or(Ok(0), |clock| number(clock, u16::MAX.into()))?
        as u16;
    let number = fields
        .next()
        .map_or(Ok(1), |text| number(text, MOST_MOVES))?;
    Ok((placement.check()?, number))
}

fn number(text: &str, most: u32) -> Result<u32, FenError> {
    let number = text.parse().ok().filter(|&number| number <= most);
    number.ok_or_else(|| FenError::Number {
        found: shortened(text),
        most,
    })
}

fn side_to_move(text: &str) -> Result<Color, FenError> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(FenError::SideToMove(shortened(text))),
    }
}

fn pieces(text: &str, placement: &mut Placement) -> Option<()> {
    let (mut rank, mut file) = (Rank::NUM - 1, 0);
    for &letter in text.as_bytes() {
        match letter {
            b'1'..=b'8' => file += usize::from(letter - b'0'),
            b'/' if file == File::NUM => (rank, file) = (rank.checked_sub(1)?, 0),
            _ => {
                let (color, piece) = PIECES[usize::from(letter)]?;
                placement.put(
                    Square::new(File::try_index(file)?, Rank::index(rank)),
                    color,
                    piece,
                );
                file += 1;
            }
        }
    }
    (rank == 0 && file == File::NUM).then_some(())
}

/// The piece of each FEN letter.
static PIECES: [Option<(Color, Piece)>; 256] = {
    let mut pieces = [None; 256];
    let mut index = 0;
    while index < Piece::NUM {
        let letter = LETTERS[index];
        pieces[letter as usize] = Some((Color::Black, Piece::ALL[index]));
        pieces[letter.to_ascii_uppercase() as usize] = Some((Color::White, Piece::ALL[index]));
        index += 1;
    }
    pieces
};

/// The letters of black pieces.
const LETTERS: [u8; Piece::NUM] = *b"pnbrqk";

/// The rooks with castling rights. `K` is the outermost rook on that side of the king, `H` the rook on the h
/// file.
fn rights(text: &str, placement: &Placement) -> Result<BitBoard, FenError> {
    if text == "-" {
        return Ok(BitBoard::EMPTY);
    }
    let rook = |letter| rook(letter, placement).ok_or_else(|| FenError::Castling(shortened(text)));
    text.chars().try_fold(BitBoard::EMPTY, |all, letter| {
        Ok(all | rook(letter)?.bitboard())
    })
}

fn rook(letter: char, placement: &Placement) -> Option<Square> {
    let color = if letter.is_ascii_uppercase() {
        Color::White
    } else {
        Color::Black
    };
    let home = Rank::First.relative_to(color);
    let own = placement.colors[color as usize] & home.bitboard();
    let rooks = own & placement.pieces[Piece::Rook as usize];
    let king = (own & placement.pieces[Piece::King as usize]).next_square()?;
    match letter.to_ascii_lowercase() {
        'k' => rooks.iter().filter(|rook| rook.file() > king.file()).last(),
        'q' => rooks.iter().find(|rook| rook.file() < king.file()),
        file => Some(Square::new(file.try_into().ok()?, home)).filter(|&rook| rooks.has(rook)),
    }
}

impl Position {
    /// The position as FEN with this move number. Castling rights of outermost rooks are `KQkq`, others are
    /// named by file.
    pub fn fen(&self, number: u32) -> String {
        let mut fen = String::with_capacity(96);
        self.write_fen(number, &mut fen);
        fen
    }

    /// Appends [`fen`](Self::fen) to `text`.
    pub fn write_fen(&self, number: u32, text: &mut String) {
        self.write_pieces(text);
        text.push_str(if self.side_to_move() == Color::White {
            " w "
        } else {
            " b "
        });
        self.write_castling(text);
        match self.en_passant() {
            Some(square) => {
                let letters = [
                    b' ',
                    b'a' + square.file() as u8,
                    b'1' + square.rank() as u8,
                    b' ',
                ];
                letters
                    .into_iter()
                    .for_each(|letter| text.push(char::from(letter)));
            }
            None => text.push_str(" - "),
        }
        push_number(text, self.halfmove_clock().into());
        text.push(' ');
        push_number(text, number.into());
    }

    fn write_pieces(&self, fen: &mut String) {
        // eight ranks of eight letters, and seven slashes
        let (mut written, mut length) = ([0; 71], 0);
        let mut push = |letter: u8| {
            written[length] = letter;
            length += 1;
        };
        let letters = self.letters();
        for (rank, letters) in letters.chunks_exact(File::NUM).rev().enumerate() {
            if rank > 0 {
                push(b'/');
            }
            let mut empty = 0;
            for &letter in letters {
                if letter == EMPTY {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    push(b'0' + std::mem::take(&mut empty));
                }
                push(letter);
            }
            if empty > 0 {
                push(b'0' + empty);
            }
        }
        fen.push_str(std::str::from_utf8(&written[..length]).expect("letters of ASCII"));
    }

    /// The letter of the piece on each square, or [`EMPTY`].
    fn letters(&self) -> [u8; Square::NUM] {
        let mut letters = [EMPTY; Square::NUM];
        for (color, case) in [(Color::White, 0), (Color::Black, b'a' - b'A')] {
            for (piece, letter) in Piece::ALL.into_iter().zip(LETTERS) {
                for square in self.colored(color, piece) {
                    letters[square as usize] = letter.to_ascii_uppercase() + case;
                }
            }
        }
        letters
    }

    fn write_castling(&self, fen: &mut String) {
        if self.castling().is_empty() {
            return fen.push('-');
        }
        for color in Color::ALL {
            let king = self.king(color);
            let home = self.castling() & self.color(color);
            // from the right, so that `K` comes before `Q`: there is at most one on each side of the king
            let mut rights = [None, None];
            home.iter()
                .zip(rights.iter_mut().rev())
                .for_each(|(rook, right)| *right = Some(rook));
            for rook in rights.into_iter().flatten() {
                let usual = if rook.file() > king.file() { 'k' } else { 'q' };
                let upper = if color == Color::White {
                    usual.to_ascii_uppercase()
                } else {
                    usual
                };
                let is_outermost = self::rook(upper, self.placement()) == Some(rook);
                let letter = if is_outermost {
                    usual
                } else {
                    char::from(rook.file())
                };
                fen.push(if color == Color::White {
                    letter.to_ascii_uppercase()
                } else {
                    letter
                });
            }
        }
    }
}

pub(crate) fn push_number(text: &mut String, number: i64) {
    let (mut digits, mut begin, mut left) = ([0; 20], 20, number.unsigned_abs());
    loop {
        begin -= 1;
        digits[begin] = b'0' + (left % 10) as u8;
        left /= 10;
        if left == 0 {
            break;
        }
    }
    if number < 0 {
        text.push('-');
    }
    text.push_str(std::str::from_utf8(&digits[begin..]).expect("digits"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_written() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
            "4k3/8/8/8/8/8/8/RR2K2R w KB - 12 60",
            "4k3/8/8/8/8/8/8/4K3 b - - 130 200",
        ] {
            let (position, number) = parse(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert_eq!(position.fen(number), fen);
        }
    }

    #[test]
    fn numbers_are_written_as_they_are() {
        for number in [0, 1, 9, 10, -1, -32768, 500_000_000, i64::MAX, i64::MIN] {
            let mut text = String::new();
            push_number(&mut text, number);
            assert_eq!(text, number.to_string());
        }
    }

    #[test]
    fn faults_are_told() {
        let told = |fen: &str| fen.parse::<Position>().unwrap_err().to_string();
        assert_eq!(told("8/8 w"), "a FEN has at least four fields, this has 2");
        assert_eq!(
            told("8/8/8/8/8/8/8/8 w - - 0 1"),
            "0 white kings instead of one"
        );
        assert_eq!(
            told("4k3/8/8/8/8/8/8/4K4 w - - 0 1"),
            "`4k3/8/8/8/8/8/8/4K4` is not eight ranks of eight squares"
        );
        assert_eq!(
            told("4k3/8/8/8/8/8/8/4K3 x - - 0 1"),
            "the side to move is `x` instead of `w` or `b`"
        );
        assert_eq!(
            told("4k3/8/8/8/8/8/8/4K3 w K - 0 1"),
            "`K` names no castling rights that this position can have"
        );
        assert_eq!(
            told("4k3/8/8/8/8/8/8/4K3 w - e6 0 1"),
            "en passant on e6, which no pawn has just passed over"
        );
        assert_eq!(
            told("4k3/8/8/8/8/8/8/4K3 w - z9 0 1"),
            "`z9` is no en passant square"
        );
        assert_eq!(
            told("4k3/8/8/8/8/8/8/4K3 w - - x 1"),
            "`x` is no number from 0 to 65535"
        );
        assert_eq!(
            told("4k3/8/8/8/8/8/8/4K3 w - - 0 600000000"),
            "`600000000` is no number from 0 to 500000000"
        );
        assert_eq!(
            told("P3k3/8/8/8/8/8/8/4K3 w - - 0 1"),
            "a pawn on a8, the first or last rank"
        );
    }
}
