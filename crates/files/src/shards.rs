//! Layers in [shards](nnue_spec::Shards): weights that no output uses are 0 in memory, whatever a file has.
//!
//! A header-less file keeps them, and so is written back as it was. The container has no place to keep them, so there
//! they must be 0.

use alloc::format;
use alloc::vec::Vec;

use nnue_spec::{NetDesc, TensorDesc, TensorMut, TensorRef, TensorRole};

use crate::error::{LoadError, LoadErrorKind};

/// The places in `desc`, rows of a tensor from element `first` on, whose weights no output uses.
pub(crate) fn unused(net: &NetDesc<'_>, desc: &TensorDesc<'_>, first: usize) -> Vec<usize> {
    let layer = match desc.role {
        TensorRole::LayerWeight(layer) => net.layers[layer],
        _ => return Vec::new(),
    };
    if layer.shards.is_none() {
        return Vec::new();
    }
    let columns = desc.cols;
    let of_row = |row: usize| {
        let unread = layer.unread((first / columns + row) % layer.outputs);
        unread.map(move |column| row * columns + column)
    };
    (0..desc.len() / columns).flat_map(of_row).collect()
}

/// Zeroes the weights of all tensors that no output uses.
///
/// # Panics
///
/// If a tensor has another length or type than its description.
pub fn clear_all(net: &NetDesc<'_>, tensors: &mut [TensorMut<'_>]) {
    for (desc, tensor) in net.tensors.iter().zip(tensors) {
        clear(net, desc, tensor);
    }
}

fn clear(net: &NetDesc<'_>, desc: &TensorDesc<'_>, tensor: &mut TensorMut<'_>) {
    for place in unused(net, desc, 0) {
        match tensor {
            TensorMut::I8(all) => all[place] = 0,
            TensorMut::I16(all) => all[place] = 0,
            TensorMut::I32(all) => all[place] = 0,
            TensorMut::F32(all) => all[place] = 0.0,
        }
    }
}

/// Refuses weights of `desc`, from element `first` on, that no output uses and that are not 0. `offset` gives the
/// position of an element in the file.
///
/// # Errors
///
/// [`LoadErrorKind::ValueRange`], with the tensor, the element and its value.
pub(crate) fn check(
    net: &NetDesc<'_>,
    desc: &TensorDesc<'_>,
    weights: TensorRef<'_>,
    first: usize,
    offset: impl Fn(usize) -> u64,
) -> Result<(), LoadError> {
    let is_zero = |place: &usize| match weights {
        TensorRef::F32(weights) => weights[*place] == 0.0,
        whole => whole.get(*place) == 0,
    };
    let rows = TensorDesc {
        rows: weights.len() / desc.cols,
        copies: 1,
        ..*desc
    };
    let places = unused(net, &rows, first);
    let Some(place) = places.into_iter().find(|place| !is_zero(place)) else {
        return Ok(());
    };
    let element = first + place;
    let (output, input) = (element / desc.cols % desc.rows, element % desc.cols);
    let message = format!(
        "`{}` has a weight of input {input} for output {output}, which does not use it, as `shards` says: the container cannot \
         keep such weights, `format raw` keeps them",
        desc.name
    );
    let error =
        LoadError::new(LoadErrorKind::ValueRange, offset(element), message).with_tensor(desc.name);
    let found = i64::from(weights.get(place));
    Err(error
        .with_element(element as u64)
        .with_values(0, found as u64))
}
