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
    /// floats per feature row, which the active rows of the first perspective add to the output: one for each of its neurons, or 0
    pub psqt_floats: usize,
    /// what 1.0 is in accumulator units: activations clip at this value
    pub one: i32,
    /// whose perspective is the first, or the only one
    pub order: PerspectiveOrder,
    /// the second perspective has rows and a bias of its own
    pub separate: bool,
    /// how many of 100 activated values are expected not to be zero, 1 to 100. No result depends on it: it says by which kernels layers that read
    /// bytes of accumulators are fastest
    pub nonzero: usize,
}

/// How many of 100 activated values of accumulators are expected not to be zero where nothing is declared: so many are not in the trained networks of
/// Stockfish, of which 280 to 520 of 1000 blocks of four are not all zero.
pub const DEFAULT_NONZERO: usize = 16;

impl AccumulatorDesc {
    /// The bias that perspective `perspective` starts from: 0 is the first, 1 the second.
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

    /// The rows of feature set `set` that perspective `perspective` adds.
    pub const fn weight_of(&self, perspective: usize, set: usize) -> TensorRole {
        if self.separate && perspective == 1 {
            TensorRole::second_weight_of(set)
        } else {
            TensorRole::weight_of(set)
        }
    }

    /// Neurons that are kept for each side: where weights are separate, those that layers read if its perspective is the
    /// first, and those that they read if it is the second.
    pub const fn neurons(&self) -> usize {
        if self.separate {
            2 * self.width
        } else {
            self.width
        }
    }
}

/// Whose perspective layers read first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PerspectiveOrder {
    /// the side to move's, then the other side's
    SideToMove,
    /// White's, then Black's: the network does not see who moves, and what it says is from White's point of view
    WhiteFirst,
}

impl PerspectiveOrder {
    /// The name as written in a declaration; the side to move is first where nothing is written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SideToMove => "side_to_move_first",
            Self::WhiteFirst => "white_first",
        }
    }

    /// Whether the first perspective is Black's, and the value that layers give is the other side's.
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
