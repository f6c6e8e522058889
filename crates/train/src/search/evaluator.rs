//! Static evaluation.

use cozy_chess::{BitBoard, Board, Color, Piece};
use nnue_data::{Placement, Position};

use crate::features::{Features, Rows};
use crate::network::{self, Head, Network, Outputs, Parameters, Workspace};

/// Evaluates positions.
pub trait Evaluator {
    /// The value for the side to move.
    fn evaluate(&mut self, board: &Board) -> i32;
}

impl<F: FnMut(&Board) -> i32> Evaluator for F {
    fn evaluate(&mut self, board: &Board) -> i32 {
        self(board)
    }
}

/// A declared network in floating point: its values differ by some hundredths of a pawn from those of the
/// quantised network, and it needs no compiled code.
#[derive(Debug)]
pub struct Real<'n> {
    features: &'n Features,
    network: &'n Network<f32>,
    parameters: &'n Parameters<f32>,
    workspace: Workspace<f32>,
    rows: Rows,
}

impl<'n> Real<'n> {
    /// An evaluator of a network with these parameters.
    pub fn new(
        features: &'n Features,
        network: &'n Network<f32>,
        parameters: &'n Parameters<f32>,
    ) -> Self {
        Self {
            features,
            network,
            parameters,
            workspace: network.workspace(),
            rows: Rows::default(),
        }
    }
}

impl Evaluator for Real<'_> {
    fn evaluate(&mut self, board: &Board) -> i32 {
        let position = position_of(board);
        let seen = self.features.see(&position, &mut self.rows);
        let outputs = self
            .network
            .forward(self.parameters, seen, &mut self.workspace);
        let score = score_of(self.network.head(), outputs.map(f64::from));
        self.features.for_mover(&position, score) as i32
    }
}

/// The score of outputs for the first perspective, in the unit of the network. Logits and WDL outputs are
/// converted from their expected result `p`: `400 ln(p / (1 - p))`, at most 10,000.
pub fn score_of(head: Head, outputs: Outputs<f64>) -> f64 {
    const SCALE: f64 = 400.0;
    let odds = match head {
        Head::Value { .. } => return outputs[0].round(),
        Head::Sigmoid { .. } => outputs[0],
        Head::Wdl { .. } => {
            let [loss, draw, win] = network::softmax(outputs);
            ((win + draw / 2.0) / (loss + draw / 2.0)).ln()
        }
    };
    (SCALE * odds).clamp(-10_000.0, 10_000.0).round()
}

/// The pieces and the side to move: the input of networks.
pub fn position_of(board: &Board) -> Position {
    let placement = Placement {
        pieces: Piece::ALL.map(|piece| board.pieces(piece)),
        colors: Color::ALL.map(|color| board.colors(color)),
        side_to_move: board.side_to_move(),
        castling: BitBoard::EMPTY,
        en_passant: None,
        halfmove_clock: 0,
    };
    placement
        .check()
        .expect("a board has one king of each colour and at most 32 pieces")
}
