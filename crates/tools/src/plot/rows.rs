//! Rows of the weights by piece, square, and square of the own king.
//!
//! The rows are those of the reference interpreter (`docs/feature-sets.md`): a board with the own king and
//! one more piece activates the row of that piece. Everything is seen by White, whose view is the board
//! itself.

use nnue_spec::reference::{Board, active_features};
use nnue_spec::{FeatureSetId, NetDesc, PiecePlanes, PlaneSquare};

use crate::plot::network::PlotError;

/// The king as a piece type.
pub const KING: usize = 5;

/// States of a piece, in the order of the rows, for sets that distinguish them.
pub const STANDINGS: [&str; 4] = [
    "unattacked",
    "attacked",
    "defended",
    "attacked and defended",
];

/// A piece from the point of view of a perspective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// whether it belongs to the other side
    pub enemy: bool,
    /// pawn 0, knight 1, bishop 2, rook 3, queen 4, king 5
    pub kind: usize,
}

impl Seen {
    /// Own pawn to own king, then the enemy's.
    pub fn all() -> impl Iterator<Item = Self> {
        [false, true]
            .into_iter()
            .flat_map(|enemy| (0..=KING).map(move |kind| Self { enemy, kind }))
    }

    /// `own pawn`, `enemy king`.
    pub fn name(self) -> String {
        let kind = ["pawn", "knight", "bishop", "rook", "queen", "king"][self.kind];
        format!("{} {kind}", if self.enemy { "enemy" } else { "own" })
    }
}

/// The rows of a set of single pieces.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'n> {
    index: usize,
    planes: PiecePlanes,
    /// the network with only this feature set
    net: NetDesc<'n>,
}

impl<'n> Rows<'n> {
    /// The rows of a network's feature set of single pieces.
    ///
    /// # Errors
    ///
    /// If there is none: rows are pairs of pieces, or those of a custom set.
    pub fn new(net: &'n NetDesc<'n>) -> Result<Self, PlotError> {
        let mut sets = net.features.iter().enumerate();
        let of_pieces = sets.find_map(|(index, feature)| Some((index, feature.set.pieces()?)));
        let Some((index, planes)) = of_pieces else {
            let set = net.set_name(net.features[0].set).to_owned();
            return Err(PlotError::NoBoards {
                network: net.name.to_owned(),
                set,
            });
        };
        Ok(Self {
            index,
            planes,
            net: NetDesc {
                features: &net.features[index..=index],
                ..*net
            },
        })
    }

    /// Index of the feature set.
    pub const fn index(&self) -> usize {
        self.index
    }

    /// The feature set.
    pub const fn set(&self) -> FeatureSetId {
        self.net.features[0].set
    }

    /// Number of [`STANDINGS`] with rows of their own: 4 or 1.
    pub const fn standings(&self) -> usize {
        self.planes.standings
    }

    /// The row of a piece on `square` while the own king is on `king`; `None` if that is impossible, or the
    /// piece has no row. For the own king, its row on `square`, whatever `king` is.
    ///
    /// # Panics
    ///
    /// If a square is 64 or more, or there is no such standing.
    pub fn row(&self, king: usize, piece: Seen, square: usize, standing: usize) -> Option<usize> {
        assert!(
            king < 64 && square < 64 && standing < self.standings(),
            "squares and ways to stand"
        );
        let own_king = (false, KING, if piece == OWN_KING { square } else { king });
        if piece == OWN_KING {
            let row = active_features(&self.net, &Board::new([own_king], false), false)
                .first()
                .copied();
            return row.map(|row| self.standing(row, standing));
        }
        if square == king {
            return None;
        }
        let rows = |pieces: &[(bool, usize, usize)]| {
            active_features(&self.net, &Board::new(pieces.iter().copied(), false), false)
        };
        let (alone, both) = (
            rows(&[own_king]),
            rows(&[own_king, (piece.enemy, piece.kind, square)]),
        );
        // Adjacent kings attack each other, so the own king may have another row as well.
        let alone: Vec<usize> = alone.into_iter().map(|row| self.standing(row, 0)).collect();
        let row = both
            .into_iter()
            .map(|row| self.standing(row, 0))
            .find(|row| !alone.contains(row))?;
        Some(self.standing(row, standing))
    }

    /// The row for another standing of the same piece.
    fn standing(&self, row: usize, standing: usize) -> usize {
        let place = self.planes.locate(row);
        place.map_or(row, |place| {
            self.planes.row(PlaneSquare { standing, ..place })
        })
    }

    /// The king bucket for an own king on `king`.
    ///
    /// # Panics
    ///
    /// If the square is 64 or more.
    pub fn bucket(&self, king: usize) -> usize {
        self.planes.buckets[king].into()
    }

    /// Whether the board is mirrored while the own king is on `king`.
    ///
    /// # Panics
    ///
    /// If the square is 64 or more.
    pub fn is_mirrored(&self, king: usize) -> bool {
        assert!(king < 64, "a square");
        self.planes.half.mirrors(king)
    }

    /// One square for each bucket, in the order of the squares: the lowest rank, and there the highest file,
    /// where kings stand after castling.
    pub fn kings(&self) -> Vec<usize> {
        let mut seen = Vec::new();
        let by_rank = (0..8).flat_map(|rank| (0..8).rev().map(move |file| 8 * rank + file));
        by_rank
            .filter(|&king| {
                let bucket = self.bucket(king);
                let is_new = !seen.contains(&bucket);
                seen.push(bucket);
                is_new
            })
            .collect()
    }
}

/// The king that selects the rows.
const OWN_KING: Seen = Seen {
    enemy: false,
    kind: KING,
};
