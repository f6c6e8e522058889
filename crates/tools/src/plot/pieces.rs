//! Contributions of pieces to a value: the value of the position minus the value without the piece.
//!
//! All values are from White's point of view, in the network's own unit. Removing a piece changes the rows of
//! both sides, those of other pieces if rows depend on attacks or on pairs, and perhaps the layer stack if
//! the number of pieces chooses it. So contributions do not add up to the value. **Kings have none**: every
//! position has both, and with king buckets the king selects the rows of all pieces rather than having a row
//! of its own.

use nnue_spec::reference::{Board, Piece};

use crate::plot::board::{self, Style, legend};
use crate::plot::drawing::{Drawing, Label};
use crate::plot::rows::KING;

/// Size of a square, in pixels.
const SQUARE: f64 = 54.0;

/// A piece and its contribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// the piece
    pub piece: Piece,
    /// the contribution, from White's point of view; `None` for kings
    pub value: Option<i64>,
}

/// The value of a position and the contributions of its pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contributions {
    /// the value, from White's point of view
    pub value: i64,
    /// in the order of the board's pieces
    pub pieces: Vec<Contribution>,
}

impl Contributions {
    /// Computes contributions. `white` gives the value of a board from White's point of view.
    pub fn of(board: &Board, mut white: impl FnMut(&Board) -> i64) -> Self {
        let value = white(board);
        let pieces = board.pieces.iter().map(|&piece| {
            let without = |square| Board {
                pieces: board
                    .pieces
                    .iter()
                    .copied()
                    .filter(|other| other.square != square)
                    .collect(),
                ..board.clone()
            };
            let value = (piece.kind != KING).then(|| value - white(&without(piece.square)));
            Contribution { piece, value }
        });
        Self {
            value,
            pieces: pieces.collect(),
        }
    }

    /// A board with the pieces and their contributions: blue squares favour White, red ones Black.
    pub fn draw(&self, title: &str) -> Drawing {
        let mut picture = board::Board::new(String::new());
        for Contribution { piece, value } in &self.pieces {
            let figures = if piece.black {
                "♟♞♝♜♛♚"
            } else {
                "♙♘♗♖♕♔"
            };
            picture.texts.push((
                figures.chars().skip(piece.kind).take(1).collect(),
                piece.square,
            ));
            picture.squares[piece.square] = value.map(|value| value as f64);
        }
        let limit = picture.greatest();
        let style = Style {
            square: SQUARE,
            limit: if limit > 0.0 { limit } else { 1.0 },
            numbers: true,
        };
        let (top, drawing) = (46.0, picture.draw(style));
        let mut all = Drawing::new(
            drawing.width().max(8.0 * title.chars().count() as f64),
            top + drawing.height() + 44.0,
        );
        all.label(Label {
            bold: true,
            ..Label::new((0.0, 16.0), title)
        });
        let text = format!(
            "value for White {:+}; on each piece: how much less it is without the piece (kings cannot go)",
            self.value
        );
        all.label(Label {
            size: 11.0,
            colour: "#555555",
            ..Label::new((0.0, 34.0), &text)
        });
        all.put(&drawing, (0.0, top));
        all.put(
            &legend(limit, "for White"),
            (0.0, top + drawing.height() + 8.0),
        );
        all
    }
}
