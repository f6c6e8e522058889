//! Sets of pieces: the worked example of the documentation, and their laws.

use super::*;
use crate::board::PieceKind;

/// `8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8`: the worked example of `docs/feature-sets.md`.
fn example() -> Vec<(Piece, Square)> {
    let place = |color, kind, file, rank: u8| (Piece::new(color, kind), Square::at(file, rank - 1));
    use {Color::*, PieceKind::*};
    vec![
        place(Black, Pawn, 2, 7),
        place(Black, Pawn, 3, 6),
        place(White, King, 0, 5),
        place(White, Pawn, 1, 5),
        place(Black, Rook, 7, 5),
        place(White, Rook, 1, 4),
        place(Black, Pawn, 5, 4),
        place(Black, King, 7, 4),
        place(White, Pawn, 4, 2),
        place(White, Pawn, 6, 2),
    ]
}

fn rows<F: FeatureSet>(perspective: Color) -> Vec<u32> {
    let king = Piece::new(perspective, PieceKind::King);
    let square = example()
        .into_iter()
        .find(|(piece, _)| *piece == king)
        .expect("there is a king")
        .1;
    let view = F::view(perspective, square);
    let mut rows: Vec<u32> = example()
        .into_iter()
        .filter_map(|(piece, s)| F::row(view, piece, s))
        .collect();
    rows.sort_unstable();
    rows
}

#[test]
fn rows_of_the_worked_example() {
    assert_eq!(
        rows::<HalfKp>(Color::White),
        [20525, 20527, 20546, 20606, 20620, 20627, 20922, 21000]
    );
    assert_eq!(
        rows::<HalfKp>(Color::Black),
        [20526, 20533, 20547, 20607, 20626, 20628, 20921, 20999]
    );
    let white = [
        22540, 22542, 22561, 22621, 22635, 22642, 22937, 23015, 23199, 23200,
    ];
    let black = [
        27466, 27475, 27493, 27545, 27572, 27574, 27871, 27937, 28120, 28135,
    ];
    assert_eq!(
        (
            rows::<HalfKaV2>(Color::White),
            rows::<HalfKaV2>(Color::Black)
        ),
        (white.to_vec(), black.to_vec())
    );
    let white = [8457, 8459, 8486, 8538, 8556, 8565, 8862, 8928, 9112, 9127];
    let black = [8458, 8467, 8485, 8537, 8564, 8566, 8863, 8929, 9112, 9127];
    assert_eq!(
        (
            rows::<HalfKaV2Hm>(Color::White),
            rows::<HalfKaV2Hm>(Color::Black)
        ),
        (white.to_vec(), black.to_vec())
    );
}

#[test]
fn sets_obey_the_law_of_views() {
    check_laws::<HalfKp>();
    check_laws::<HalfKaV2>();
    check_laws::<HalfKaV2Hm>();
    check_laws::<Chess768>();
}

#[test]
fn own_king_moves_refresh_where_the_set_depends_on_the_king() {
    let king = Piece::new(Color::White, PieceKind::King);
    let step = Change::quiet(king, Square::at(4, 0), Square::at(3, 0));
    assert!(HalfKp::must_refresh(Color::White, &step));
    assert!(
        HalfKaV2Hm::must_refresh(Color::White, &step),
        "same bucket, but mirrored"
    );
    assert!(!HalfKaV2Hm::must_refresh(Color::Black, &step));
    assert!(!Chess768::must_refresh(Color::White, &step));
}

#[cfg(feature = "described")]
mod tables {
    use nnue_spec::{FeatureSetId, KingBuckets};

    use super::*;
    use crate::features::piece_rows::PieceRows;

    struct Halves;

    impl KingTable for Halves {
        const BUCKETS: KingBuckets = KingBuckets::MIRRORED.merged_kings().with_attacks();
    }

    fn check<F: FeatureSet>(rows: &PieceRows) {
        assert_eq!(rows.sees_attacks(), F::SEES_ATTACKS);
        let squares = || (0..64).map(Square::new);
        for (side, king) in Color::ALL
            .into_iter()
            .flat_map(|side| squares().map(move |king| (side, king)))
        {
            let view = F::view(side, king);
            assert_eq!(rows.view(side, king), view);
            for (piece, square) in Piece::ALL
                .into_iter()
                .flat_map(|piece| squares().map(move |at| (piece, at)))
            {
                assert_eq!(
                    rows.row(view, piece, square),
                    F::row(view, piece, square),
                    "{} {view:?}",
                    F::NAME
                );
                for standing in Standing::ALL {
                    let expected = F::row_standing(view, piece, square, standing);
                    assert_eq!(
                        rows.row_standing(view, piece, square, standing),
                        expected,
                        "{} {view:?}",
                        F::NAME
                    );
                }
            }
        }
    }

    #[test]
    fn tables_say_what_their_sets_say() {
        let rows = |set: FeatureSetId| PieceRows::new(&set.pieces().expect("a set of pieces"));
        check::<HalfKp>(&rows(FeatureSetId::HalfKp));
        check::<HalfKaV2>(&rows(FeatureSetId::HalfKaV2));
        check::<HalfKaV2Hm>(&rows(FeatureSetId::HalfKaV2Hm));
        check::<Chess768>(&rows(FeatureSetId::Chess768));
        check::<KingBucketed<Halves>>(&rows(FeatureSetId::King(Halves::BUCKETS)));
    }
}
