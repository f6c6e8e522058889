//! Alexandria's network with both ways of rounding: its file if it is available, otherwise random weights.

use nnue::nnue;
use nnue::shakmaty::change_of;
use nnue::{AccumulatorStack, Architecture, Level, Network};
use nnue_testkit::board::Board;
use nnue_testkit::bullet::{self, Row, table};
use nnue_testkit::games::{position, random_game};
use nnue_testkit::random::Random;
use shakmaty::Position;

use crate::network::Alexandria;
use crate::reference::agrees_with_the_reference;
use crate::support::Seen;

nnue! {
    /// [`Alexandria`] with fused products
    pub struct AlexandriaFused = (Chess768[mirrored] -> 1536)x2 @ 362 pairwise >> 10
        -> (16: i8 @ 32 screlu -> 32: f32 screlu -> 1: f32 sums 16)x8 by min((63 - piece_count) * (32 - piece_count) / 225, 7) {
        floats fused;
        format raw {
            padding: none,
            fc0_weight: [input][stack][output], fc1_weight: [input][stack][output], fc2_weight: [input][stack],
        }
        golden "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" = 36;
    };
}

const FILE: &str = "alexandria-768hm-1536pw-16-32-ob8";

#[test]
fn random_weights_agree_with_the_reference() {
    agrees_with_the_reference::<Alexandria>();
    agrees_with_the_reference::<AlexandriaFused>();
}

/// Values and bits of all positions; then games, in which values must not depend on earlier moves.
fn engine<A: Architecture<Output = f32>>(bits: &str, value: &str) {
    let Some(bytes) = bullet::network(&format!("{FILE}.bin")) else {
        return;
    };
    let mut network =
        Network::<A>::from_bytes(&bytes).unwrap_or_else(|error| panic!("{FILE}: {error}"));
    for level in Level::available() {
        network = network.with_level(level);
        for row in table(FILE) {
            check(&network, &row, bits, value);
        }
        play(&network);
    }
}

fn check<A: Architecture<Output = f32>>(network: &Network<A>, row: &Row, bits: &str, value: &str) {
    let seen = Seen(Board::from_fen(row.text("fen")));
    let evaluation = network.evaluate_fresh(&seen);
    let what = format!("{}, {}: {}", A::SPEC.name, network.level(), row.text("fen"));
    assert_eq!(
        Some(i64::from(evaluation.value)),
        row.number(value),
        "{what}"
    );
    assert_eq!(
        Some(evaluation.bucket as i64),
        row.number("bucket"),
        "{what}"
    );
    let output = network.output_of(&network.accumulate(&seen));
    assert_eq!(
        format!("{:08x}", output.to_bits()),
        row.text(bits),
        "{what}"
    );
}

fn play<A: Architecture<Output = f32>>(network: &Network<A>) {
    let mut random = Random::new(12);
    let mut stack = AccumulatorStack::new();
    for _ in 0..2 {
        let game = random_game(
            &mut random,
            &position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
            80,
        );
        let mut now = game.start.clone();
        stack.reset();
        for &m in &game.moves {
            stack.push(change_of(&now, &m));
            now.play_unchecked(m);
            let fresh = network.output_of(&network.accumulate(&now));
            assert_eq!(
                network.output(&now, &mut stack).to_bits(),
                fresh.to_bits(),
                "{}",
                network.level()
            );
        }
    }
}

#[test]
fn every_bit_is_the_one_that_the_engine_computes() {
    engine::<Alexandria>("raw_f32_bits_nofma", "eval_nofma");
    engine::<AlexandriaFused>("raw_f32_bits_fma", "eval_fma");
}
