//! How the declared feature sets number their rows (`docs/feature-sets.md`).
//!
//! ```text
//!   row = (standings * king + standing) * block + first + 64 * plane + square        block = first + 64 * planes
//!
//!   Chess768      1 king,         plane 6 * their + kind                HalfKP        64 kings, plane 2 * kind + their, first 1, no kings' planes
//!   Chess704      1 king or more, the same, both kings in plane 5       HalfKAv2      64 kings, the same, both kings in plane 10
//!   [attacks]     4 standings                                           HalfKAv2_hm   32 kings: 8 ranks of 4 files, the same
//! ```

use nnue_spec::{FeatureSetId, KINDS, NetDesc};

/// Numbering of the rows of a set of single pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// squares or buckets of the own king: ranks, files
    pub(super) kings: [usize; 2],
    /// copies by whether the piece is attacked or defended
    pub(super) standings: usize,
    /// piece types with a plane for each colour
    pub(super) kinds: usize,
    /// the plane that both kings share, if they do
    pub(super) both_kings: Option<usize>,
    /// planes are ordered by type, then colour
    pub(super) by_kind: bool,
    /// unused rows of a block before its planes
    pub(super) first: usize,
}

/// A row, decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) king: usize,
    pub(super) standing: usize,
    /// `None` for an unused row
    pub(super) piece: Option<Piece>,
}

/// A piece on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// whether it is theirs, and its type; `None` for the shared plane of kings
    pub(super) plane: Option<[usize; 2]>,
    pub(super) square: usize,
}

impl Layout {
    /// The layout of the first set of a network; nothing if its features are not single pieces.
    pub(super) fn of(net: &NetDesc<'_>) -> Option<Self> {
        let set = net.features.first()?.set;
        let planes = set.pieces()?;
        // Buckets are numbered as their table says, not by ranks and files.
        let is_of_squares = planes.has_king_squares() && !matches!(set, FeatureSetId::King(_));
        let kings = match is_of_squares {
            true => [8, planes.bucket_count() / 8],
            false => [planes.bucket_count(), 1],
        };
        let [own, enemy] = planes.planes;
        let king_planes = [own[KINDS - 1], enemy[KINDS - 1]];
        let have_planes = king_planes[0].is_some() && planes.shared_kings().is_none();
        Some(Self {
            kings,
            standings: planes.standings,
            kinds: if have_planes { KINDS } else { KINDS - 1 },
            both_kings: planes.shared_kings(),
            by_kind: enemy[0] == Some(1),
            first: planes.first,
        })
    }

    pub(super) fn planes(self) -> usize {
        2 * self.kinds + usize::from(self.both_kings.is_some())
    }

    /// Rows of a block, for one king and one standing.
    pub(super) fn block(self) -> usize {
        self.first + 64 * self.planes()
    }

    /// Number of squares or buckets of the own king.
    pub(super) fn king_count(self) -> usize {
        self.kings[0] * self.kings[1]
    }

    pub(super) fn rows(self) -> usize {
        self.king_count() * self.standings * self.block()
    }

    pub(super) fn row(self, row: usize) -> Row {
        let (copy, place) = (row / self.block(), row % self.block());
        let piece = place.checked_sub(self.first).map(|place| Piece {
            plane: self.plane(place / 64),
            square: place % 64,
        });
        Row {
            king: copy / self.standings,
            standing: copy % self.standings,
            piece,
        }
    }

    /// Whether a plane is theirs, and its type; `None` for the shared plane of kings.
    fn plane(self, plane: usize) -> Option<[usize; 2]> {
        let plane = match self.both_kings {
            Some(kings) if plane == kings => return None,
            Some(kings) if plane > kings => plane - 1,
            _ => plane,
        };
        Some(if self.by_kind {
            [plane % 2, plane / 2]
        } else {
            [plane / self.kinds, plane % self.kinds]
        })
    }
}
