//! Threat features: which attacks between pieces have rows, and how many.
//!
//! A threat is "piece X on square f attacks piece Y on square t". A table says which pairs (X, Y) have
//! features; the rows, their order and the hash follow from it. See `docs/threats.md`.
//!
//! ```text
//!   attacker:           P      N        B       R       Q       K
//!   SFNNv16 attacks:    N R    P N B R Q P N B R P N B R P N B R Q (nothing)
//! ```

/// The attacked kinds of piece for each attacking kind. Kinds are numbered pawn 0 to king 5.
///
/// ```
/// use nnue_spec::ThreatPairs;
///
/// // pawns and knights attack everything but kings, nothing else is a feature
/// const MINE: ThreatPairs = ThreatPairs::new(["PNBRQ", "PNBRQ", "", "", "", ""]);
/// assert_eq!(MINE.rows(), 2 * (2 * 5 * 84 + 2 * 5 * 336));
/// assert_eq!(ThreatPairs::SFNN_V16.rows(), 59808);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ThreatPairs {
    /// by attacker: one bit per attacked kind
    attacked: [u8; 6],
    /// whether pawns also "attack" the pawn directly ahead of them
    pushes: bool,
}

/// Letters of the kinds of piece.
const LETTERS: [u8; 6] = *b"PNBRQK";

/// Number of squares that each kind attacks on an empty board, summed over its squares; for pawns, over ranks
/// 2 to 7.
const TOTALS: [usize; 6] = [84, 336, 560, 896, 1456, 420];

/// Squares straight ahead of the pawns on ranks 2 to 7.
const PUSHES: usize = 48;

impl ThreatPairs {
    /// Variant A, of SFNNv10: 79856 rows.
    pub const SFNN_V10: Self = Self::new(["PNR", "PNBRQK", "PNBRK", "PNBRK", "PNBRQK", "PNBR"]);
    /// Variant B, of SFNNv11: without attacks on kings; 66864 rows.
    pub const SFNN_V11: Self = Self::new(["PNR", "PNBRQ", "PNBR", "PNBR", "PNBRQ", "PNBR"]);
    /// Variant C, of SFNNv12 and v13: also without attacks by kings; 60144 rows.
    pub const SFNN_V12: Self = Self::new(["PNR", "PNBRQ", "PNBR", "PNBR", "PNBRQ", ""]);
    /// Variant D, of SFNNv14 to v15: like C, and with pawns directly ahead of pawns; 60720 rows.
    pub const SFNN_V14: Self = Self::SFNN_V12.with_pushes();
    /// Variant E, of SFNNv16: without pawns that attack pawns, which are pawn pairs; 59808 rows.
    pub const SFNN_V16: Self = Self::new(["NR", "PNBRQ", "PNBR", "PNBR", "PNBRQ", ""]);

    /// The published sets. All are named `FullThreats`; the number of rows identifies one.
    pub const PUBLISHED: [Self; 5] = [
        Self::SFNN_V10,
        Self::SFNN_V11,
        Self::SFNN_V12,
        Self::SFNN_V14,
        Self::SFNN_V16,
    ];

    /// Sets of threats of other engines with the same number of rows: the size of a tensor does not identify
    /// them.
    pub fn of_equal_size(self) -> &'static [&'static str] {
        if self == Self::SFNN_V10 {
            &[
                "Halogen, whose rows are by attacker and square, with both directions between equal pieces",
            ]
        } else {
            &[]
        }
    }

    /// The name of the published sets in declarations.
    pub const PUBLISHED_NAME: &'static str = "FullThreats";
    /// The name of other sets in declarations; their pairs follow it.
    pub const NAME: &'static str = "Threats";

    /// The pairs in which a pawn, knight, bishop, rook, queen, king attacks the kinds with the given letters
    /// (`PNBRQK`), in any order.
    ///
    /// # Panics
    ///
    /// If there is another letter; at compile time in a `const`.
    pub const fn new(attacked: [&str; 6]) -> Self {
        let mut sets = [0; 6];
        let mut attacker = 0;
        while attacker < 6 {
            let letters = attacked[attacker].as_bytes();
            let mut at = 0;
            while at < letters.len() {
                sets[attacker] |= 1 << kind_of(letters[at]);
                at += 1;
            }
            attacker += 1;
        }
        Self {
            attacked: sets,
            pushes: false,
        }
    }

    /// Adds attacks of a pawn on the pawn directly ahead of it, of either colour.
    #[must_use]
    pub const fn with_pushes(self) -> Self {
        Self {
            pushes: true,
            ..self
        }
    }

    /// The published set with this number of rows.
    pub const fn published(rows: usize) -> Option<Self> {
        let mut at = 0;
        while at < Self::PUBLISHED.len() {
            if Self::PUBLISHED[at].rows() == rows {
                return Some(Self::PUBLISHED[at]);
            }
            at += 1;
        }
        None
    }

    /// Whether a pawn directly ahead of a pawn counts as attacked.
    pub const fn pushes(self) -> bool {
        self.pushes
    }

    /// The number of kinds that `attacker` attacks.
    ///
    /// # Panics
    ///
    /// If `attacker` is not below 6.
    pub const fn slots(self, attacker: usize) -> usize {
        self.attacked[attacker].count_ones() as usize
    }

    /// The index of `attacked` among the kinds that `attacker` attacks; `None` if that pair has no feature.
    ///
    /// # Panics
    ///
    /// If `attacker` or `attacked` is not below 6.
    pub const fn slot(self, attacker: usize, attacked: usize) -> Option<usize> {
        assert!(attacked < 6, "kinds are below 6");
        let set = self.attacked[attacker];
        if set >> attacked & 1 == 0 {
            None
        } else {
            Some((set & ((1 << attacked) - 1)).count_ones() as usize)
        }
    }

    /// Rows per attacked colour and slot of an attacker: its attacks on an empty board.
    ///
    /// # Panics
    ///
    /// If `attacker` is not below 6.
    pub const fn total(self, attacker: usize) -> usize {
        TOTALS[attacker]
            + if self.pushes && attacker == 0 {
                PUSHES
            } else {
                0
            }
    }

    /// Rows of the weight matrix.
    pub const fn rows(self) -> usize {
        let (mut rows, mut attacker) = (0, 0);
        while attacker < 6 {
            // attackers of two colours, attacked pieces of two colours
            rows += 2 * 2 * self.slots(attacker) * self.total(attacker);
            attacker += 1;
        }
        rows
    }

    /// The definition as an integer: six bits for each attacker, then one for pushes.
    pub const fn to_bits(self) -> u64 {
        let (mut bits, mut attacker) = ((self.pushes as u64) << 36, 0);
        while attacker < 6 {
            bits |= (self.attacked[attacker] as u64) << (6 * attacker);
            attacker += 1;
        }
        bits
    }

    /// The inverse of [`Self::to_bits`]; higher bits are ignored.
    pub const fn of_bits(bits: u64) -> Self {
        let (mut attacked, mut attacker) = ([0; 6], 0);
        while attacker < 6 {
            attacked[attacker] = (bits >> (6 * attacker) & 0x3F) as u8;
            attacker += 1;
        }
        Self {
            attacked,
            pushes: bits >> 36 & 1 == 1,
        }
    }

    /// Start constant of the Stockfish-compatible hash; for unpublished sets, this project's choice.
    pub const fn hash(self) -> u32 {
        let bits = self.to_bits();
        if bits == Self::SFNN_V16.to_bits() {
            0x2E6B_9D04
        } else if Self::is_published(bits) {
            0x8F23_4CB8
        } else {
            // Any constant that differs between sets.
            0x7472_6561
                ^ (bits as u32).wrapping_mul(0x9E37_79B1)
                ^ ((bits >> 32) as u32).wrapping_mul(0x85EB_CA77)
        }
    }

    const fn is_published(bits: u64) -> bool {
        let mut at = 0;
        while at < Self::PUBLISHED.len() {
            if Self::PUBLISHED[at].to_bits() == bits {
                return true;
            }
            at += 1;
        }
        false
    }

    /// [`Self::PUBLISHED_NAME`] for the published sets, [`Self::NAME`] for others.
    pub const fn name(self) -> &'static str {
        if Self::is_published(self.to_bits()) {
            Self::PUBLISHED_NAME
        } else {
            Self::NAME
        }
    }
}

const fn kind_of(letter: u8) -> usize {
    let mut kind = 0;
    while kind < LETTERS.len() {
        if LETTERS[kind] == letter {
            return kind;
        }
        kind += 1;
    }
    panic!("kinds of piece are written P, N, B, R, Q, K")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_sets_have_the_published_numbers_of_rows() {
        assert_eq!(
            ThreatPairs::PUBLISHED.map(ThreatPairs::rows),
            [79856, 66864, 60144, 60720, 59808]
        );
        assert_eq!(ThreatPairs::published(60720), Some(ThreatPairs::SFNN_V14));
        assert_eq!(ThreatPairs::published(60721), None);
    }

    #[test]
    fn slots_count_the_kinds_that_are_attacked() {
        assert_eq!(
            [0, 1, 2, 3, 4, 5].map(|kind| ThreatPairs::SFNN_V16.slot(0, kind)),
            [None, Some(0), None, Some(1), None, None]
        );
        assert_eq!(ThreatPairs::SFNN_V10.slot(2, 5), Some(4));
        assert_eq!(ThreatPairs::SFNN_V12.slots(5), 0);
    }

    #[test]
    fn bits_hold_the_whole_definition() {
        for pairs in ThreatPairs::PUBLISHED
            .into_iter()
            .chain([ThreatPairs::new(["K", "", "", "", "", "P"])])
        {
            assert_eq!(ThreatPairs::of_bits(pairs.to_bits()), pairs);
        }
    }

    #[test]
    fn other_sets_have_other_hashes_and_another_name() {
        let own = [["P", "", "", "", "", ""], ["", "P", "", "", "", ""]].map(ThreatPairs::new);
        assert_ne!(own[0].hash(), own[1].hash());
        assert_ne!(own[0].hash(), own[0].with_pushes().hash());
        assert_eq!(
            (own[0].name(), ThreatPairs::SFNN_V14.name()),
            ("Threats", "FullThreats")
        );
    }
}
