//! Which accumulators a network reads, and in which order.

use nnue_spec::{AccumulatorDesc, PerspectiveOrder};

use crate::board::Color;

/// Which accumulators a network reads, and in which order.
#[derive(Clone, Copy, Debug)]
pub struct Perspectives {
    order: PerspectiveOrder,
    both: bool,
}

impl Perspectives {
    /// The second accumulator is read if the layers or only the PSQT difference use it.
    #[inline(always)]
    pub const fn of(desc: &AccumulatorDesc) -> Self {
        Self {
            order: desc.order,
            both: desc.perspectives == 2 || desc.psqt > 0,
        }
    }

    /// Whether the second accumulator is read.
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

    /// The sides in reading order; the first twice if the second is not read.
    #[inline(always)]
    pub const fn sides(self, to_move: Color) -> [Color; 2] {
        let first = self.first(to_move);
        [first, if self.both { first.other() } else { first }]
    }
}
