//! The active rows of a position.

use alloc::vec::Vec;
use core::marker::PhantomData;

use crate::board::{Position, Snapshot};
use crate::features::{Declared, FeatureSet, Sets, planes_of, row_on};
use crate::game::{Inputs, Rows};

/// Finds the active rows of positions of type `P`, from the side to move's point of view.
#[diagnostic::on_unimplemented(
    message = "`{P}` is not a position that this network reads",
    note = "networks of chess read `nnue::Position`; those over a set of the program read its `Inputs::Position`"
)]
pub trait ActiveRows<P: ?Sized> {
    /// Adds the rows, in any order.
    fn active(position: &P, rows: &mut Vec<u32>);
}

/// Chess, over the feature set `F`.
#[derive(Clone, Copy, Debug)]
pub struct Chess<F>(PhantomData<fn() -> F>);

impl<F: FeatureSet, P: Position + ?Sized> ActiveRows<P> for Chess<F> {
    fn active(position: &P, rows: &mut Vec<u32>) {
        Snapshot::with(position, |board| {
            let side = board.side_to_move;
            let sets = Declared::<F, ()>::new();
            let view = sets.view(side, board.kings[side.index()]);
            let board = planes_of(sets, &board.bitboards());
            for (piece, square) in board.on(!0) {
                rows.extend(row_on(sets, view, &board, piece, square));
            }
        });
    }
}

/// A user-defined game, over its inputs `I`.
#[derive(Clone, Copy, Debug)]
pub struct Custom<I>(PhantomData<fn() -> I>);

impl<I: Inputs> ActiveRows<I::Position> for Custom<I> {
    fn active(position: &I::Position, rows: &mut Vec<u32>) {
        let side = I::side_to_move(position);
        let mut active = Rows::new::<I>();
        I::active(position, side, I::view(position, side), &mut active);
        rows.extend_from_slice(active.as_slice());
    }
}
