//! Golden values: what a declaration says about a position must be what the weights say. Where it is not, other readings of the
//! same bytes are tried, since nothing in a header-less file says how it is to be read.
//!
//! ```text
//!                                      evaluated by              other readings
//!   networks of the language alone     reference interpreter     weights in other orders, other descriptions
//!   with functions of the program      the program               weights in other orders
//! ```

mod description;
mod selection;
mod weights;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use nnue_spec::reference::{Board, evaluate};
use nnue_spec::{Fen, GoldenDesc, NetDesc, TensorRef};

use crate::error::{LoadError, LoadErrorKind};
use weights::Weights;

/// Checks the golden values of `net` with the weights `tensors`.
///
/// # Errors
///
/// [`LoadErrorKind::Golden`]: a value is another one; the message says which reading of the file would give it, if one does.
pub(crate) fn check(net: &NetDesc<'_>, tensors: &[TensorRef<'_>]) -> Result<(), LoadError> {
    let value_with = |tensors: &[TensorRef<'_>], fen: &Fen| interpret(net, tensors, fen);
    let other_readings = || {
        let mut readings = Weights { net, tensors, value_with: &value_with }.other_readings();
        let fits = |other: &NetDesc<'_>| fits(net, |fen| interpret(other, tensors, fen));
        readings.extend(description::other_readings(net, fits));
        readings
    };
    compare(net, |fen| interpret(net, tensors, fen), other_readings)
}

/// Checks the golden values of a network that [functions of the program](NetDesc::has_own_functions) take part in, which
/// [`read_slice`](crate::read_slice) does not know: the program evaluates.
///
/// `value` is that of a position with the weights `tensors`, which are those of `net.tensors` in the same order. If it is not the
/// golden one, `value_with` is asked for it with the same weights in other orders, to tell how the file is to be read.
///
/// # Errors
///
/// [`LoadErrorKind::Golden`]: a value is another one, or its text is no FEN.
pub fn check_golden(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    value: &dyn Fn(&Fen) -> i32,
    value_with: &dyn Fn(&[TensorRef<'_>], &Fen) -> i32,
) -> Result<(), LoadError> {
    compare(net, value, || Weights { net, tensors, value_with }.other_readings())
}

/// What the reference interpreter says.
fn interpret(net: &NetDesc<'_>, tensors: &[TensorRef<'_>], fen: &Fen) -> i32 {
    evaluate(net, tensors, &Board::new(fen.pieces.iter().copied(), fen.black_to_move)).value
}

fn compare(
    net: &NetDesc<'_>,
    value: impl Fn(&Fen) -> i32,
    other_readings: impl Fn() -> Vec<String>,
) -> Result<(), LoadError> {
    for golden in net.goldens {
        let fen = Fen::parse(golden.fen).map_err(|error| {
            LoadError::new(LoadErrorKind::Golden, 0, format!("`{}` is no position: {error}", golden.fen.escape_debug()))
        })?;
        let found = value(&fen);
        if found != golden.value {
            return Err(refuse(net, golden, found, &other_readings()));
        }
    }
    Ok(())
}

/// Whether all golden values of `net` are right.
fn fits(net: &NetDesc<'_>, value: impl Fn(&Fen) -> i32) -> bool {
    let is_right = |golden: &GoldenDesc<'_>| Fen::parse(golden.fen).is_ok_and(|fen| value(&fen) == golden.value);
    net.goldens.iter().all(is_right)
}

fn refuse(net: &NetDesc<'_>, golden: &GoldenDesc<'_>, found: i32, readings: &[String]) -> LoadError {
    let function = if net.has_own_functions() { ", a function of the program" } else { "" };
    let advice = match readings {
        [] => format!(
            "the file is another network, or the declaration differs from it in something that its length does not show \
             (scales, activation, king buckets, the order of tensors{function})"
        ),
        some => format!("it fits {}", some.join(", or ")),
    };
    let message = format!(
        "`{}` has the value {found} in `{}`, declared is {}: {advice}",
        golden.fen.escape_debug(),
        net.name,
        golden.value
    );
    LoadError::new(LoadErrorKind::Golden, 0, message)
}
