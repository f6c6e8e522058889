//! The tables against the sets that have types.

use nnue_spec::{FeatureSetId, KingBuckets};

use super::*;
use crate::board::Square;
use crate::features::FeatureSet;
use crate::features::{Chess768, HalfKaV2, HalfKaV2Hm, HalfKp, KingBucketed, KingTable};

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
