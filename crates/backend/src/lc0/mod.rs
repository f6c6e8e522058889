//! Networks of Leela Chess Zero and of its relatives: [`Weights`] are their files, [`backend`] evaluates them, and [`reference()`] does by their formulas.
//! They see 112 planes of a position with its history, and have a number for each move.
//!
//! ```text
//!   planes    13 i + 0 ..   i = 0 (now) to 7 (oldest): own pawns, knights, bishops, rooks, queens, king; the enemy's; all ones if repeated
//!            104 ..         castling rights, and the side to move or en passant
//!            109            the halfmove clock, as the value of all squares
//!            110, 111       side to move (of some formats); all ones
//! ```
//!
//! Everything is seen by the side to move of the last position: its pieces first, its first rank below. Square a1 is bit 0, h8 is bit 63. In the
//! canonical formats the board is then turned so that symmetric positions look the same ([`Transform`]).
//!
//! The planes are described by the formats that the program publishes; they are compared with vectors in `tests/vectors/lc0`.

mod entries;
mod evaluator;
mod history;
mod index;
mod network;
mod planes;
mod settings;
mod transform;
pub mod weights;

pub use entries::{backend, entry, reference, reference_entry};
pub use history::HistoryFill;
pub use index::{MOVES, index_of, move_of};
pub use planes::{PLANES, Planes};
pub use settings::Settings;
pub use transform::Transform;
pub use weights::{Weights, WeightsError};

/// Which planes a network reads. The numbers are those of weight files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InputFormat {
    /// castling rights as planes of ones, side to move
    Classical = 1,
    /// castling rights as squares of rooks, as Chess960 needs them
    CastlingPlane = 2,
    /// as before, en passant in place of the side to move; the board is turned, history ends where it cannot be repeated
    Canonical = 3,
    /// as before, the clock in hundredths
    CanonicalHectoplies = 4,
    /// as before, and of the history only what is repeated
    CanonicalV2 = 5,
    /// [`CanonicalHectoplies`](Self::CanonicalHectoplies) with the side to move, for games that Black wins if they are drawn
    CanonicalHectopliesArmageddon = 132,
    /// [`CanonicalV2`](Self::CanonicalV2) with the side to move
    CanonicalV2Armageddon = 133,
}

impl InputFormat {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Classical,
        Self::CastlingPlane,
        Self::Canonical,
        Self::CanonicalHectoplies,
        Self::CanonicalV2,
        Self::CanonicalHectopliesArmageddon,
        Self::CanonicalV2Armageddon,
    ];

    /// The format with this number in weight files.
    pub fn of_number(number: u32) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|format| format.number() == number)
    }

    /// The number in weight files.
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// Whether castling rights are squares of rooks.
    const fn has_rook_squares(self) -> bool {
        self.number() >= 2
    }

    /// Whether the board is turned.
    pub const fn is_canonical(self) -> bool {
        self.number() >= 3
    }

    /// Whether the clock is in hundredths.
    const fn is_in_hundredths(self) -> bool {
        self.number() >= 4
    }

    /// Whether earlier positions are left out that are no repetitions.
    const fn has_only_repetitions(self) -> bool {
        matches!(self, Self::CanonicalV2 | Self::CanonicalV2Armageddon)
    }

    /// Whether a plane says that Black is to move although the board is turned.
    const fn is_armageddon(self) -> bool {
        matches!(
            self,
            Self::CanonicalHectopliesArmageddon | Self::CanonicalV2Armageddon
        )
    }
}
