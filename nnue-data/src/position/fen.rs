//! Positions as FEN.

use std::fmt::Write as _;
use std::str::FromStr;

use cozy_chess::{BitBoard, Color, File, Piece, Rank, Square};
use thiserror::Error;

use super::{Placement, Position, PositionError};

/// Why a text is no FEN.
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
    /// the halfmove clock or the number of the move is no number in its range
    #[error("`{found}` is no number from 0 to {most}")]
    Number {
        /// what is there
        found: String,
        /// the largest number
        most: u32,
    },
    /// the pieces are no position
    #[error(transparent)]
    Position(#[from] PositionError),
}

impl FromStr for Position {
    type Err = FenError;

    /// Reads a FEN, the number of the move aside. Castling rights may be named by files, as in Chess960. Clock and number may be missing.
    fn from_str(fen: &str) -> Result<Self, FenError> {
        parse(fen).map(|(position, _)| position)
    }
}

/// Stands for no piece.
const EMPTY: u8 = 0;

/// The largest number of a move.
const MOST_MOVES: u32 = 500_000_000;

/// A position and the number of its move, 1 if it is not given.
pub(crate) fn parse(fen: &str) -> Result<(Position, u32), FenError> {
    let fields: Vec<&str> = fen.split_ascii_whitespace().take(6).collect();
    let [board, side, castling, en_passant, ..] = fields[..] else { return Err(FenError::Fields(fields.len())) };
    let mut placement = Placement { side_to_move: side_to_move(side)?, ..Placement::EMPTY };
    pieces(board, &mut placement).ok_or_else(|| FenError::Board(shortened(board)))?;
    placement.castling = rights(castling, &placement)?;
    placement.en_passant = match en_passant {
        "-" => None,
        square => Some(square.parse().map_err(|_| FenError::EnPassant(shortened(square)))?),
    };
    placement.halfmove_clock = fields.get(4).map_or(Ok(0), |clock| number(clock, u16::MAX.into()))? as u16;
    let number = fields.get(5).map_or(Ok(1), |text| number(text, MOST_MOVES))?;
    Ok((placement.check()?, number))
}

/// The beginning of a word, for messages.
fn shortened(word: &str) -> String {
    word.chars().take(80).collect()
}

fn number(text: &str, most: u32) -> Result<u32, FenError> {
    let number = text.parse().ok().filter(|&number| number <= most);
    number.ok_or_else(|| FenError::Number { found: shortened(text), most })
}

fn side_to_move(text: &str) -> Result<Color, FenError> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(FenError::SideToMove(shortened(text))),
    }
}

fn pieces(text: &str, placement: &mut Placement) -> Option<()> {
    let mut ranks = text.as_bytes().split(|&letter| letter == b'/');
    for rank in Rank::ALL.into_iter().rev() {
        let mut file = 0;
        for &letter in ranks.next()? {
            if let b'1'..=b'8' = letter {
                file += usize::from(letter - b'0');
                continue;
            }
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            placement.put(Square::new(File::try_index(file)?, rank), color, piece(letter)?);
            file += 1;
        }
        if file != 8 {
            return None;
        }
    }
    ranks.next().is_none().then_some(())
}

fn piece(letter: u8) -> Option<Piece> {
    Some(match letter.to_ascii_lowercase() {
        b'p' => Piece::Pawn,
        b'n' => Piece::Knight,
        b'b' => Piece::Bishop,
        b'r' => Piece::Rook,
        b'q' => Piece::Queen,
        b'k' => Piece::King,
        _ => return None,
    })
}

/// The rooks that may castle. `K` is the outermost rook on that side of the king, `H` the rook on that file.
fn rights(text: &str, placement: &Placement) -> Result<BitBoard, FenError> {
    if text == "-" {
        return Ok(BitBoard::EMPTY);
    }
    let rook = |letter| rook(letter, placement).ok_or_else(|| FenError::Castling(shortened(text)));
    text.chars().try_fold(BitBoard::EMPTY, |all, letter| Ok(all | rook(letter)?.bitboard()))
}

fn rook(letter: char, placement: &Placement) -> Option<Square> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
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
    /// The position as FEN, with this number of the move. Castling rights of the outermost rooks are `KQkq`, others are named by file.
    pub fn fen(&self, number: u32) -> String {
        let mut fen = String::with_capacity(80);
        self.write_pieces(&mut fen);
        fen.push_str(if self.side_to_move() == Color::White { " w " } else { " b " });
        self.write_castling(&mut fen);
        let clock = self.halfmove_clock();
        let written = match self.en_passant() {
            Some(square) => write!(fen, " {square} {clock} {number}"),
            None => write!(fen, " - {clock} {number}"),
        };
        written.expect("a string takes everything");
        fen
    }

    fn write_pieces(&self, fen: &mut String) {
        let letters = self.letters();
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                match letters[Square::new(file, rank) as usize] {
                    EMPTY => empty += 1,
                    letter => {
                        push_empty(fen, &mut empty);
                        fen.push(char::from(letter));
                    }
                }
            }
            push_empty(fen, &mut empty);
            if rank != Rank::First {
                fen.push('/');
            }
        }
    }

    /// The letter of the piece on each square, or [`EMPTY`].
    fn letters(&self) -> [u8; Square::NUM] {
        let mut letters = [EMPTY; Square::NUM];
        let white = self.color(Color::White);
        for (piece, letter) in Piece::ALL.into_iter().zip(*b"pnbrqk") {
            for square in self.pieces(piece) {
                letters[square as usize] = if white.has(square) { letter.to_ascii_uppercase() } else { letter };
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
            let rights: Vec<Square> = (self.castling() & self.color(color)).iter().collect();
            for &rook in rights.iter().rev() {
                let usual = if rook.file() > king.file() { 'k' } else { 'q' };
                let upper = if color == Color::White { usual.to_ascii_uppercase() } else { usual };
                let is_outermost = self::rook(upper, self.placement()) == Some(rook);
                let letter = if is_outermost { usual } else { char::from(rook.file()) };
                fen.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
            }
        }
    }
}

fn push_empty(fen: &mut String, empty: &mut u8) {
    if *empty > 0 {
        fen.push(char::from(b'0' + *empty));
        *empty = 0;
    }
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
    fn faults_are_told() {
        let told = |fen: &str| fen.parse::<Position>().unwrap_err().to_string();
        assert_eq!(told("8/8 w"), "a FEN has at least four fields, this has 2");
        assert_eq!(told("8/8/8/8/8/8/8/8 w - - 0 1"), "0 white kings instead of one");
        assert_eq!(told("4k3/8/8/8/8/8/8/4K4 w - - 0 1"), "`4k3/8/8/8/8/8/8/4K4` is not eight ranks of eight squares");
        assert_eq!(told("4k3/8/8/8/8/8/8/4K3 x - - 0 1"), "the side to move is `x` instead of `w` or `b`");
        assert_eq!(told("4k3/8/8/8/8/8/8/4K3 w K - 0 1"), "`K` names no castling rights that this position can have");
        assert_eq!(told("4k3/8/8/8/8/8/8/4K3 w - e6 0 1"), "en passant on e6, which no pawn has just passed over");
        assert_eq!(told("4k3/8/8/8/8/8/8/4K3 w - z9 0 1"), "`z9` is no en passant square");
        assert_eq!(told("4k3/8/8/8/8/8/8/4K3 w - - x 1"), "`x` is no number from 0 to 65535");
        assert_eq!(told("4k3/8/8/8/8/8/8/4K3 w - - 0 600000000"), "`600000000` is no number from 0 to 500000000");
        assert_eq!(told("P3k3/8/8/8/8/8/8/4K3 w - - 0 1"), "a pawn on a8, the first or last rank");
    }
}
