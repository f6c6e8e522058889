//! Positions as networks see them: pieces and the side to move.

use std::fmt;

use nnue_data::{BitBoard, Placement, PositionError};
use nnue_runtime::{Color, Piece, PieceKind, Placed, Square};
use nnue_spec::Fen;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;

/// Pieces and the side to move.
#[derive(Clone, Copy)]
pub(crate) struct Board {
    /// by [`Piece::index`]
    pieces: [u64; Piece::COUNT],
    side_to_move: Color,
}

impl nnue_runtime::Position for Board {
    fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
        self.pieces[Piece::new(color, kind).index()]
    }

    fn side_to_move(&self) -> Color {
        self.side_to_move
    }
}

/// A position as `python-chess` and rows of `evaluate_many` have it.
pub(crate) struct Masks {
    /// pawns, knights, bishops, rooks, queens, kings of either colour
    pub(crate) kinds: [u64; 6],
    /// the pieces of White, of Black
    pub(crate) colors: [u64; 2],
    pub(crate) white_to_move: bool,
}

impl Masks {
    /// The board, if it has one king of each colour, at most 32 pieces, and not more than one on a square.
    pub(crate) fn board(&self) -> Result<Board, PositionError> {
        let placement = Placement {
            pieces: self.kinds.map(BitBoard),
            colors: self.colors.map(BitBoard),
            ..Placement::EMPTY
        };
        match placement.check() {
            // networks have rows for pawns on every square
            Ok(_) | Err(PositionError::PawnOnEdge(_)) => {}
            Err(error) => return Err(error),
        }
        let of =
            |piece: Piece| self.kinds[piece.kind().index()] & self.colors[piece.color().index()];
        let side_to_move = if self.white_to_move {
            Color::White
        } else {
            Color::Black
        };
        Ok(Board {
            pieces: Piece::ALL.map(of),
            side_to_move,
        })
    }
}

impl Board {
    /// The position without the pieces on these squares.
    pub(crate) fn without(&self, squares: u64) -> Self {
        Self {
            pieces: self.pieces.map(|pieces| pieces & !squares),
            ..*self
        }
    }

    /// The position of a FEN, of which the first two fields count.
    pub(crate) fn of_fen(fen: &str) -> Result<Self, NoPosition> {
        let fen = Fen::parse(fen)
            .map_err(|error| NoPosition(format!("`{}`: {error}", shortened(fen))))?;
        let mut pieces = [0; Piece::COUNT];
        for &(black, kind, square) in &fen.pieces {
            pieces[Piece::new(Color::ALL[usize::from(black)], PieceKind::ALL[kind]).index()] |=
                1 << square;
        }
        Ok(Self {
            pieces,
            side_to_move: Color::ALL[usize::from(fen.black_to_move)],
        })
    }

    /// The position of a `chess.Board`, or of anything with its attributes.
    pub(crate) fn of_python(board: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = board.py();
        let Some(occupied) = board.getattr_opt(intern!(py, "occupied_co"))? else {
            let found = board.get_type().fully_qualified_name()?;
            return Err(PyTypeError::new_err(format!(
                "a position is a FEN or a `chess.Board`, not `{found}`"
            )));
        };
        let names = [
            intern!(py, "pawns"),
            intern!(py, "knights"),
            intern!(py, "bishops"),
            intern!(py, "rooks"),
            intern!(py, "queens"),
            intern!(py, "kings"),
        ];
        let mut kinds = [0; 6];
        for (kind, name) in kinds.iter_mut().zip(names) {
            *kind = board.getattr(name)?.extract()?;
        }
        let colors = [
            occupied.get_item(true)?.extract()?,
            occupied.get_item(false)?.extract()?,
        ];
        let white_to_move = board.getattr(intern!(py, "turn"))?.is_truthy()?;
        let masks = Masks {
            kinds,
            colors,
            white_to_move,
        };
        masks
            .board()
            .map_err(|error| NoPosition(error.to_string()).into())
    }

    /// What makes this board the other one: the pieces that leave a square, and those that are new on one.
    pub(crate) fn changes_to(&self, after: &Self) -> [Vec<Placed>; 2] {
        let more = |here: &Self, there: &Self| {
            let squares =
                |piece: Piece| bits(here.pieces[piece.index()] & !there.pieces[piece.index()]);
            Piece::ALL
                .into_iter()
                .flat_map(|piece| squares(piece).map(move |at| Placed::new(piece, at)))
                .collect()
        };
        [more(self, after), more(after, self)]
    }
}

impl From<&nnue_data::Position> for Board {
    fn from(position: &nnue_data::Position) -> Self {
        let color = |color| {
            if color == Color::White {
                nnue_data::Color::White
            } else {
                nnue_data::Color::Black
            }
        };
        let of = |piece: Piece| {
            let kind = nnue_data::Piece::ALL[piece.kind().index()];
            position.colored(color(piece.color()), kind).0
        };
        let white = position.side_to_move() == nnue_data::Color::White;
        Self {
            pieces: Piece::ALL.map(of),
            side_to_move: if white { Color::White } else { Color::Black },
        }
    }
}

/// The squares of a bitboard.
fn bits(mut bitboard: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let square = (bitboard != 0).then(|| Square::new(bitboard.trailing_zeros() as u8))?;
        bitboard &= bitboard - 1;
        Some(square)
    })
}

/// What was given is no position, and why.
#[derive(Debug)]
pub(crate) struct NoPosition(pub(crate) String);

impl fmt::Display for NoPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<NoPosition> for PyErr {
    fn from(error: NoPosition) -> Self {
        crate::errors::PositionError::new_err(error.0)
    }
}

/// A text of the user's as messages show it.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 100;
    let start: String = text.chars().take(MOST).collect();
    let dots = if start.len() < text.len() { ".." } else { "" };
    format!("{}{dots}", start.escape_debug())
}

/// A position as Python gives it.
pub(crate) struct Given(pub(crate) Board);

impl<'py> FromPyObject<'_, 'py> for Given {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match given.cast::<pyo3::types::PyString>() {
            Ok(fen) => Ok(Self(Board::of_fen(fen.to_str()?)?)),
            Err(_) => Board::of_python(&given).map(Self),
        }
    }
}
