//! The accumulators of a network.

use super::{ElementType, TensorRole};

/// The accumulators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccumulatorDesc {
    /// neurons per perspective
    pub width: usize,
    /// 1 (one side only) or 2
    pub perspectives: usize,
    /// PSQT outputs per feature row; 0 for none
    pub psqt: usize,
    /// floats per feature row, added to the output by the active rows of the first perspective: one per
    /// output neuron, or 0
    pub psqt_floats: usize,
    /// scale: the accumulator value of 1.0; activations clip at it
    pub one: i32,
    /// order of the perspectives
    pub order: PerspectiveOrder,
    /// the second perspective has its own rows and bias
    pub separate: bool,
    /// expected percentage of nonzero activated values, 1 to 100. It only affects speed: it selects the
    /// kernels of layers that read bytes of accumulators
    pub nonzero: usize,
}

/// Default of [`AccumulatorDesc::nonzero`], measured on trained Stockfish networks, where 280 to 520 of 1000
/// blocks of four values have a nonzero value.
pub const DEFAULT_NONZERO: usize = 16;

impl AccumulatorDesc {
    /// The bias of a perspective: 0 is the first, 1 the second.
    pub const fn bias_of(&self, perspective: usize) -> TensorRole {
        if self.separate && perspective == 1 {
            TensorRole::SecondBias
        } else {
            TensorRole::TransformerBias
        }
    }

    /// Columns and type of the PSQT weights, if there are any.
    pub const fn psqt_columns(&self) -> Option<(usize, ElementType)> {
        match (self.psqt, self.psqt_floats) {
            (0, 0) => None,
            (0, floats) => Some((floats, ElementType::F32)),
            (psqt, _) => Some((psqt, ElementType::I32)),
        }
    }

    /// The weight rows of feature set `set` for perspective `perspective`.
    pub const fn weight_of(&self, perspective: usize, set: usize) -> TensorRole {
        if self.separate && perspective == 1 {
            TensorRole::second_weight_of(set)
        } else {
            TensorRole::weight_of(set)
        }
    }

    /// Neurons kept per side. With separate weights, each side needs two sets: one for being the first
    /// perspective and one for being the second.
    pub const fn neurons(&self) -> usize {
        if self.separate {
            2 * self.width
        } else {
            self.width
        }
    }
}

/// Order of the perspectives in the input of the layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PerspectiveOrder {
    /// the side to move's, then the other side's
    SideToMove,
    /// White's, then Black's: the network does not know the side to move, and its outputs are White's
    WhiteFirst,
}

impl PerspectiveOrder {
    /// The name as written in a declaration; the side to move is first by default.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SideToMove => "side_to_move_first",
            Self::WhiteFirst => "white_first",
        }
    }

    /// Whether the first perspective is Black's, so that the output of the layers is from Black's point of
    /// view.
    ///
    /// ```
    /// use nnue_spec::PerspectiveOrder;
    /// assert!(PerspectiveOrder::SideToMove.begins_with_black(true));
    /// assert!(!PerspectiveOrder::WhiteFirst.begins_with_black(true));
    /// ```
    pub const fn begins_with_black(self, black_to_move: bool) -> bool {
        matches!(self, Self::SideToMove) && black_to_move
    }
}
