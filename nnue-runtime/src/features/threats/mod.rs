//! Threats: attacks between pieces as features. See `docs/threats.md`.
//!
//! ```text
//!   board ──────────────► all threats ──┐
//!   before, after ──────► changes ──────┴──► per side: rows      (table; a view is valid while the own king stays on its half)
//! ```

mod active;
mod attack;
mod change;
mod find;
mod lines;
mod number;
mod squares;
mod table;

use nnue_spec::ThreatPairs;

pub(super) use self::attack::AttackList;
pub(super) use self::find::{changes, collect};
pub(super) use self::table::Table;

use super::changed_rows::ChangedRows;
use super::pair_set::PairSet;
use super::pair_view::PairView;
use super::piece_map::PieceMap;
use crate::board::{Piece, Square};
use crate::simd::AvailableLevel;

/// The piece `attacker` on the square `from` attacks the piece `attacked` on `to`. Independent of
/// the perspective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threat {
    /// the piece that attacks
    pub attacker: Piece,
    /// its square
    pub from: Square,
    /// the piece that is attacked, of either colour
    pub attacked: Piece,
    /// the square of the attacked piece
    pub to: Square,
}

/// The set of threats between the pairs of pieces `ThreatPairs::of_bits(PAIRS)`.
///
/// ```
/// use nnue_runtime::features::{FullThreatsV16, Threats};
/// use nnue_runtime::spec::ThreatPairs;
///
/// // a custom set: what minor pieces attack
/// type Minor = Threats<{ ThreatPairs::new(["", "PNBRQ", "PNBRQ", "", "", ""]).to_bits() }>;
/// assert_eq!(Minor::ROWS, 2 * 2 * 5 * (336 + 560));
/// assert_eq!(FullThreatsV16::ROWS, 59808);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Threats<const PAIRS: u64>;

/// `FullThreats[79856]`, of SFNNv10.
pub type FullThreatsV10 = Threats<{ ThreatPairs::SFNN_V10.to_bits() }>;
/// `FullThreats[66864]`, of SFNNv11.
pub type FullThreatsV11 = Threats<{ ThreatPairs::SFNN_V11.to_bits() }>;
/// `FullThreats[60144]`, of SFNNv12 and v13.
pub type FullThreatsV12 = Threats<{ ThreatPairs::SFNN_V12.to_bits() }>;
/// `FullThreats[60720]`, of SFNNv14 to v15.
pub type FullThreatsV14 = Threats<{ ThreatPairs::SFNN_V14.to_bits() }>;
/// `FullThreats[59808]`, of SFNNv16.
pub type FullThreatsV16 = Threats<{ ThreatPairs::SFNN_V16.to_bits() }>;

impl<const PAIRS: u64> Threats<PAIRS> {
    /// Which attacks are features.
    pub const PAIRS: ThreatPairs = ThreatPairs::of_bits(PAIRS);
    /// Rows of the weight matrix.
    pub const ROWS: usize = Self::PAIRS.rows();

    const TABLE: &'static Table = &Table::new(Self::PAIRS);

    /// The row of a threat as `view` sees it, below [`Self::ROWS`]. `None` if the pair is not in
    /// this set, or if the threat is the omitted half of a mutual attack.
    #[inline(always)]
    pub fn row(view: PairView, threat: &Threat) -> Option<u32> {
        Self::TABLE.row_of(view, threat)
    }

    /// Calls `found` with every threat on a board, in no particular order.
    #[inline(always)]
    pub fn for_each(board: &PieceMap, found: impl FnMut(Threat)) {
        Self::TABLE.for_each(board, found);
    }
}

impl<const PAIRS: u64> PairSet for Threats<PAIRS> {
    const NAME: &'static str = "Threats";
    const ROWS: usize = Self::ROWS;

    fn active(board: &PieceMap, view: PairView, found: impl FnMut(u32)) {
        Self::TABLE.active(board, view, found);
    }

    fn collect(
        level: AvailableLevel,
        board: &PieceMap,
        view: PairView,
        first: u32,
        rows: &mut ChangedRows,
    ) {
        find::collect(level, Self::TABLE, board, view, first, rows);
    }

    fn changes(
        level: AvailableLevel,
        boards: [&PieceMap; 2],
        views: &[PairView],
        first: u32,
        rows: &mut ChangedRows,
    ) {
        find::changes(level, Self::TABLE, boards, views, first, rows);
    }
}
