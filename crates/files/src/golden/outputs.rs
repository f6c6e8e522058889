//! Golden numbers of named outputs.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;

use nnue_spec::reference::{Board, evaluate_head};
use nnue_spec::{Fen, HeadDesc, HeadGoldenDesc, HeadKind, NetDesc, RowSets, TensorRef};

use super::not_a_position;
use crate::error::{LoadError, LoadErrorKind};

/// Compares the declared numbers of outputs with those of the network, each to its declared digits.
pub(super) fn check(net: &NetDesc<'_>, tensors: &[TensorRef<'_>]) -> Result<(), LoadError> {
    for golden in net.head_goldens {
        let HeadGoldenDesc {
            fen: text,
            head,
            rows,
            ..
        } = *golden;
        let refuse_text = |error: &dyn Display| not_a_position(text, &format_args!(": {error}"));
        let found = match net.rows_shape() {
            Some(shape) => {
                let mut sets = RowSets::new(&shape);
                sets.set_text(text).map_err(|error| refuse_text(&error))?;
                evaluate_head(net, tensors, &sets, head, rows)
            }
            None => {
                let fen = Fen::parse(text).map_err(|error| refuse_text(&error))?;
                let board = Board::new(fen.pieces, fen.black_to_move);
                evaluate_head(net, tensors, &board, head, rows)
            }
        };
        if !golden
            .numbers
            .iter()
            .zip(&found)
            .all(|(number, found)| number.agrees(*found))
        {
            return Err(refuse(net, golden, &found));
        }
    }
    Ok(())
}

fn refuse(net: &NetDesc<'_>, golden: &HeadGoldenDesc<'_>, found: &[f32]) -> LoadError {
    let HeadDesc { name, kind, .. } = net.heads[golden.head];
    let (rows, what) = match kind {
        HeadKind::Rows => (list(golden.rows), ""),
        HeadKind::Wdl => (String::new(), " of a loss, a draw and a win"),
        HeadKind::Numbers => (String::new(), ""),
    };
    let message = format!(
        "`{}` has `{name}{rows}` = {}{what} in `{}`, declared is {}: the file is another network, or the declaration differs from it in something \
         that its length does not show (scales, activation, the order of tensors)",
        golden.fen.escape_debug(),
        list(found),
        net.name,
        list(golden.numbers),
    );
    LoadError::new(LoadErrorKind::Golden, 0, message)
}

fn list<T: ToString>(values: &[T]) -> String {
    let values: Vec<_> = values.iter().map(T::to_string).collect();
    format!("[{}]", values.join(", "))
}
