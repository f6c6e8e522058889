//! Contributions of pieces: the value of a position minus its value without the piece, for White.

use nnue_runtime::dynamic::Network;
use nnue_runtime::{Color, PieceKind, Position};
use pyo3::intern;
use pyo3::prelude::*;

use crate::board::Board;
use crate::many;

/// Contributions by square, a1 to h8; NaN for kings and empty squares, which have none.
pub(crate) struct Contributions([f64; 64]);

impl Contributions {
    pub(crate) fn of(network: &Network, board: &Board) -> Self {
        let kings = Color::ALL.map(|color| board.pieces(color, PieceKind::King));
        let mut others = board.occupied() & !(kings[0] | kings[1]);
        let mut boards = vec![*board];
        let mut squares = Vec::new();
        while others != 0 {
            squares.push(others.trailing_zeros());
            boards.push(board.without(others & others.wrapping_neg()));
            others &= others - 1;
        }
        let values = many::evaluate_boards(network, &boards, 1);
        let sign = match board.side_to_move() {
            Color::White => 1.0,
            Color::Black => -1.0,
        };
        let mut all = [f64::NAN; 64];
        for (&square, without) in squares.iter().zip(&values[1..]) {
            let [whole, without] = [&values[0], without].map(|said| said.evaluation.value);
            all[square as usize] = sign * (f64::from(whole) - f64::from(without));
        }
        Self(all)
    }

    /// An array of numpy by rank and file.
    pub(crate) fn array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let ranks: Vec<Vec<f64>> = self.0.chunks(8).map(<[f64]>::to_vec).collect();
        py.import(intern!(py, "numpy"))?
            .call_method1(intern!(py, "array"), (ranks,))
    }
}
