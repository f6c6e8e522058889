//! Golden values: clauses of a declaration that say them, and what a declaration has wrong whose golden values are not those of its file. A file
//! without a header does not say how to read it, so other readings of its bytes are tried.
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
use nnue_spec::{Fen, NetDesc, Padding, TensorRef};

pub use clauses::golden_clauses;
use search::{Said, search};

/// The readings of a file that give the golden values of `net` which the declared reading does not give, in words: `it fits with ..`; or how many
/// values agree with the declared one, if some do; `None` otherwise, and for networks that use [custom code](NetDesc::has_custom_code).
///
/// `tensors` are the weights as they were read, in the order of `net.tensors`, and `padding` is what the file ends with.
///
/// # Panics
///
/// If the number, the lengths or the types of `tensors` are not those of `net.tensors`.
pub fn readings(net: &NetDesc<'_>, tensors: &[TensorRef<'_>], padding: Padding) -> Option<String> {
    if net.has_custom_code() {
        return None;
    }
    search(net, tensors, padding, &parts).told()
}

/// As [`readings`], of a network that uses code of the program. `value(tensors, n)` evaluates golden position n with these weights; it returns
/// `None` if it is not a position of the network's game. Other orders of the weights are tried, and no other descriptions.
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

/// The parts of the value of a golden position of chess.
fn parts(net: &NetDesc<'_>, tensors: &[TensorRef<'_>], index: usize) -> Option<Said> {
    let fen = Fen::parse(net.goldens.get(index)?.fen).ok()?;
    let black = fen.black_to_move;
    Some(Said::Parts(
        evaluate_parts(net, tensors, &Board::new(fen.pieces, black)),
        black,
    ))
}
