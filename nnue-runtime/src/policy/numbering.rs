//! The schemes as values, for programs that choose one at run time.

use super::PolicyMove;

/// One of the schemes that number moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Numbering {
    /// by squares: [`MoveSquares::from_to`](super::MoveSquares::from_to)
    FromTo,
    /// of lc0: [`MoveSquares::index_1858`](super::MoveSquares::index_1858)
    Of1858,
    /// of Monty in 2024: [`MoveSquares::index_1880`](super::MoveSquares::index_1880)
    Of1880,
    /// of Monty since: [`PolicyMove::index_3920`]
    Of3920,
}

impl Numbering {
    /// All schemes, the smallest first.
    pub const ALL: [Self; 4] = [Self::Of1858, Self::Of1880, Self::Of3920, Self::FromTo];

    /// The number of different moves.
    pub const fn count(self) -> usize {
        match self {
            Self::FromTo => 4096,
            Self::Of1858 => 1858,
            Self::Of1880 => 1880,
            Self::Of3920 => 3920,
        }
    }

    /// The scheme with this count.
    pub fn with_count(count: usize) -> Option<Self> {
        Self::ALL.into_iter().find(|scheme| scheme.count() == count)
    }

    /// The number of a move [seen by](PolicyMove::seen_by) its mover, below [`count`](Self::count);
    /// `None` if no piece moves like this.
    pub const fn index(self, mv: PolicyMove) -> Option<usize> {
        match self {
            Self::FromTo => Some(mv.squares.from_to()),
            Self::Of1858 => mv.squares.index_1858(),
            Self::Of1880 => mv.squares.index_1880(),
            Self::Of3920 => mv.index_3920(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scheme_is_found_by_its_count() {
        assert!(
            Numbering::ALL
                .into_iter()
                .all(|scheme| Numbering::with_count(scheme.count()) == Some(scheme))
        );
        assert_eq!(Numbering::with_count(1859), None);
    }
}
