//! King-bucketed planes: the own king's square selects one of several copies of the (piece, square) rows.
//! See `docs/feature-sets.md`.
//!
//! ```text
//!   k = own king as its side sees it (black's view is flipped top to bottom), m = 7 if mirrored and k is on files e to h
//!   row = planes * 64 * bucket[k] + 384 * enemy + 64 * kind + (square ^ m)          planes = 12
//!   merged:  the enemy's king uses the plane of the own one, planes = 11
//!   rotated: Black's view is turned by half a circle instead of flipped
//!   attacks: four copies in each bucket, planes = 4 * 12 or 4 * 11
//!            + 64 * planes / 4 * (attacked + 2 * defended)       attacked: by the other side than the piece's; defended: by its own
//! ```

/// Planes of (own or enemy, piece, square) rows in copies, one per bucket of own-king squares.
///
/// ```
/// use nnue_spec::KingBuckets;
///
/// // two buckets: the first rank, and everything else
/// const TWO: KingBuckets = {
///     let mut table = [1; 64];
///     let mut square = 0;
///     while square < 8 {
///         table[square] = 0;
///         square += 1;
///     }
///     KingBuckets::new(table, true, false)
/// };
/// assert_eq!(TWO.rows(), 2 * 768);
/// assert_eq!(TWO.merged_kings().rows(), 2 * 704);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KingBuckets {
    table: [u8; 64],
    mirrored: bool,
    merged: bool,
    rotated: bool,
    attacks: bool,
}

impl KingBuckets {
    /// One bucket, mirrored so that the own king is on files a to d: `hm` in the notation of engines.
    pub const MIRRORED: Self = Self::new([0; 64], true, false);

    /// `table` has the bucket of each own-king square from its side's view, a1 first; `mirrored`: the board
    /// is mirrored so that the own king is on files a to d; `merged`: both kings share a plane.
    ///
    /// # Panics
    ///
    /// If a bucket is 64 or more; at compile time in a `const`.
    pub const fn new(table: [u8; 64], mirrored: bool, merged: bool) -> Self {
        let mut square = 0;
        while square < 64 {
            assert!(table[square] < 64, "there are at most 64 buckets");
            square += 1;
        }
        Self {
            table,
            mirrored,
            merged,
            rotated: false,
            attacks: false,
        }
    }

    /// With both kings in one plane.
    #[must_use]
    pub const fn merged_kings(self) -> Self {
        Self {
            merged: true,
            ..self
        }
    }

    /// With Black's view rotated by 180 degrees: files are mirrored as well as ranks.
    #[must_use]
    pub const fn rotated(self) -> Self {
        Self {
            rotated: true,
            ..self
        }
    }

    /// With separate rows for attacked pieces, defended pieces, and both: four times as many rows.
    #[must_use]
    pub const fn with_attacks(self) -> Self {
        Self {
            attacks: true,
            ..self
        }
    }

    /// With one row per piece, attacked or not.
    #[must_use]
    pub const fn without_attacks(self) -> Self {
        Self {
            attacks: false,
            ..self
        }
    }

    /// The bucket of an own-king square, from its side's view and before mirroring.
    ///
    /// # Panics
    ///
    /// If `square` is not below 64.
    pub const fn bucket(self, square: usize) -> usize {
        self.table[square] as usize
    }

    /// The table of [`Self::bucket`].
    pub const fn table(self) -> [u8; 64] {
        self.table
    }

    /// Whether the board is mirrored so that the own king is on files a to d.
    pub const fn is_mirrored(self) -> bool {
        self.mirrored
    }

    /// Whether Black's view is rotated by 180 degrees; otherwise it is flipped top to bottom.
    pub const fn is_rotated(self) -> bool {
        self.rotated
    }

    /// Whether both kings share a plane.
    pub const fn is_merged(self) -> bool {
        self.merged
    }

    /// Whether attacked or defended pieces have other rows.
    pub const fn sees_attacks(self) -> bool {
        self.attacks
    }

    /// Planes of 64 squares per bucket for one state of attack.
    pub const fn piece_planes(self) -> usize {
        if self.merged { 11 } else { 12 }
    }

    /// States of attack per bucket: 4 (neither, attacked, defended, both), or 1.
    pub const fn standings(self) -> usize {
        if self.attacks { 4 } else { 1 }
    }

    /// Planes of 64 squares in a bucket.
    pub const fn planes(self) -> usize {
        self.standings() * self.piece_planes()
    }

    /// The number of buckets: the greatest number in the table, plus one.
    pub const fn count(self) -> usize {
        let (mut greatest, mut square) = (0, 0);
        while square < 64 {
            if self.table[square] > greatest {
                greatest = self.table[square];
            }
            square += 1;
        }
        greatest as usize + 1
    }

    /// Rows of the weight matrix.
    pub const fn rows(self) -> usize {
        self.count() * self.planes() * 64
    }

    /// Start constant of the hash, this project's choice: FNV-1a of the table and the flags.
    pub const fn hash(self) -> u32 {
        let (mut hash, mut square) = (0x811C_9DC5_u32, 0);
        while square < 64 {
            hash = (hash ^ self.table[square] as u32).wrapping_mul(0x0100_0193);
            square += 1;
        }
        let flags = self.mirrored as u32
            | (self.merged as u32) << 1
            | (self.rotated as u32) << 2
            | (self.attacks as u32) << 3;
        (hash ^ flags).wrapping_mul(0x0100_0193)
    }

    /// The name as written in a declaration.
    pub const fn name(self) -> &'static str {
        if self.merged { "Chess704" } else { "Chess768" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_follow_from_the_greatest_bucket_and_the_planes() {
        assert_eq!(
            (KingBuckets::MIRRORED.count(), KingBuckets::MIRRORED.rows()),
            (1, 768)
        );
        let four = KingBuckets::new(
            core::array::from_fn(|square| (square / 16) as u8),
            false,
            true,
        );
        assert_eq!((four.count(), four.rows(), four.bucket(63)), (4, 2816, 3));
        assert_eq!(
            (
                four.with_attacks().rows(),
                KingBuckets::MIRRORED.with_attacks().rows()
            ),
            (4 * 2816, 3072)
        );
    }

    #[test]
    fn different_sets_have_different_hashes() {
        let sets = [
            KingBuckets::MIRRORED,
            KingBuckets::MIRRORED.merged_kings(),
            KingBuckets::new([0; 64], false, false),
            KingBuckets::new([0; 64], false, false).rotated(),
            KingBuckets::new([0; 64], false, false).with_attacks(),
            KingBuckets::new(
                core::array::from_fn(|square| u8::from(square > 7)),
                true,
                false,
            ),
        ];
        for (at, set) in sets.iter().enumerate() {
            assert!(
                sets[..at].iter().all(|other| other.hash() != set.hash()),
                "{set:?}"
            );
        }
    }
}
