//! Golden values: a declaration can say the value of a position, which the weights must give. If they do not, the declaration probably
//! does not fit the file. A file without a header does not say how to read it, so other readings of its bytes are tried.
//!
//! ```text
//!   values             computed by the caller: by a compiled network in programs, by the reference interpreter in tools
//!   outputs            their numbers, by the reference interpreter
//!   other readings     evaluated by the reference interpreter; by the caller if the network uses custom code
//!
//!   fault     one mistake that a declaration can have: in weights, activation, description, selection or scale
//!   reading   the declaration without the mistake: a description of the network, and the order of the weights
//!   search    tries each fault, then two together
//!   best      the readings that give most golden values, and whether they are certain
//! ```

mod activation;
mod best;
mod description;
mod fault;
mod near;
mod order;
mod outputs;
mod reading;
#[cfg(feature = "std")]
mod reference;
mod scale;
mod search;
mod selection;
mod weights;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;

use nnue_spec::reference::{Board, evaluate_parts};
use nnue_spec::{Fen, GoldenDesc, NetDesc, TensorRef};

use crate::error::{LoadError, LoadErrorKind};
use crate::reader::Header;
use best::Best;
use search::{Said, search};

/// Compares the golden values of `net`, and golden numbers of its outputs, with what the network gives. Reading a file does not compare them, because that needs
/// something that evaluates the network.
///
/// `tensors` are the weights, in the order of `net.tensors`, and `header` is the header of their file. `value(n)` evaluates golden position n
/// with these weights; it returns `None` if the text is not a position of the network's game. If a value differs, `value_with` is called
/// with the weights in other orders, to find out how the file should be read.
///
/// # Errors
///
/// [`LoadErrorKind::Golden`]: a value or a number differs, or a text is not a position of the network. The message names the readings of the file that
/// would give the golden values, if there are any.
pub fn check_golden(
    net: &NetDesc<'_>,
    header: &Header,
    tensors: &[TensorRef<'_>],
    value: &dyn Fn(usize) -> Option<i32>,
    value_with: &dyn Fn(&[TensorRef<'_>], usize) -> Option<i32>,
) -> Result<(), LoadError> {
    for (index, golden) in net.goldens.iter().enumerate() {
        if !net.has_custom_set() {
            Fen::parse(golden.fen)
                .map_err(|error| not_a_position(golden.fen, &format_args!(": {error}")))?;
        }
        let found = value(index)
            .ok_or_else(|| not_a_position(golden.fen, &format_args!(" of `{}`", net.name)))?;
        if found != golden.value {
            return Err(refuse(
                net,
                golden,
                found,
                &other_readings(net, header, tensors, value_with),
            ));
        }
    }
    outputs::check(net, tensors)
}

fn not_a_position(fen: &str, why: &dyn Display) -> LoadError {
    LoadError::new(
        LoadErrorKind::Golden,
        0,
        format!("`{}` is no position{why}", fen.escape_debug()),
    )
}

/// The readings of the file that give the most golden values.
fn other_readings(
    net: &NetDesc<'_>,
    header: &Header,
    tensors: &[TensorRef<'_>],
    value_with: &dyn Fn(&[TensorRef<'_>], usize) -> Option<i32>,
) -> Best {
    match net.has_custom_code() {
        true => search(net, tensors, header.padding, &|_, tensors, index| {
            value_with(tensors, index).map(Said::Value)
        }),
        false => search(net, tensors, header.padding, &parts),
    }
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

fn refuse(net: &NetDesc<'_>, golden: &GoldenDesc<'_>, found: i32, readings: &Best) -> LoadError {
    let function = match (net.has_custom_set(), net.has_custom_functions()) {
        (true, _) => ", the feature set of the program",
        (false, true) => ", a function of the program",
        (false, false) => "",
    };
    let advice = readings.told().unwrap_or_else(|| {
        let others = match (readings.declared, readings.goldens) {
            (0, _) => String::new(),
            (agreeing, goldens) => format!("; {agreeing} of {goldens} golden values agree: is this one right?"),
        };
        format!(
            "the file is another network, or the declaration differs from it in something that its length does not show \
             (scales, activation, king buckets, the order of tensors{function}){others}"
        )
    });
    let message = format!(
        "`{}` has the value {found} in `{}`, declared is {}: {advice}",
        golden.fen.escape_debug(),
        net.name,
        golden.value
    );
    LoadError::new(LoadErrorKind::Golden, 0, message)
}

/// `[1, 2]`
fn list<T: ToString>(values: &[T]) -> String {
    format!(
        "[{}]",
        values
            .iter()
            .map(T::to_string)
            .collect::<Vec<_>>()
            .join(", ")
    )
}
