//! Golden values: clauses that declare them, and a search for the mistake of a declaration if they differ. A
//! file without header does not say how to read it, so other readings of its bytes are tried.
//!
//! ```text
//!   clauses   values and outputs, as a declaration says them
//!
//!   fault     one mistake that a declaration can have: in weights, activation, description, selection or scale
//!   reading   the declaration without the mistake: a description of the network, and the order of the weights
//!   search    tries each fault, then two together; evaluated by the reference interpreter, or by the caller if the network uses custom code
//!   best      the readings that give most golden values, and whether they are certain
//! ```

mod activation;
mod best;
mod bias;
mod clauses;
mod description;
mod fault;
mod near;
mod order;
mod reading;
mod scale;
mod search;
mod selection;
mod weights;

use nnue_spec::reference::{Board, evaluate_parts};
use nnue_spec::{Fen, NetDesc, Padding, RowSets, TensorRef};

pub use clauses::{golden_clauses, golden_clauses_of_rows};
use search::{Said, search};

/// Describes the readings of a file that give golden values of `net` which the declared reading does not:
/// `it fits with ..`; or how many values agree with the declared reading, if some do; otherwise `None`, also
/// for networks with [custom code](NetDesc::has_custom_code).
///
/// `tensors` are the weights as read, in the order of `net.tensors`, and `padding` is the end of the file.
///
/// # Panics
///
/// If the number, lengths or types of `tensors` do not match `net.tensors`.
pub fn readings(net: &NetDesc<'_>, tensors: &[TensorRef<'_>], padding: Padding) -> Option<String> {
    if net.has_custom_code() {
        return None;
    }
    search(net, tensors, padding, &parts).told()
}

/// As [`readings`], for a network with custom code. `value(tensors, n)` evaluates golden position n with
/// these weights, or returns `None` if it is not a position of the network's game. Only other orders of the
/// weights are tried, no other descriptors.
///
/// # Panics
///
/// As [`readings`].
pub fn readings_by(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    padding: Padding,
    value: &dyn Fn(&[TensorRef<'_>], usize) -> Option<i32>,
) -> Option<String> {
    let said =
        |_: &NetDesc<'_>, tensors: &[TensorRef<'_>], index| value(tensors, index).map(Said::Value);
    search(net, tensors, padding, &said).told()
}

/// The parts of the value in a golden position.
fn parts(net: &NetDesc<'_>, tensors: &[TensorRef<'_>], index: usize) -> Option<Said> {
    let text = net.goldens.get(index)?.fen;
    if let Some(shape) = net.rows_shape() {
        let mut rows = RowSets::new(&shape);
        rows.set_text(text).ok()?;
        let parts = evaluate_parts(net, tensors, &rows);
        return Some(Said::Parts(parts, rows.black_to_move()));
    }
    let fen = Fen::parse(text).ok()?;
    let black = fen.black_to_move;
    Some(Said::Parts(
        evaluate_parts(net, tensors, &Board::new(fen.pieces, black)),
        black,
    ))
}
