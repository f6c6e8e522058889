//! The weights in other orders: the same description of the network, another one of its file.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use nnue_spec::{Axes, Axis, Fen, FileOrder, NetDesc, RawDesc, TensorRef, TensorRole};

use crate::raw::reread;
use crate::tensors::Elements;

/// All orders of axes.
const ORDERS: [Axes; 6] = {
    use Axis::{Column, Copy, Row};
    [
        [Copy, Row, Column],
        [Copy, Column, Row],
        [Row, Copy, Column],
        [Row, Column, Copy],
        [Column, Copy, Row],
        [Column, Row, Copy],
    ]
};

/// The weights of a network as they were read, and who evaluates it with others.
pub(super) struct Weights<'a> {
    pub(super) net: &'a NetDesc<'a>,
    pub(super) tensors: &'a [TensorRef<'a>],
    pub(super) value_with: &'a dyn Fn(&[TensorRef<'_>], &Fen) -> i32,
}

impl Weights<'_> {
    /// The orders, as they are declared, that give all golden values.
    pub(super) fn other_readings(&self) -> Vec<String> {
        let mut readings = self.other_axes();
        readings.extend(self.other_columns());
        readings.extend(self.other_weights());
        readings
    }

    fn fits(&self, tensors: &[TensorRef<'_>]) -> bool {
        super::fits(self.net, |fen| (self.value_with)(tensors, fen))
    }

    /// One tensor with other axes.
    fn other_axes(&self) -> Vec<String> {
        let Self { net, tensors, .. } = *self;
        let Some(raw) = &net.raw else { return Vec::new() };
        let mut fitting = Vec::new();
        for (index, (desc, &declared)) in net.tensors.iter().zip(raw.axes).enumerate() {
            let mut tried = vec![desc.long_axes(declared)];
            for axes in ORDERS {
                if tried.contains(&desc.long_axes(axes)) {
                    continue;
                }
                tried.push(desc.long_axes(axes));
                let order = raw.order(net, index);
                let other = reread(desc, order, FileOrder { axes, ..order }, tensors[index]);
                let mut all = tensors.to_vec();
                all[index] = other.borrow();
                if self.fits(&all) {
                    fitting.push(format!("with `{}: {}`", desc.name, desc.axes_text(axes)));
                }
            }
        }
        fitting
    }

    /// Two perspectives that alternate, or do not.
    fn other_columns(&self) -> Option<String> {
        let Self { net, tensors, .. } = *self;
        let raw = net.raw.filter(|_| net.accumulator.perspectives == 2)?;
        let other = RawDesc { interleaved: !raw.interleaved, ..raw };
        let orders = (0..net.tensors.len()).map(|index| (raw.order(net, index), other.order(net, index)));
        let reread = orders.zip(net.tensors).zip(tensors).map(|(((declared, other), desc), tensor)| {
            (declared != other).then(|| reread(desc, declared, other, *tensor))
        });
        let reread: Vec<_> = reread.collect();
        let all = reread.iter().zip(tensors).map(|(reread, tensor)| reread.as_ref().map_or(*tensor, Elements::borrow));
        let says = if other.interleaved { "interleaved" } else { "concatenated" };
        self.fits(&all.collect::<Vec<_>>()).then(|| format!("with `perspectives: {says}`"))
    }

    /// The weights of the second perspective in front of those of the first.
    fn other_weights(&self) -> Option<String> {
        let Self { net, tensors, .. } = *self;
        net.raw.filter(|_| net.accumulator.separate)?;
        let exchanged = |role| match role {
            TensorRole::TransformerBias => TensorRole::SecondBias,
            TensorRole::TransformerWeight => TensorRole::SecondWeight,
            TensorRole::SecondBias => TensorRole::TransformerBias,
            TensorRole::SecondWeight => TensorRole::TransformerWeight,
            role => role,
        };
        let place = |role| net.tensors.iter().position(|desc| desc.role == role);
        let places: Vec<usize> = net.tensors.iter().filter_map(|desc| place(exchanged(desc.role))).collect();
        let names: Vec<&str> = places.iter().map(|&place| net.tensors[place].name).collect();
        let all: Vec<_> = places.iter().map(|&place| tensors[place]).collect();
        self.fits(&all).then(|| format!("with `order: [{}]`", names.join(", ")))
    }
}
