//! Threats: attacks between pieces as features. Source: fact sheet on Stockfish networks, section 5.5.
//!
//! ```text
//!   board ──────────────► all threats ──┐
//!   before, after ──────► changes ──────┴──► per side: rows      (table; a view lasts while the own king keeps its half)
//! ```

mod attack;
mod change;
mod lines;
mod table;

use nnue_spec::ThreatPairs;

use self::attack::Attack;
pub(super) use self::attack::AttackList;
use self::table::Table;

use super::attacks;
use super::changed_rows::{ChangedRows, RowChange};
use super::pair_set::PairSet;
use super::pair_view::PairView;
use super::piece_map::PieceMap;
use crate::board::{Piece, PieceKind, Square, squares_of};
use crate::simd::{Scalar, Simd};

/// "`attacker` on `from` attacks `attacked` on `to`", whoever looks at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threat {
    /// the piece that attacks
    pub attacker: Piece,
    /// where it stands
    pub from: Square,
    /// the piece that is attacked, of either colour
    pub attacked: Piece,
    /// where that stands
    pub to: Square,
}

/// The set of threats whose pairs are `ThreatPairs::of_bits(PAIRS)`.
///
/// ```
/// use nnue_runtime::features::{FullThreatsV16, Threats};
/// use nnue_runtime::spec::ThreatPairs;
///
/// // a set of one's own: what minor pieces attack
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

    /// The row of a threat as `view` sees it, below [`Self::ROWS`]; `None` if it is the half of a mutual attack that is
    /// dropped, or no attack of this set.
    #[inline(always)]
    pub fn row(view: PairView, threat: &Threat) -> Option<u32> {
        let placed = |piece: Piece, square| (piece.index() as u8, square);
        let Threat { attacker, from, attacked, to } = *threat;
        Self::TABLE.row(Attack::new(RowChange::Added, placed(attacker, from), placed(attacked, to)).seen(view))
    }

    /// Calls `found` with every threat on a board, in no particular order.
    #[inline(always)]
    pub fn for_each(board: &PieceMap, mut found: impl FnMut(Threat)) {
        let by_square = board.by_square(Scalar);
        for attacker in Piece::ALL {
            for from in squares_of(board.pieces(attacker)) {
                for to in squares_of(Self::attacked_by(board, attacker, from)) {
                    let Some(&attacked) = Piece::ALL.get(usize::from(by_square[to.index()])) else { continue };
                    if Self::TABLE.knows(attacker.index(), attacked.index()) {
                        found(Threat { attacker, from, attacked, to });
                    }
                }
            }
        }
    }

    /// The occupied squares that a piece attacks, as this set counts attacks.
    #[inline(always)]
    fn attacked_by(board: &PieceMap, attacker: Piece, from: Square) -> u64 {
        let (square, occupied) = (from.index(), board.occupied());
        let set = match attacker.kind() {
            PieceKind::Pawn => {
                let ahead = if Self::PAIRS.pushes() { attacks::PUSH[attacker.color().index()][square] } else { 0 };
                attacks::PAWN[attacker.color().index()][square] | ahead & board.both(PieceKind::Pawn)
            }
            PieceKind::Knight => attacks::KNIGHT[square],
            PieceKind::Bishop => attacks::bishop(square, occupied),
            PieceKind::Rook => attacks::rook(square, occupied),
            PieceKind::Queen => attacks::bishop(square, occupied) | attacks::rook(square, occupied),
            PieceKind::King => attacks::KING[square],
        };
        set & occupied
    }
}

impl<const PAIRS: u64> PairSet for Threats<PAIRS> {
    const NAME: &'static str = "Threats";
    const ROWS: usize = Self::ROWS;

    #[inline(always)]
    fn active(board: &PieceMap, view: PairView, mut found: impl FnMut(u32)) {
        Self::for_each(board, |threat| {
            if let Some(row) = Self::row(view, &threat) {
                found(row);
            }
        });
    }

    #[inline(always)]
    fn changes<S: Simd, const N: usize>(
        simd: S,
        boards: [&PieceMap; 2],
        views: [PairView; N],
        first: u32,
        rows: &mut ChangedRows,
    ) {
        change::find::<S, PAIRS>(simd, boards, &mut rows.attacks);
        rows.number(simd, Self::TABLE, views, first);
    }
}
