//! King-bucketed planes: (own or enemy, piece, square) in copies chosen by the own king's square.
//! [`KingBuckets`] defines the row numbers; see also `docs/feature-sets.md`.

use core::marker::PhantomData;

use nnue_spec::KingBuckets;

use super::{FeatureSet, Standing, View};
use crate::board::{Color, Piece, PieceKind, Square};

/// A type that stands for a table of king buckets. Declared networks with such inputs implement it.
pub trait KingTable: Send + Sync + 'static {
    /// The buckets, by the own king's square.
    const BUCKETS: KingBuckets;
}

/// Planes of (own or enemy, piece, square) rows in the buckets of `T`.
///
/// A bucket has one slot of the refresh cache, or two if the set is mirrored: one for each half of
/// the board.
#[derive(Clone, Copy, Debug)]
pub struct KingBucketed<T>(PhantomData<fn() -> T>);

impl<T: KingTable> KingBucketed<T> {
    const PLANES: KingPlanes = KingPlanes::new(T::BUCKETS);
}

/// The planes of a table of king buckets.
#[derive(Clone, Copy, Debug)]
pub(super) struct KingPlanes {
    buckets: KingBuckets,
    /// the bucket of each square
    table: [u8; 64],
    /// rows per bucket
    stride: u32,
    /// rows per bucket and standing
    copy: u32,
    /// slots per bucket
    halves: u16,
}

impl KingPlanes {
    pub(super) const fn new(buckets: KingBuckets) -> Self {
        Self {
            buckets,
            table: buckets.table(),
            stride: 64 * buckets.planes() as u32,
            copy: 64 * buckets.piece_planes() as u32,
            halves: if buckets.is_mirrored() { 2 } else { 1 },
        }
    }

    #[inline(always)]
    pub(super) const fn sees_attacks(&self) -> bool {
        self.buckets.sees_attacks()
    }

    /// Rows per bucket and standing; 0 if rows do not depend on standings.
    #[inline(always)]
    pub(super) const fn rows_of_standing(&self) -> u32 {
        if self.sees_attacks() { self.copy } else { 0 }
    }

    /// [`FeatureSet::view`]
    #[inline(always)]
    pub(super) fn view(&self, perspective: Color, king: Square) -> View {
        let turn = [0, if self.buckets.is_rotated() { 63 } else { 56 }][perspective.index()];
        let king = king.xor(turn);
        let half = u16::from(self.buckets.is_mirrored() && king.file() > 3);
        let bucket = self.table[king.index()];
        View {
            perspective,
            orientation: turn ^ if half == 1 { 7 } else { 0 },
            slot: self.halves * u16::from(bucket) + half,
            base: self.stride * u32::from(bucket),
        }
    }

    /// [`FeatureSet::row`]; each piece has a row.
    #[inline(always)]
    pub(super) fn row(&self, view: View, piece: Piece, square: Square) -> u32 {
        let relative = piece.relative_index(view.perspective) as u32;
        let (kind, enemy) = (relative / 2, relative % 2);
        let enemy = if self.buckets.is_merged() && piece.kind() == PieceKind::King {
            0
        } else {
            enemy
        };
        view.base + 384 * enemy + 64 * kind + square.xor(view.orientation).index() as u32
    }

    /// [`FeatureSet::row_standing`]; each piece has a row.
    #[inline(always)]
    pub(super) fn row_standing(
        &self,
        view: View,
        piece: Piece,
        square: Square,
        standing: Standing,
    ) -> u32 {
        self.row(view, piece, square) + self.rows_of_standing() * standing.index() as u32
    }
}

impl<T: KingTable> FeatureSet for KingBucketed<T> {
    const NAME: &'static str = T::BUCKETS.name();
    const ROWS: usize = T::BUCKETS.rows();
    const SLOTS: usize = T::BUCKETS.count() * Self::PLANES.halves as usize;
    const SEES_ATTACKS: bool = T::BUCKETS.sees_attacks();

    #[inline(always)]
    fn view(perspective: Color, king: Square) -> View {
        const { &Self::PLANES }.view(perspective, king)
    }

    #[inline(always)]
    fn row(view: View, piece: Piece, square: Square) -> Option<u32> {
        Some(const { &Self::PLANES }.row(view, piece, square))
    }

    #[inline(always)]
    fn row_standing(view: View, piece: Piece, square: Square, standing: Standing) -> Option<u32> {
        Some(const { &Self::PLANES }.row_standing(view, piece, square, standing))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::{Chess768, check_laws};

    macro_rules! tables {
        ($($name:ident = $buckets:expr;)*) => { $(
            struct $name;

            impl KingTable for $name {
                const BUCKETS: KingBuckets = $buckets;
            }
        )* };
    }

    const fn by_rank() -> [u8; 64] {
        let (mut table, mut square) = ([0; 64], 0);
        while square < 64 {
            table[square] = (square / 16) as u8;
            square += 1;
        }
        table
    }

    tables! {
        Mirrored = KingBuckets::MIRRORED;
        Ranks = KingBuckets::new(by_rank(), false, false);
        MirroredRanks = KingBuckets::new(by_rank(), true, false);
        Merged = KingBuckets::new(by_rank(), true, true);
        Plain = KingBuckets::new([0; 64], false, false);
        Rotated = KingBuckets::new(by_rank(), false, false).rotated();
        Attacks = KingBuckets::new(by_rank(), true, false).with_attacks();
        MergedAttacks = KingBuckets::MIRRORED.merged_kings().with_attacks();
    }

    #[test]
    fn sets_obey_the_law_of_views() {
        check_laws::<KingBucketed<Mirrored>>();
        check_laws::<KingBucketed<Ranks>>();
        check_laws::<KingBucketed<MirroredRanks>>();
        check_laws::<KingBucketed<Merged>>();
        check_laws::<KingBucketed<Rotated>>();
        check_laws::<KingBucketed<Attacks>>();
        check_laws::<KingBucketed<MergedAttacks>>();
    }

    #[test]
    fn one_bucket_that_is_not_mirrored_is_plain() {
        for (color, king) in Color::ALL
            .into_iter()
            .flat_map(|color| (0..64).map(move |king| (color, Square::new(king))))
        {
            let (view, plain) = (
                KingBucketed::<Plain>::view(color, king),
                Chess768::view(color, king),
            );
            for (piece, square) in Piece::ALL
                .into_iter()
                .flat_map(|piece| (0..64).map(move |s| (piece, Square::new(s))))
            {
                assert_eq!(
                    KingBucketed::<Plain>::row(view, piece, square),
                    Chess768::row(plain, piece, square)
                );
            }
        }
    }

    #[test]
    fn rotation_exchanges_files_for_black_alone() {
        let (a1, king) = (Square::at(0, 0), Square::at(4, 7));
        let row = |color| {
            KingBucketed::<Rotated>::row(
                KingBucketed::<Rotated>::view(color, king),
                Piece::new(color, PieceKind::Pawn),
                a1,
            )
        };
        // White's king on e8 is in bucket 3. Black's is on its own first rank, in bucket 0. White
        // sees a1, Black h8.
        assert_eq!(
            (row(Color::White), row(Color::Black)),
            (Some(3 * 768), Some(63))
        );
    }

    #[test]
    fn merged_kings_share_a_plane_and_halves_have_slots() {
        let (king, square) = (Square::at(4, 0), Square::at(0, 7));
        let view = KingBucketed::<Merged>::view(Color::White, king);
        let row =
            |color| KingBucketed::<Merged>::row(view, Piece::new(color, PieceKind::King), square);
        assert_eq!(row(Color::White), row(Color::Black));
        assert_eq!(
            (KingBucketed::<Merged>::ROWS, KingBucketed::<Merged>::SLOTS),
            (4 * 704, 8)
        );
        assert_ne!(
            view.slot,
            KingBucketed::<Merged>::view(Color::White, Square::at(3, 0)).slot
        );
    }
}
