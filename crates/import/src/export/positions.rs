//! Inputs and expected outputs of an exported graph for positions.

use std::sync::Arc;

use nnue_spec::reference::{Board, Parts, active_features, evaluate_head, evaluate_parts};
use nnue_spec::{
    HeadDesc, HeadKind, HeadSource, NetDesc, PerspectiveOrder, RawOutput, TensorRef, ValueDesc,
};

use crate::tensor::{Data, Tensor};

/// The inputs of an exported graph, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inputs {
    /// lists of rows: `us` and `them`; `white` and `black` if the network does not depend on the side to
    /// move; or only `us`
    pub rows: Vec<&'static str>,
    /// length of a list
    pub listed: usize,
    /// index of the row of zeros, for padding
    pub padding: usize,
    /// `pieces`, the number of pieces, or `stack` where a custom function chooses it; nothing with one stack
    pub stack: Option<&'static str>,
}

impl Inputs {
    /// The inputs for a network.
    pub fn of(net: &NetDesc<'_>) -> Self {
        let names = match net.accumulator.order {
            PerspectiveOrder::SideToMove => ["us", "them"],
            PerspectiveOrder::WhiteFirst => ["white", "black"],
        };
        // PSQT outputs need both sides.
        let perspectives = if net.accumulator.psqt > 0 {
            2
        } else {
            net.accumulator.perspectives
        };
        let stack = match net.stacks.selector {
            _ if net.stacks.count == 1 => None,
            selector if selector.is_by_pieces() => Some("pieces"),
            _ => Some("stack"),
        };
        Self {
            rows: names[..perspectives].to_vec(),
            listed: net
                .features
                .iter()
                .map(|feature| feature.set.max_active())
                .sum(),
            padding: net.features.iter().map(|feature| feature.rows).sum(),
            stack,
        }
    }

    /// The inputs for positions, a row for each; nothing if only custom code of the network knows them.
    ///
    /// # Panics
    ///
    /// If a side does not have exactly one king where the feature sets need it.
    pub fn in_positions(&self, net: &NetDesc<'_>, boards: &[Board]) -> Option<Vec<Arc<Tensor>>> {
        if !net.is_of_chess() || self.stack == Some("stack") {
            return None;
        }
        let mut inputs = Vec::new();
        for perspective in 0..self.rows.len() {
            let mut numbers = Vec::with_capacity(boards.len() * self.listed);
            for board in boards {
                let black = net.accumulator.order.begins_with_black(board.black_to_move)
                    != (perspective == 1);
                let rows = active_features(net, board, black);
                numbers.extend(rows.iter().map(|&row| row as i64));
                numbers.extend(std::iter::repeat_n(
                    self.padding as i64,
                    self.listed.checked_sub(rows.len())?,
                ));
            }
            inputs.push(Tensor::new(vec![boards.len(), self.listed], Data::I64(numbers)).ok()?);
        }
        if self.stack.is_some() {
            let pieces = boards
                .iter()
                .map(|board| board.pieces.len() as i64)
                .collect();
            inputs.push(Tensor::new(vec![boards.len(), 1], Data::I64(pieces)).ok()?);
        }
        Some(inputs.into_iter().map(Arc::new).collect())
    }
}

/// The value of the graph in a position, computed by the reference interpreter: for the first perspective,
/// before floats are truncated.
///
/// # Panics
///
/// If `tensors` are not those of the descriptor, the network has custom code, or a side does not have exactly
/// one king where the feature sets need it.
pub fn expected(net: &NetDesc<'_>, tensors: &[TensorRef<'_>], board: &Board) -> f64 {
    let Parts { psqt, output } = evaluate_parts(net, tensors, board);
    match (output, net.value) {
        (RawOutput::Float(output), ValueDesc::Float { scale }) => f64::from(output) * scale.real(),
        (RawOutput::Float(output), ValueDesc::Sigmoid { scale }) => {
            f64::from(scale) / (1.0 + f64::from(-output).exp())
        }
        (RawOutput::Wdl(wdl), ValueDesc::Wdl { scale }) => {
            f64::from(wdl.expected_score()) * f64::from(scale)
        }
        (output, desc) => f64::from(desc.join(psqt, output.positional(desc))),
    }
}

/// The named output `net.heads[index]` of the graph in a position, computed by the reference interpreter.
///
/// # Panics
///
/// As [`expected`], and if there is no such output.
pub fn expected_head(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    board: &Board,
    index: usize,
) -> Vec<f32> {
    let rows: Vec<usize> = match net.heads[index] {
        HeadDesc {
            kind: HeadKind::Rows,
            source: HeadSource::Layer(layer),
            ..
        } => (0..net.layers[layer].outputs).collect(),
        _ => Vec::new(),
    };
    evaluate_head(net, tensors, board, index, &rows)
}
