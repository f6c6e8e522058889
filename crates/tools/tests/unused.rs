//! Rows that no legal position has become zero, and no others.

use nnue_codegen::described_text;
use nnue_format::{Tensors, randomize};
use nnue_spec::reference::{Board, active_features, evaluate};
use nnue_spec::{NetDesc, TensorRef, TensorRole};
use nnue_testkit::board;
use nnue_testkit::games::suite_fens;
use nnue_tools::unused::zero;

/// Sets of pieces, and one of pairs beside them.
const SETS: [&str; 7] = [
    "768",
    "HalfKP[41024]",
    "HalfKAv2[45056]",
    "HalfKAv2_hm[22528]",
    "Chess768[mirrored, buckets: [0 x 2, 1 x 2, 2 x 4, 3 x 24]]",
    "Chess704[buckets: [0 x 8, 1 x 56], rotated]",
    "Chess768[mirrored] + FullThreats[60144] as i8",
];

fn net(set: &str) -> &'static NetDesc<'static> {
    let text = format!(
        "pub struct Network {{ inputs = {set}; acc = accumulate(inputs, 32 @ 255) x 2; output affine(screlu(acc), 1: i16 @ 64); format raw }}"
    );
    described_text(&text).unwrap_or_else(|errors| panic!("{set}: {errors:?}"))[0]
}

/// Positions of the suite that have one king a side, apart, and no pawns on the first and last ranks.
fn positions() -> Vec<Board> {
    let is_legal = |board: &board::Board| {
        let kings = [false, true].map(|black| board.pieces(black, 5));
        let pawns = board.pieces(false, 0) | board.pieces(true, 0);
        let [one, other] = kings.map(|king| king.trailing_zeros());
        let apart = |axis: fn(u32) -> u32| axis(one).abs_diff(axis(other)) > 1;
        kings.iter().all(|king| king.count_ones() == 1)
            && pawns & 0xFF00_0000_0000_00FF == 0
            && (apart(|square| square / 8) || apart(|square| square % 8))
    };
    let fens = suite_fens();
    let boards = fens.iter().map(|fen| board::Board::from_fen(fen));
    let legal = boards.filter(is_legal);
    legal
        .map(|board| Board::new(board.iter(), board.black_to_move()))
        .collect()
}

#[test]
fn rows_of_positions_stay_and_values_are_equal() {
    let positions = positions();
    assert!(positions.len() > 300, "{}", positions.len());
    for set in SETS {
        let net = net(set);
        let mut tensors = Tensors::zeroed(net);
        randomize(net, &mut tensors.muts(), 7);
        // No weight of a row is zero by chance.
        let weight = net
            .tensors
            .iter()
            .position(|desc| desc.role == TensorRole::TransformerWeight);
        let weight = weight.expect("every network has it");
        let refs = tensors.refs();
        let TensorRef::I16(weights) = refs[weight] else {
            panic!("16 bits")
        };
        let weights: Vec<i16> = weights.iter().map(|weight| weight | 1).collect();
        let rows = weights.len() / 32;
        let mut tensors = tensors.clone();
        if let nnue_spec::TensorMut::I16(out) = &mut tensors.muts()[weight] {
            out.copy_from_slice(&weights);
        }
        let mut zeroed = tensors.clone();
        let done = zero(net, &mut zeroed.muts());
        assert_eq!((done.of, done.numbers), (rows, 32 * done.rows), "{set}");
        assert!(done.rows >= 32 && 8 * done.rows < rows, "{set}: {done:?}");
        let (before, after) = (tensors.refs(), zeroed.refs());
        let TensorRef::I16(left) = after[weight] else {
            panic!("16 bits")
        };
        let empty = left
            .chunks_exact(32)
            .filter(|row| row.iter().all(|&weight| weight == 0));
        assert_eq!(empty.count(), done.rows, "{set}");
        for board in &positions {
            for black in [false, true] {
                let active = active_features(net, board, black);
                let of_pieces = active.iter().filter(|&&row| row < rows);
                assert!(
                    of_pieces.clone().all(|&row| left[32 * row] != 0),
                    "{set}: {board:?}"
                );
            }
            assert_eq!(
                evaluate(net, &before, board).value,
                evaluate(net, &after, board).value
            );
        }
    }
}

/// What rows of other sets stand for is not known.
#[test]
fn other_sets_stay_as_they_are() {
    let text = "pub struct Network = rows[64, active 3] -> 32 -> 1;";
    let net = described_text(text).expect("a declaration")[0];
    let mut tensors = Tensors::zeroed(net);
    randomize(net, &mut tensors.muts(), 7);
    let before = tensors.clone();
    assert_eq!(zero(net, &mut tensors.muts()).rows, 0);
    assert_eq!(tensors, before);
}

/// Counts by hand. For each square of the own king: pawns of both sides on 16 squares of the edges and on the king's, four other kinds of both
/// sides on the king's, and the squares beside it, where the enemy's king would be; both kings have one plane.
#[test]
fn rows_without_a_position_are_counted() {
    let beside = |king: usize| {
        let near = |at: usize| if at == 0 || at == 7 { 2 } else { 3 };
        near(king / 8) * near(king % 8) - 1
    };
    let of_king = |king: usize| {
        let pawns = if (8..56).contains(&king) { 17 } else { 16 };
        2 * pawns + 2 * 4 + beside(king)
    };
    let rows = |set: &str| {
        let net = net(set);
        zero(net, &mut Tensors::zeroed(net).muts()).rows
    };
    assert_eq!(rows("HalfKAv2[45056]"), (0..64).map(of_king).sum::<usize>());
    let mirrored = (0..64).filter(|king| king % 8 > 3).map(of_king);
    assert_eq!(rows("HalfKAv2_hm[22528]"), mirrored.sum::<usize>());
    assert_eq!(rows("HalfKAv2_hm[22528]"), 1538);
    // without planes of kings, and with a row before those of each bucket that no piece has
    let of_king = |king: usize| of_king(king) - beside(king) + 1;
    assert_eq!(rows("HalfKP[41024]"), (0..64).map(of_king).sum::<usize>());
    assert_eq!(rows("768"), 2 * 16);
}
