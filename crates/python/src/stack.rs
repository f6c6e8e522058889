//! A line of moves with its accumulators.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nnue_data::{Color, Move, Position};
use nnue_runtime::{Change, dynamic};
use pyo3::exceptions::PyIndexError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::board::{Board, shortened};
use crate::errors::{MoveError, PositionError};
use crate::evaluation::Evaluation;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A position, the moves that led from the first one to it, and what the network computed on the way.
#[pyclass(frozen, module = "nnue")]
pub(crate) struct Stack {
    network: Arc<dynamic::Network>,
    line: Mutex<Line>,
}

struct Line {
    accumulators: dynamic::Stack,
    /// the first one, and that after each move
    positions: Vec<Position>,
}

impl Line {
    fn top(&self) -> &Position {
        self.positions.last().expect("the first position stays")
    }
}

impl Stack {
    pub(crate) fn new(
        network: Arc<dynamic::Network>,
        position: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let positions = vec![root(position)?];
        Ok(Self {
            network,
            line: Mutex::new(Line {
                accumulators: dynamic::Stack::new(),
                positions,
            }),
        })
    }

    /// Nothing of Python's is called while it is locked.
    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The position of a FEN or of a board of `python-chess`; the start position if there is none.
fn root(given: Option<&Bound<'_, PyAny>>) -> PyResult<Position> {
    let Some(given) = given else {
        return read(START);
    };
    match given.cast::<PyString>() {
        Ok(fen) => read(fen.to_str()?),
        Err(_) => read(
            given
                .call_method0(intern!(given.py(), "fen"))?
                .cast::<PyString>()?
                .to_str()?,
        ),
    }
}

fn read(fen: &str) -> PyResult<Position> {
    fen.parse()
        .map_err(|error| PositionError::new_err(format!("`{}`: {error}", shortened(fen))))
}

/// The position after a move in UCI notation; `0000` is the null move.
fn after(position: &Position, uci: &str) -> Result<Position, String> {
    if uci == "0000" {
        let placement = position.placement();
        let passed = nnue_data::Placement {
            side_to_move: if placement.side_to_move == Color::White {
                Color::Black
            } else {
                Color::White
            },
            en_passant: None,
            halfmove_clock: placement.halfmove_clock.saturating_add(1),
            ..*placement
        };
        return passed.check().map_err(|error| error.to_string());
    }
    let mv = Move::from_uci(uci, position)
        .map_err(|error| format!("{error}, in {}", position.fen(1)))?;
    position
        .play_legal(mv)
        .ok_or_else(|| format!("`{uci}` is not legal in {}", position.fen(1)))
}

#[pymethods]
impl Stack {
    /// Makes a move: a `chess.Move`, or UCI notation. `0000` and `chess.Move.null()` pass.
    fn push(&self, r#move: &Bound<'_, PyAny>) -> PyResult<()> {
        let uci = match r#move.cast::<PyString>() {
            Ok(uci) => uci.clone(),
            Err(_) => r#move
                .call_method0(intern!(r#move.py(), "uci"))?
                .cast_into()?,
        };
        let mut line = self.line();
        let position = after(line.top(), uci.to_str()?).map_err(MoveError::new_err)?;
        let [removed, added] = Board::from(line.top()).changes_to(&(&position).into());
        let change = Change::new(&removed, &added)
            .ok_or_else(|| MoveError::new_err("more than two pieces move"))?;
        line.accumulators.push(change);
        line.positions.push(position);
        Ok(())
    }

    /// Takes the last move back.
    fn pop(&self) -> PyResult<()> {
        let mut line = self.line();
        if line.accumulators.depth() == 0 {
            return Err(PyIndexError::new_err("pop from a stack without moves"));
        }
        line.accumulators.pop();
        line.positions.pop();
        Ok(())
    }

    /// Evaluates the position after the moves.
    fn evaluate(&self) -> Evaluation {
        let mut line = self.line();
        let board = Board::from(line.top());
        self.network
            .evaluate_real(&board, &mut line.accumulators)
            .into()
    }

    /// Forgets the moves, and begins at this position; without one, at the start of a game.
    #[pyo3(signature = (position=None))]
    fn reset(&self, position: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let position = root(position)?;
        let mut line = self.line();
        line.accumulators.reset();
        line.positions = vec![position];
        Ok(())
    }

    /// The position after the moves. Moves are not counted: the last number is 1.
    fn fen(&self) -> String {
        self.line().top().fen(1)
    }

    fn __len__(&self) -> usize {
        self.line().accumulators.depth()
    }

    fn __repr__(&self) -> String {
        let line = self.line();
        format!(
            "<nnue.Stack after {} moves: {}>",
            line.accumulators.depth(),
            line.top().fen(1)
        )
    }
}
