//! The weight order of a file, and rereading in another order.

use nnue_spec::{FileOrder, NetDesc, TensorDesc, TensorRef, TensorRole};

use super::bias::OtherBias;
use nnue_format::Elements;
use nnue_format::raw;

#[derive(Clone, PartialEq)]
pub(super) struct Layout<'a> {
    pub(super) orders: Vec<FileOrder<'a>>,
    /// whether the weights of the second perspective come first
    pub(super) second_first: bool,
    /// the last bias, by its index among those of another type or unit
    pub(super) other_bias: Option<usize>,
}

/// The declared order of each tensor.
pub(super) fn declared_orders<'a>(net: &NetDesc<'a>) -> Vec<FileOrder<'a>> {
    let order = |index| net.raw.map_or(FileOrder::HELD, |raw| raw.order(net, index));
    (0..net.tensors.len()).map(order).collect()
}

/// For each tensor, the one that takes its place if the perspectives are exchanged.
pub(super) fn exchanged_places(net: &NetDesc<'_>) -> Vec<usize> {
    let exchanged = |role| match role {
        TensorRole::TransformerBias => TensorRole::SecondBias,
        TensorRole::TransformerWeight => TensorRole::SecondWeight,
        TensorRole::SecondBias => TensorRole::TransformerBias,
        TensorRole::SecondWeight => TensorRole::TransformerWeight,
        TensorRole::ExtraWeight(set) if net.accumulator.separate => {
            TensorRole::SecondExtraWeight(set)
        }
        TensorRole::SecondExtraWeight(set) => TensorRole::ExtraWeight(set),
        role => role,
    };
    let place = |desc: &TensorDesc<'_>| {
        net.tensors
            .iter()
            .position(|other| other.role == exchanged(desc.role))
    };
    net.tensors.iter().filter_map(place).collect()
}

/// The tensors in `layout`; `None` for those equal to `tensors`, which were read as declared. `biases` are
/// those that may take the place of the last one.
pub(super) fn reread(
    net: &NetDesc<'_>,
    layout: &Layout<'_>,
    tensors: &[TensorRef<'_>],
    biases: &[OtherBias],
) -> Vec<Option<Elements>> {
    let declared = declared_orders(net);
    let places = if layout.second_first {
        exchanged_places(net)
    } else {
        (0..tensors.len()).collect()
    };
    let last = tensors.len() - 1;
    let tensor = |(index, &place): (usize, &usize)| {
        if let (Some(other), true) = (layout.other_bias, index == last) {
            return biases.get(other).map(|bias| bias.elements.clone());
        }
        let (desc, from, to) = (&net.tensors[index], declared[place], layout.orders[index]);
        (place != index || from != to).then(|| raw::reread(desc, from, to, tensors[place]))
    };
    places.iter().enumerate().map(tensor).collect()
}
