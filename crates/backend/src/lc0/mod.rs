//! Networks of Leela Chess Zero and its relatives: [`Weights`] reads their files, [`backend`] evaluates them,
//! and [`reference()`] evaluates them by their formulas. They read 112 planes of a position and its history,
//! and have an index for each move.
//!
//! ```text
//!   planes    13 i + 0 ..   i = 0 (now) to 7 (oldest): own pawns, knights, bishops, rooks, queens, king; the enemy's; all ones if repeated
//!            104 ..         castling rights, and the side to move or en passant
//!            109            the halfmove clock, as the value of all squares
//!            110, 111       side to move (of some formats); all ones
//! ```
//!
//! Everything is from the point of view of the side to move in the last position: its pieces come first, its
//! first rank is rank 1. Square a1 is bit 0, h8 is bit 63. Canonical formats also transform the board so that
//! symmetric positions look the same ([`Transform`]).
//!
//! The planes follow the formats that Leela Chess Zero publishes; tests compare them with
//! `tests/vectors/lc0`.

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

/// Input format of a network. The discriminants are those of weight files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InputFormat {
    /// castling rights as planes of ones, side to move
    Classical = 1,
    /// castling rights as squares of rooks, for Chess960
    CastlingPlane = 2,
    /// the same, with en passant instead of the side to move, transformed boards, and a history that ends at
    /// irreversible moves
    Canonical = 3,
    /// the same, with the clock in hundredths
    CanonicalHectoplies = 4,
    /// the same, with only repetitions in the history
    CanonicalV2 = 5,
    /// [`CanonicalHectoplies`](Self::CanonicalHectoplies) with the side to move, for games where a draw is a
    /// win for Black
    CanonicalHectopliesArmageddon = 132,
    /// [`CanonicalV2`](Self::CanonicalV2) with the side to move
    CanonicalV2Armageddon = 133,
}

impl InputFormat {
    /// All formats.
    pub const ALL: [Self; 7] = [
        Self::Classical,
        Self::CastlingPlane,
        Self::Canonical,
        Self::CanonicalHectoplies,
        Self::CanonicalV2,
        Self::CanonicalHectopliesArmageddon,
        Self::CanonicalV2Armageddon,
    ];

    /// The format for a number in weight files.
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

    /// Whether boards are transformed.
    pub const fn is_canonical(self) -> bool {
        self.number() >= 3
    }

    /// Whether the clock is in hundredths.
    const fn is_in_hundredths(self) -> bool {
        self.number() >= 4
    }

    /// Whether the history contains only repetitions.
    const fn has_only_repetitions(self) -> bool {
        matches!(self, Self::CanonicalV2 | Self::CanonicalV2Armageddon)
    }

    /// Whether a plane encodes the side to move although the board is transformed.
    const fn is_armageddon(self) -> bool {
        matches!(
            self,
            Self::CanonicalHectopliesArmageddon | Self::CanonicalV2Armageddon
        )
    }
}
