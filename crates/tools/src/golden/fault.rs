//! Faults: mistakes of a declaration that do not change the length of the file. Each says what should be declared instead.

use nnue_spec::TensorRole;

use super::reading::Reading;

/// One mistake of a declaration, as the change that corrects it.
pub(super) struct Fault<'a> {
    /// the part that it changes
    pub(super) group: Group,
    /// what to declare, for messages: `` with `screlu` ``
    pub(super) says: String,
    /// makes the change
    pub(super) change: Box<dyn Fn(&mut Reading<'_>) + 'a>,
}

/// The part of a declaration that a fault changes. Two faults of the same group exclude each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    /// the axes of this tensor
    Axes(TensorRole),
    /// the axes of all layers
    Layers,
    /// whether the values of the perspectives alternate
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
    /// True if a declaration can have a fault of each group.
    pub(super) fn goes_with(self, other: Self) -> bool {
        let is_of_layers = |group| matches!(group, Self::Axes(role) if role.is_of_layer());
        let meet = |a, b| a == Self::Layers && is_of_layers(b);
        self != other && !meet(self, other) && !meet(other, self)
    }
}
