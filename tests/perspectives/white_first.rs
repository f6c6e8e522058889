//! White's perspective first, whoever moves: the same numbers for both sides to move, and values that differ in their sign.

use nnue::nnue;
use nnue::{Architecture, Level};
use shakmaty::{Chess, EnPassantMode, Position};

use crate::games::follows_games;
use crate::reference::agrees_with_the_reference;
use crate::support::{Weights, network, positions};

nnue! {
    /// PSQT, stacks, a refresh when a king moves
    pub struct Stacked = HalfKAv2_hm[..] -> 64x2 @ 255 pairwise, white_first, psqt 4 -> (16 -> 24 -> 1)x4;

    /// White's perspective alone
    pub struct WhiteAlone = 768 -> 96 white_first -> 8 -> 1;

    /// 16-bit weights
    pub struct Direct = (Chess768[mirrored] -> 64)x2 @ 255 screlu white_first -> 1x8: i16 by material_count { format raw };

    /// pairs, of which only White's are computed
    pub struct WhitePairs = Chess768[..] + Threats[2112](P: PNBR, pushes) -> 64 white_first -> 8 -> 1;

    /// pairs of both sides, as a graph
    pub struct Pairs {
        acc = accumulate(HalfKAv2_hm[..] + PawnPairs[..], 32 @ 255) x 2 white_first;
        let h1 = affine(pairwise(acc), 16);
        output affine(crelu(h1), 1) - h1[3];
    }

    /// the probability that White wins is one minus the probability that Black does
    pub struct Points = Chess768[..] -> 64x2 @ 255 pairwise white_first -> (16 screlu -> 3: f32)x2 { value wdl * 1000; };
}

/// A position without a check, and the same with the other side to move.
fn both_sides_to_move() -> Vec<(Chess, Chess)> {
    let passed = |position: Chess| Some((position.clone(), position.swap_turn().ok()?));
    positions(5)
        .into_iter()
        .filter(|position| position.ep_square(EnPassantMode::Always).is_none())
        .filter_map(passed)
        .collect()
}

fn says_the_same_of_both<A: Architecture>() {
    agrees_with_the_reference::<A>();
    let mut network = network::<A>(4, Weights::Tame);
    let pairs = both_sides_to_move();
    assert!(pairs.len() > 20, "{} positions", pairs.len());
    for level in Level::available() {
        network = network.with_level(level);
        for (position, passed) in &pairs {
            let [one, other] = [position, passed].map(|position| network.evaluate_fresh(position));
            assert_eq!(
                (one.psqt, one.positional),
                (other.psqt, other.positional),
                "{position:?}"
            );
            assert_eq!(
                A::SPEC.value.of_other_side(one.value),
                other.value,
                "{position:?}"
            );
        }
        follows_games(&network);
    }
}

#[test]
fn two_perspectives() {
    says_the_same_of_both::<Stacked>();
}

#[test]
fn one_perspective() {
    says_the_same_of_both::<WhiteAlone>();
}

#[test]
fn sixteen_bit_weights() {
    says_the_same_of_both::<Direct>();
}

#[test]
fn pairs() {
    says_the_same_of_both::<WhitePairs>();
    says_the_same_of_both::<Pairs>();
}

#[test]
fn expected_scores() {
    says_the_same_of_both::<Points>();
}
