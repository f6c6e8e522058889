//! Weights that strain bounds.

use fastrand::Rng;
use nnue_format::Tensors;
use nnue_spec::{ElementType, NetDesc, TensorMut, TensorRole};

/// How weights are made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Profile {
    /// of any magnitude
    Random,
    /// every row of a column adds about the same, so that values tell how many rows are active
    Counting,
    /// the least and the greatest numbers of each type
    Extreme,
}

/// Weights of `net`.
pub(crate) fn make(net: &NetDesc<'_>, profile: Profile, random: &mut Rng) -> Tensors {
    let mut tensors = Tensors::zeroed(net);
    for (desc, tensor) in net.tensors.iter().zip(tensors.muts()) {
        let is_bias = matches!(
            desc.role,
            TensorRole::TransformerBias | TensorRole::SecondBias
        );
        let is_row = desc.copies == 1
            && !is_bias
            && !matches!(
                desc.role,
                TensorRole::LayerBias(_) | TensorRole::LayerWeight(_)
            );
        let most = desc.element.range().1;
        match profile {
            Profile::Random => fill(tensor, desc.len(), |_| any(most, random)),
            Profile::Extreme => fill(tensor, desc.len(), |_| {
                if random.bool() { most } else { -most - 1 }
            }),
            Profile::Counting if is_row => {
                // The greatest sum of 32 rows is near what the accumulator holds; weights of pairs are bytes.
                let most = if desc.element == ElementType::I8 {
                    most
                } else {
                    most / 30
                };
                let column: Vec<i64> = (0..desc.cols).map(|_| random.i64(-most..=most)).collect();
                fill(tensor, desc.len(), |index| column[index % desc.cols]);
            }
            Profile::Counting => fill(tensor, desc.len(), |_| any(most, random) / 64),
        }
    }
    tensors
}

/// Sets one weight of any tensor to any number.
pub(crate) fn mutate(net: &NetDesc<'_>, tensors: &mut Tensors, random: &mut Rng) {
    let tensor = random.usize(..net.tensors.len());
    let place = random.usize(..net.tensors[tensor].len());
    let value = any(net.tensors[tensor].element.range().1, random);
    set(&mut tensors.muts()[tensor], place, value);
}

/// A number of any magnitude up to `most`, either sign.
fn any(most: i64, random: &mut Rng) -> i64 {
    let number = random.i64(-most - 1..=most);
    number >> random.u32(..i64::BITS - most.leading_zeros())
}

fn fill(mut tensor: TensorMut<'_>, len: usize, mut value: impl FnMut(usize) -> i64) {
    for index in 0..len {
        set(&mut tensor, index, value(index));
    }
}

fn set(tensor: &mut TensorMut<'_>, index: usize, value: i64) {
    match tensor {
        TensorMut::I8(values) => values[index] = value as i8,
        TensorMut::I16(values) => values[index] = value as i16,
        TensorMut::I32(values) => values[index] = value as i32,
        TensorMut::F32(values) => values[index] = value as f32 / 65536.0,
    }
}
