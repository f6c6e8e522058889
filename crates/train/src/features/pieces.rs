//! Sets of single pieces: tables filled by the reference, so that both always agree.
//!
//! ```text
//!   row = first row of the own king's square + table[piece][square]
//! ```
//!
//! A table for every square of both kings would take 400 KB. Most tables are equal up to their first row:
//! HalfKAv2_hm needs four tables of 1.5 KB, for both colours with the king on either half of the board.

use nnue_data::{Color, Square};
use nnue_spec::reference::{Board, active_features};
use nnue_spec::{FeatureDesc, FeatureSetId, NetDesc};

use super::placed::{PLANES, Placed};
use super::rows::List;
use super::standing::Standings;

/// The row of the own king on any other square.
const UNKNOWN: u16 = u16::MAX;

#[derive(Clone, Debug)]
pub(super) struct PieceTables {
    /// by color and square of the own king
    views: [[View; Square::NUM]; 2],
    tables: Vec<Table>,
    /// planes with rows: all, or those without kings
    planes: usize,
    /// rows between the four copies of a bucket's planes (split by attacks); 0 without that split
    copy: i32,
}

/// The table and first row for a square of the own king.
#[derive(Clone, Copy, Debug)]
struct View {
    first: i32,
    table: usize,
}

/// By plane and square, relative to the first row of the own king's square.
type Table = [[u16; Square::NUM]; PLANES];

impl PieceTables {
    /// Asks the reference for every piece on every square, for every square of the own king.
    pub(super) fn new(net: &NetDesc<'_>, feature: FeatureDesc, first: i32) -> Self {
        // The copies of a bucket are alike, so one of them is looked up.
        let (feature, copies, copy) = match feature.set {
            FeatureSetId::King(buckets) if buckets.sees_attacks() => {
                let set = FeatureSetId::King(buckets.without_attacks());
                let copy = 64 * buckets.piece_planes() as i32;
                (
                    FeatureDesc {
                        set,
                        rows: set.rows(),
                        ..feature
                    },
                    buckets.standings() as i32,
                    copy,
                )
            }
            _ => (feature, 1, 0),
        };
        let net = NetDesc {
            features: &[feature],
            ..*net
        };
        let mut tables = Vec::new();
        let views = Color::ALL.map(|color| {
            std::array::from_fn(|king| {
                let (own_first, table) = table_of(&net, color, king);
                View {
                    first: first + copies * own_first,
                    table: find_or_add(&mut tables, &table),
                }
            })
        });
        let has_kings =
            !active_features(&net, &Board::new([(false, 5, 0)], false), false).is_empty();
        Self {
            views,
            tables,
            planes: if has_kings { PLANES } else { PLANES - 2 },
            copy,
        }
    }

    #[inline]
    pub(super) fn find(&self, placed: &Placed<'_>, rows: &mut [List<'_>; 2]) {
        let kings = placed.kings();
        let [us, them] = [0, 1]
            .map(|side| &self.views[placed.perspectives[side] as usize][kings[side] as usize]);
        let (our_rows, their_rows) = (&self.tables[us.table], &self.tables[them.table]);
        let standings = if self.copy > 0 {
            Standings::of(placed.position)
        } else {
            Standings::default()
        };
        for (plane, square) in placed.pieces() {
            if plane >= self.planes {
                break;
            }
            let copy = self.copy * standings.on(square);
            rows[0].put(us.first + copy + i32::from(our_rows[plane][square]), true);
            rows[1].put(
                them.first + copy + i32::from(their_rows[plane][square]),
                true,
            );
        }
    }
}

/// The rows of all pieces with the own king on this square, relative to the smallest one, which is returned
/// too. The own king itself has a single row, which is never the smallest, as pawns come first.
fn table_of(net: &NetDesc<'_>, color: Color, king: usize) -> (i32, Table) {
    let black = color == Color::Black;
    let own_king = (black, 5, king);
    let alone = active_features(net, &Board::new([own_king], black), black)
        .first()
        .copied();
    let row = |plane: usize, square: usize| {
        let is_black = plane % 2 == 1;
        let (kind, is_own_king) = (plane / 2, plane / 2 == 5 && is_black == black);
        if is_own_king {
            return alone.filter(|_| square == king);
        }
        let mut rows = active_features(
            net,
            &Board::new([own_king, (is_black, kind, square)], black),
            black,
        );
        if let Some(at) = rows.iter().position(|row| Some(*row) == alone) {
            rows.remove(at);
        }
        rows.first().copied()
    };
    let rows: [[Option<usize>; Square::NUM]; PLANES] =
        std::array::from_fn(|plane| std::array::from_fn(|square| row(plane, square)));
    let first = rows
        .iter()
        .flatten()
        .flatten()
        .min()
        .copied()
        .expect("every set has rows for pawns");
    (
        first as i32,
        rows.map(|plane| {
            plane.map(|row| {
                row.map_or(UNKNOWN, |row| {
                    u16::try_from(row - first).expect("few rows a king's square")
                })
            })
        }),
    )
}

/// The index of a compatible table, completed by this one, or of a new table.
fn find_or_add(tables: &mut Vec<Table>, table: &Table) -> usize {
    let agrees = |other: &Table| {
        let mut pairs = other.iter().flatten().zip(table.iter().flatten());
        pairs.all(|(other, row)| other == row || *other == UNKNOWN || *row == UNKNOWN)
    };
    let index = tables.iter().position(agrees).unwrap_or(tables.len());
    if index == tables.len() {
        tables.push(*table);
    } else {
        for (other, row) in tables[index]
            .iter_mut()
            .flatten()
            .zip(table.iter().flatten())
        {
            *other = (*other).min(*row);
        }
    }
    index
}
