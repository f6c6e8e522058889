//! Golden values, compared by the reference interpreter.

use nnue_spec::reference::{Board, evaluate};
use nnue_spec::{Fen, NetDesc, RowSets, TensorRef};

use super::check_golden;
use crate::error::LoadError;

/// [`check_golden`] with the reference interpreter. Nothing is compared if the network has
/// [custom code](NetDesc::has_custom_code).
pub(crate) fn check(net: &NetDesc<'_>, tensors: &[TensorRef<'_>]) -> Result<(), LoadError> {
    if net.has_custom_code() {
        return Ok(());
    }
    check_golden(net, tensors, &|index| {
        let text = net.goldens.get(index)?.fen;
        if let Some(shape) = net.rows_shape() {
            let mut rows = RowSets::new(&shape);
            rows.set_text(text).ok()?;
            return Some(evaluate(net, tensors, &rows).value);
        }
        let fen = Fen::parse(text).ok()?;
        let board = Board::new(fen.pieces, fen.black_to_move);
        Some(evaluate(net, tensors, &board).value)
    })
}
