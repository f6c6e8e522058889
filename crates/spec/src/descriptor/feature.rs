//! The feature sets that a declaration can name.

use super::{CustomSet, ElementType, KingBuckets, PiecePlanes, ThreatPairs};

/// A feature set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FeatureSetId {
    /// own king square x (piece without kings, square); black's view is rotated; 41024 rows
    HalfKp,
    /// own king square x (piece, square), both kings in one plane; 45056 rows
    HalfKaV2,
    /// as [`Self::HalfKaV2`] with the king mirrored to files e..h; 22528 rows
    HalfKaV2Hm,
    /// (piece, square), own and enemy; 768 rows
    Chess768,
    /// like [`Self::Chess768`] in copies chosen by the own king's square, mirrored or not
    King(KingBuckets),
    /// attacks between the listed pairs of pieces
    Threats(ThreatPairs),
    /// two pawns on the same or neighbouring files; 4560 rows
    PawnPairs,
    /// of any game: implemented by the program, or listed by the caller
    Custom(CustomSet),
}

impl FeatureSetId {
    /// The sets of single pieces, in the order of diagnostics.
    pub const ALL: [Self; 4] = [
        Self::HalfKp,
        Self::HalfKaV2,
        Self::HalfKaV2Hm,
        Self::Chess768,
    ];

    /// The set that is assumed where a declaration names an unknown one, for further errors.
    pub const LIKELY: Self = Self::HalfKaV2Hm;

    /// The numbering of a set of single pieces.
    pub const fn pieces(self) -> Option<PiecePlanes> {
        Some(match self {
            Self::HalfKp => PiecePlanes::WITHOUT_KINGS,
            Self::HalfKaV2 => PiecePlanes::BY_KING,
            Self::HalfKaV2Hm => PiecePlanes::BY_MIRRORED_KING,
            Self::Chess768 => PiecePlanes::PLAIN,
            Self::King(buckets) => PiecePlanes::of_buckets(buckets),
            Self::Threats(_) | Self::PawnPairs | Self::Custom(_) => return None,
        })
    }

    /// Whether its features are pairs of pieces rather than single pieces.
    pub const fn is_of_pairs(self) -> bool {
        matches!(self, Self::Threats(_) | Self::PawnPairs)
    }

    /// Whether it is of any game: implemented by the program, or [listed](Self::is_listed) by the caller.
    pub const fn is_custom(self) -> bool {
        matches!(self, Self::Custom(_))
    }

    /// Whether the caller lists its active rows.
    pub const fn is_listed(self) -> bool {
        matches!(self, Self::Custom(set) if set.is_listed())
    }

    /// Whether its rows are six kinds on 64 squares of the own side, then of the enemy, in each bucket.
    pub const fn has_both_sides(self) -> bool {
        match self.pieces() {
            Some(planes) => planes.has_both_sides(),
            None => false,
        }
    }

    /// The name as written in a declaration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::HalfKp => "HalfKP",
            Self::HalfKaV2 => "HalfKAv2",
            Self::HalfKaV2Hm => "HalfKAv2_hm",
            Self::Chess768 => "Chess768",
            Self::King(buckets) => buckets.name(),
            Self::Threats(pairs) => pairs.name(),
            Self::PawnPairs => "PawnPairs",
            Self::Custom(_) => "custom",
        }
    }

    /// Rows of the weight matrix.
    pub const fn rows(self) -> usize {
        match self {
            Self::Threats(pairs) => pairs.rows(),
            Self::PawnPairs => 4560,
            Self::Custom(set) => set.rows as usize,
            of_pieces => match of_pieces.pieces() {
                Some(planes) => planes.rows(),
                None => 0,
            },
        }
    }

    /// Upper bound of simultaneously active features for one perspective, with at most 32 pieces and one king
    /// a side.
    pub const fn max_active(self) -> usize {
        match self {
            // 32 pieces, each of which attacks at most 8 others
            Self::Threats(_) => 256,
            // 30 pawns, 6 on each of five neighbouring files
            Self::PawnPairs => 219,
            Self::Custom(set) => set.most_active as usize,
            of_pieces => match of_pieces.pieces() {
                Some(planes) => planes.max_active(),
                None => 0,
            },
        }
    }

    /// Start constant of the Stockfish-compatible hash; for `Chess768`, king buckets, custom sets and
    /// unpublished threat sets, this project's choice.
    pub const fn hash(self) -> u32 {
        match self {
            Self::HalfKp => 0x5D69_D5B8,
            Self::HalfKaV2 => 0x5F23_4CB8,
            Self::HalfKaV2Hm => 0x7F23_4CB8,
            Self::Chess768 => 0x7680_4CB8,
            Self::King(buckets) => buckets.hash(),
            Self::Threats(pairs) => pairs.hash(),
            Self::PawnPairs => 0x86F2_B1DD,
            Self::Custom(set) => set.hash,
        }
    }
}

/// A feature set that feeds the accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureDesc {
    /// which set
    pub set: FeatureSetId,
    /// rows of its weight matrix
    pub rows: usize,
    /// element type of its weights
    pub element: ElementType,
}
