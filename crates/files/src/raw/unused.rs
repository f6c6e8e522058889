//! Weights of layers in shards that no output uses: a file has them, memory has zeros.

use alloc::vec::Vec;
use core::mem;

use nnue_spec::{NetDesc, TensorMut, TensorRef};

use super::numbers;
use super::piece::Piece;
use crate::shards;
use crate::tensors::Elements;

/// Appends those of a piece to `kept`, and zeroes them.
pub(super) fn keep(
    net: &NetDesc<'_>,
    piece: &Piece<'_>,
    tensor: &mut TensorMut<'_>,
    kept: &mut Vec<u8>,
) {
    let places = shards::unused(net, &piece.desc, piece.first);
    let mut held = Elements::zeroed(piece.desc.element, places.len());
    exchange(&mut tensor.part(piece.range()), &places, &mut held);
    numbers::encode(held.borrow(), false, kept);
}

/// A piece with those that `next` returns, for a number of bytes; `None` if it has none.
pub(super) fn put_back(
    net: &NetDesc<'_>,
    piece: &Piece<'_>,
    tensor: TensorRef<'_>,
    next: impl FnOnce(usize) -> Vec<u8>,
) -> Option<Elements> {
    let places = shards::unused(net, &piece.desc, piece.first);
    if places.is_empty() {
        return None;
    }
    let bytes = next(places.len() * tensor.element().bytes());
    let mut held = numbers::decode(tensor.element(), &bytes);
    let mut whole = Elements::zeroed(tensor.element(), tensor.len());
    whole.borrow_mut().copy_from(tensor);
    exchange(&mut whole.borrow_mut(), &places, &mut held);
    Some(whole)
}

/// Exchanges the elements at `places` with those of `held`.
///
/// # Panics
///
/// If they have different types.
fn exchange(tensor: &mut TensorMut<'_>, places: &[usize], held: &mut Elements) {
    match (tensor, held) {
        (TensorMut::I8(all), Elements::I8(held)) => swap(all, places, held),
        (TensorMut::I16(all), Elements::I16(held)) => swap(all, places, held),
        (TensorMut::I32(all), Elements::I32(held)) => swap(all, places, held),
        (TensorMut::F32(all), Elements::F32(held)) => swap(all, places, held),
        _ => panic!("elements of one type"),
    }
}

fn swap<T>(all: &mut [T], places: &[usize], held: &mut [T]) {
    for (place, held) in places.iter().zip(held) {
        mem::swap(&mut all[*place], held);
    }
}
