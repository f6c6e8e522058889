//! Sets with a row for each piece on each square, in copies that the square of the own king selects: their
//! numbering of rows, once for bounds, factors, pictures, imports, trainers and described networks.
//!
//! ```text
//!   row = stride * bucket + first + 64 * (planes * standing + plane) + square
//!
//!   bucket     of the own king's square
//!   plane      of the piece: own or enemy, kind
//!   standing   neither, attacked, defended, both; always 0 in most sets
//!   square     as the side sees it: Black's view is flipped or rotated; mirrored sets bring the own king to one half
//! ```
//!
//! The reference interpreter computes rows from files and ranks instead; a test compares both.

use crate::king_buckets::KingBuckets;

/// Kinds of pieces: pawn, knight, bishop, rook, queen, king.
pub const KINDS: usize = 6;

/// The king's number among the kinds.
const KING: usize = KINDS - 1;

/// The half of the board to which a set mirrors the own king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Half {
    /// all files: it is not mirrored
    Any,
    /// files a to d
    QueenSide,
    /// files e to h
    KingSide,
}

impl Half {
    /// Whether a king on this square is on the other half.
    pub const fn mirrors(self, king: usize) -> bool {
        match self {
            Self::Any => false,
            Self::QueenSide => king % 8 > 3,
            Self::KingSide => king % 8 < 4,
        }
    }
}

/// The numbering of a set of single pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PiecePlanes {
    /// the bucket of each square of the own king as its side sees it, before mirroring; a1 first
    pub buckets: [u8; 64],
    /// where the own king is after mirroring
    pub half: Half,
    /// whether Black's view is turned by half a circle instead of flipped
    pub rotated: bool,
    /// copies of the planes in a bucket, by whether the piece is attacked and defended: 4, or 1
    pub standings: usize,
    /// the plane of each kind of the own side, then of the enemy; `None` for pieces without rows
    pub planes: [[Option<u8>; KINDS]; 2],
    /// unused rows of a bucket before its planes
    pub first: usize,
}

/// The coordinates of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaneSquare {
    /// the bucket of the own king
    pub bucket: usize,
    /// the standing
    pub standing: usize,
    /// the plane in the standing
    pub plane: usize,
    /// the square, as the side sees it
    pub square: usize,
}

impl PiecePlanes {
    /// One bucket, twelve planes: own kinds, then those of the enemy.
    pub const PLAIN: Self = Self {
        buckets: [0; 64],
        half: Half::Any,
        rotated: false,
        standings: 1,
        planes: by_side(),
        first: 0,
    };

    /// A bucket for each square of the own king; own and enemy planes alternate, and kings share the last one.
    pub const BY_KING: Self = Self {
        buckets: each_square(),
        planes: by_kind(Some(2 * KING as u8)),
        ..Self::PLAIN
    };

    /// [`Self::BY_KING`] with the own king on files e to h: its squares are numbered from h8 down to e1.
    pub const BY_MIRRORED_KING: Self = Self {
        buckets: each_mirrored_square(),
        half: Half::KingSide,
        ..Self::BY_KING
    };

    /// [`Self::BY_KING`] without rows of kings, rotated, and with an unused row before each bucket's.
    pub const WITHOUT_KINGS: Self = Self {
        planes: by_kind(None),
        rotated: true,
        first: 1,
        ..Self::BY_KING
    };

    /// The planes of king buckets.
    pub const fn of_buckets(buckets: KingBuckets) -> Self {
        let mut planes = by_side();
        if buckets.is_merged() {
            planes[1][KING] = planes[0][KING];
        }
        Self {
            buckets: buckets.table(),
            half: match buckets.is_mirrored() {
                true => Half::QueenSide,
                false => Half::Any,
            },
            rotated: buckets.is_rotated(),
            standings: buckets.standings(),
            planes,
            first: 0,
        }
    }

    /// Planes of a bucket and standing.
    pub const fn plane_count(&self) -> usize {
        let (mut count, mut at) = (0, 0);
        while at < 2 * KINDS {
            if let Some(plane) = self.planes[at / KINDS][at % KINDS]
                && plane as usize >= count
            {
                count = plane as usize + 1;
            }
            at += 1;
        }
        count
    }

    /// Number of buckets.
    pub const fn bucket_count(&self) -> usize {
        let (mut count, mut square) = (0, 0);
        while square < 64 {
            if self.buckets[square] as usize >= count {
                count = self.buckets[square] as usize + 1;
            }
            square += 1;
        }
        count
    }

    /// Rows of a standing in a bucket.
    pub const fn rows_of_standing(&self) -> usize {
        64 * self.plane_count()
    }

    /// Rows from one bucket to the next.
    pub const fn stride(&self) -> usize {
        self.first + self.standings * self.rows_of_standing()
    }

    /// Rows of the weight matrix.
    pub const fn rows(&self) -> usize {
        self.bucket_count() * self.stride()
    }

    /// The row with these coordinates.
    pub const fn row(&self, place: PlaneSquare) -> usize {
        let PlaneSquare {
            bucket,
            standing,
            plane,
            square,
        } = place;
        self.stride() * bucket
            + self.first
            + self.rows_of_standing() * standing
            + 64 * plane
            + square
    }

    /// The coordinates of a row; `None` for one that no piece has.
    pub const fn locate(&self, row: usize) -> Option<PlaneSquare> {
        let (bucket, rest) = (row / self.stride(), row % self.stride());
        if rest < self.first {
            return None;
        }
        let rest = rest - self.first;
        Some(PlaneSquare {
            bucket,
            standing: rest / self.rows_of_standing(),
            plane: rest % self.rows_of_standing() / 64,
            square: rest % 64,
        })
    }

    /// Upper bound of simultaneously active rows, with at most 32 pieces and one king a side.
    pub const fn max_active(&self) -> usize {
        let kings = [self.planes[0][KING], self.planes[1][KING]];
        30 + kings[0].is_some() as usize + kings[1].is_some() as usize
    }

    /// Whether its planes are six kinds of the own side, then of the enemy.
    pub const fn has_both_sides(&self) -> bool {
        let (own_first, mut at) = (by_side(), 0);
        while at < 2 * KINDS {
            match (
                self.planes[at / KINDS][at % KINDS],
                own_first[at / KINDS][at % KINDS],
            ) {
                (Some(plane), Some(expected)) if plane == expected => at += 1,
                _ => return false,
            }
        }
        true
    }

    /// The square of White's view that Black has in its own as `square`, and the other way round, by
    /// exclusive or.
    pub const fn turn(&self) -> usize {
        if self.rotated { 63 } else { 56 }
    }

    /// The plane that both kings share, if they do.
    pub const fn shared_kings(&self) -> Option<usize> {
        match (self.planes[0][KING], self.planes[1][KING]) {
            (Some(own), Some(enemy)) if own == enemy => Some(own as usize),
            _ => None,
        }
    }

    /// The planes of pieces other than kings, own before enemy, kind by kind.
    pub fn pieces(&self) -> impl Iterator<Item = usize> {
        self.planes
            .iter()
            .flat_map(|side| side[..KING].iter().flatten())
            .map(|&plane| plane.into())
    }

    /// The square of the own king in this bucket after mirroring, if there is only one.
    pub fn king_of(&self, bucket: usize) -> Option<usize> {
        let mirrored = |square: usize| match self.half.mirrors(square) {
            true => square ^ 7,
            false => square,
        };
        let in_bucket = |&square: &usize| usize::from(self.buckets[square]) == bucket;
        let mut squares = (0..64).filter(in_bucket).map(mirrored);
        let first = squares.next()?;
        squares.all(|square| square == first).then_some(first)
    }

    /// Whether the buckets have one square of the own king each.
    pub fn has_king_squares(&self) -> bool {
        (0..self.bucket_count()).all(|bucket| self.king_of(bucket).is_some())
    }
}

/// Own kinds, then those of the enemy.
const fn by_side() -> [[Option<u8>; KINDS]; 2] {
    let (mut planes, mut at) = ([[None; KINDS]; 2], 0);
    while at < 2 * KINDS {
        planes[at / KINDS][at % KINDS] = Some(at as u8);
        at += 1;
    }
    planes
}

/// Kind by kind, own before enemy; both kings in one plane, or without.
const fn by_kind(kings: Option<u8>) -> [[Option<u8>; KINDS]; 2] {
    let (mut planes, mut at) = ([[kings; KINDS]; 2], 0);
    while at < 2 * KING {
        planes[at % 2][at / 2] = Some(at as u8);
        at += 1;
    }
    planes
}

const fn each_square() -> [u8; 64] {
    let (mut buckets, mut square) = ([0; 64], 0);
    while square < 64 {
        buckets[square] = square as u8;
        square += 1;
    }
    buckets
}

/// `4 * (7 - rank) + (7 - file)` of the square on files e to h.
const fn each_mirrored_square() -> [u8; 64] {
    let (mut buckets, mut square) = ([0; 64], 0);
    while square < 64 {
        let (rank, file) = (square / 8, square % 8);
        let from_edge = if file < 4 { file } else { 7 - file };
        buckets[square] = (4 * (7 - rank) + from_edge) as u8;
        square += 1;
    }
    buckets
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::descriptor::FeatureSetId;
    use crate::reference::{Board, rows_of_set};
    use crate::testing::sets_of_pieces;

    /// The rows of a board, whose pieces are (black, kind, square).
    fn rows(planes: &PiecePlanes, pieces: &[(bool, usize, usize)], black: bool) -> Vec<usize> {
        let turn = if black { planes.turn() } else { 0 };
        let is_own_king = |piece: &&(bool, usize, usize)| piece.0 == black && piece.1 == KING;
        let king = pieces.iter().find(is_own_king).expect("a king").2 ^ turn;
        let mirror = if planes.half.mirrors(king) { 7 } else { 0 };
        let row = |&(of_black, kind, square): &(bool, usize, usize)| {
            Some(planes.row(PlaneSquare {
                bucket: planes.buckets[king].into(),
                standing: 0,
                plane: planes.planes[usize::from(of_black != black)][kind]?.into(),
                square: square ^ turn ^ mirror,
            }))
        };
        pieces.iter().filter_map(row).collect()
    }

    #[test]
    fn rows_are_those_of_the_reference() {
        for set in sets_of_pieces() {
            let planes = set.pieces().expect("a set of pieces");
            for (black, king) in [false, true]
                .into_iter()
                .flat_map(|b| (0..64).map(move |k| (b, k)))
            {
                // Pieces that neither attack nor defend one another.
                for (kind, square) in
                    (0..KINDS).flat_map(|kind| [(kind, (king + 27) % 64), (kind, (king + 45) % 64)])
                {
                    for enemy in [false, true] {
                        if kind == KING && !enemy {
                            continue;
                        }
                        let pieces = [(black, KING, king), (black != enemy, kind, square)];
                        let board = Board::new(pieces, black);
                        let mut expected = rows_of_set(set, &board, black);
                        if planes.standings > 1 {
                            let plain = |row: &usize| {
                                planes.locate(*row).map(|place| {
                                    planes.row(PlaneSquare {
                                        standing: 0,
                                        ..place
                                    })
                                })
                            };
                            expected = expected.iter().filter_map(plain).collect();
                        }
                        assert_eq!(
                            rows(&planes, &pieces, black),
                            expected,
                            "{set:?} {pieces:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn coordinates_are_those_of_one_row() {
        for set in sets_of_pieces() {
            let planes = set.pieces().expect("a set of pieces");
            assert_eq!(planes.rows(), set.rows());
            let unused = (0..planes.rows()).filter(|&row| match planes.locate(row) {
                Some(place) => {
                    assert_eq!(planes.row(place), row);
                    false
                }
                None => true,
            });
            assert_eq!(unused.count(), planes.first * planes.bucket_count());
        }
        assert_eq!(FeatureSetId::PawnPairs.pieces(), None);
    }

    #[test]
    fn kings_of_buckets_with_one_square_are_known() {
        let hm = PiecePlanes::BY_MIRRORED_KING;
        assert_eq!([hm.king_of(0), hm.king_of(31)], [Some(63), Some(4)]);
        assert!(hm.has_king_squares() && !PiecePlanes::PLAIN.has_king_squares());
        assert_eq!(hm.shared_kings(), Some(10));
        assert_eq!(
            PiecePlanes::WITHOUT_KINGS.pieces().collect::<Vec<_>>(),
            [0, 2, 4, 6, 8, 1, 3, 5, 7, 9]
        );
    }
}
