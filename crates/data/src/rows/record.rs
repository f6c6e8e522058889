//! Records.

use nnue_spec::rows::RowLists;

/// A position that is lists of rows, and what the network should say about it.
#[derive(Clone, Debug, PartialEq)]
pub struct RowsRecord {
    /// the active rows, in any order
    pub lists: Lists,
    /// whether Black is to move, whose list a network with two perspectives reads first
    pub black_to_move: bool,
    /// the target, for the side to move: [`Targets`](super::Targets) has its range
    pub target: f32,
    /// weight of the record in the mean loss; normally 1
    pub weight: f32,
}

/// The active rows of each perspective.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lists {
    /// of a network with one perspective
    One(Vec<u32>),
    /// of a network with two perspectives: of White, the side that begins, and of Black
    Two([Vec<u32>; 2]),
}

impl RowsRecord {
    /// A record with weight 1 and White to move.
    pub fn new(lists: impl Into<Lists>, target: f32) -> Self {
        Self {
            lists: lists.into(),
            black_to_move: false,
            target,
            weight: 1.0,
        }
    }
}

impl Lists {
    /// The lists: of White, or of the only perspective; then of Black.
    pub fn as_slice(&self) -> &[Vec<u32>] {
        match self {
            Self::One(list) => std::slice::from_ref(list),
            Self::Two(lists) => lists,
        }
    }
}

impl From<Vec<u32>> for Lists {
    fn from(list: Vec<u32>) -> Self {
        Self::One(list)
    }
}

impl From<[Vec<u32>; 2]> for Lists {
    fn from(lists: [Vec<u32>; 2]) -> Self {
        Self::Two(lists)
    }
}

impl<'a> From<&'a Lists> for RowLists<'a> {
    fn from(lists: &'a Lists) -> Self {
        match lists {
            Lists::One(list) => list.into(),
            Lists::Two(lists) => lists.into(),
        }
    }
}
