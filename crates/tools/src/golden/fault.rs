//! Faults: mistakes of a declaration that keep the length of the file, each with its correction.

use nnue_spec::TensorRole;

use super::bias::OtherBias;
use super::reading::Reading;

/// A mistake of a declaration and its correction.
pub(super) struct Fault<'a> {
    /// the changed part
    pub(super) group: Group,
    /// the correction for messages: `` with `screlu` ``
    pub(super) says: String,
    /// applies the correction
    pub(super) change: Box<dyn Fn(&mut Reading<'_>) + 'a>,
}

impl Fault<'_> {
    /// The last bias is the one with this index.
    pub(super) fn of_bias((index, bias): (usize, &OtherBias)) -> Self {
        let element = bias.elements.borrow().element();
        Self {
            group: Group::Bias,
            says: bias.says.clone(),
            change: Box::new(move |reading: &mut Reading<'_>| {
                reading.layout.other_bias = Some(index);
                reading.bias = Some(element);
            }),
        }
    }
}

/// The part of a declaration that a fault changes. Faults of the same group exclude each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    /// the axes of this tensor
    Axes(TensorRole),
    /// the axes of all layers
    Layers,
    /// whether values of the perspectives alternate
    Columns,
    /// which perspective has its weights first
    Weights,
    /// the type of the last bias
    Bias,
    /// the rows of the feature set
    Rows,
    /// the order of perspectives
    Order,
    /// the choice of the layer stack
    Stacks,
    /// the activation of the accumulators
    Accumulators,
    /// the activation of this step
    Sums(usize),
    /// the scale of the accumulators
    One,
    /// the scale of the weights of this layer
    Scale(usize),
}

impl Group {
    /// Whether two faults of these groups are compatible.
    pub(super) fn goes_with(self, other: Self) -> bool {
        let is_of_layers = |group| matches!(group, Self::Axes(role) if role.is_of_layer());
        let meet = |a, b| a == Self::Layers && is_of_layers(b);
        self != other && !meet(self, other) && !meet(other, self)
    }
}
