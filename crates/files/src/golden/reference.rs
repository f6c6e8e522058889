//! Reading a file and comparing its golden values, by the reference interpreter.

use std::io::Read;

use nnue_spec::reference::{Board, evaluate};
use nnue_spec::{Fen, NetDesc, TensorRef};

use super::check_golden;
use crate::error::LoadError;
use crate::leb128::Portable;
use crate::reader::{Header, read};
use crate::tensors::Tensors;

impl Tensors {
    /// Reads a network file, and compares its golden values with the values that the reference interpreter gives. Nothing is
    /// compared if the network uses [custom code](NetDesc::has_custom_code), which the interpreter does not know.
    ///
    /// # Errors
    ///
    /// Those of [`read`] and [`check_golden`].
    pub fn read<R: Read>(net: &NetDesc<'_>, source: R) -> Result<(Header, Self), LoadError> {
        let mut tensors = Self::zeroed(net);
        let header = read(net, source, &mut tensors.muts(), &Portable)?;
        check(net, &tensors.refs())?;
        Ok((header, tensors))
    }
}

/// [`check_golden`] with the reference interpreter. Nothing is compared if the network uses [custom code](NetDesc::has_custom_code).
fn check(net: &NetDesc<'_>, tensors: &[TensorRef<'_>]) -> Result<(), LoadError> {
    if net.has_custom_code() {
        return Ok(());
    }
    check_golden(net, tensors, &|index| {
        let fen = Fen::parse(net.goldens.get(index)?.fen).ok()?;
        let board = Board::new(fen.pieces, fen.black_to_move);
        Some(evaluate(net, tensors, &board).value)
    })
}
