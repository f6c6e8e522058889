//! Whose accumulators a network reads, and in which order.

use nnue_spec::{AccumulatorDesc, PerspectiveOrder};

use crate::board::Color;

/// Whose accumulators a network reads, and in which order.
#[derive(Clone, Copy, Debug)]
pub struct Perspectives {
    order: PerspectiveOrder,
    both: bool,
}

impl Perspectives {
    /// What the network reads: the second accumulator takes part in the layers, or only in the PSQT difference, or not at all.
    #[inline(always)]
    pub const fn of(desc: &AccumulatorDesc) -> Self {
        Self {
            order: desc.order,
            both: desc.perspectives == 2 || desc.psqt > 0,
        }
    }

    /// Whether the second accumulator is read at all.
    #[inline(always)]
    pub const fn reads_both(self) -> bool {
        self.both
    }

    /// The side whose perspective is first.
    #[inline(always)]
    pub const fn first(self, to_move: Color) -> Color {
        match self.order {
            PerspectiveOrder::SideToMove => to_move,
            PerspectiveOrder::WhiteFirst => Color::White,
        }
    }

    /// The sides that are read, each once.
    pub(crate) fn each(self, to_move: Color) -> impl Iterator<Item = Color> {
        self.sides(to_move)
            .into_iter()
            .take(if self.both { 2 } else { 1 })
    }

    /// The sides in the order in which they are read; where the second is not read, the first twice.
    #[inline(always)]
    pub const fn sides(self, to_move: Color) -> [Color; 2] {
        let first = self.first(to_move);
        [first, if self.both { first.other() } else { first }]
    }
}
